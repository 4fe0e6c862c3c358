import { OrcaError } from '../errors/orca-error.ts';
import { bytesOfMib } from '../units/brands.ts';
import { formatSize } from '../units/format-size.ts';
import type { SubmitRequest } from '../wire/api.ts';
import type { LiveStart } from './live-start.ts';

type Asked = Pick<SubmitRequest, 'memory' | 'cpus' | 'gpus' | 'locks' | 'resources'>;

/** Refuses a run inside another one that asks for what that one does not have: it does not queue, so it would never come to it. */
export const checkFitsInside = (parent: LiveStart, request: Asked): void => {
  const memory = bytesOfMib(parent.limit);
  if (request.memory !== null && request.memory.min_bytes > memory)
    throw tooMuch(parent, formatSize(request.memory.min_bytes), formatSize(memory));
  const cpus = parent.row.cpus_milli / 1000;
  if (request.cpus > cpus) throw tooMuch(parent, cores(request.cpus), cores(cpus));
  const missing = notHeld(parent, request);
  if (missing !== null) throw new OrcaError('nested-not-held', { run: parent.run, what: missing });
};

const notHeld = ({ row: { needs } }: LiveStart, { gpus = 0, locks = [], resources = {} }: Asked): string | null => {
  if (gpus > needs.gpus) return `${gpus} ${gpus === 1 ? 'GPU' : 'GPUs'} (it has ${needs.gpus})`;
  const lock = locks.find((name) => !needs.locks.includes(name));
  if (lock !== undefined) return `the lock ${lock}`;
  for (const [name, amount] of Object.entries(resources)) {
    const held = needs.resources[name] ?? 0;
    if (amount > held) return `${amount} of ${name} (it has ${held})`;
  }
  return null;
};

const tooMuch = ({ run }: LiveStart, asked: string, most: string): OrcaError =>
  new OrcaError('nested-too-much', { run, asked, most });

const cores = (cpus: number): string => (cpus === 1 ? '1 core' : `${cpus} cores`);
