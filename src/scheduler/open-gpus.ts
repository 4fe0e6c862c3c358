import { accessSync, constants, statSync } from 'node:fs';
import { parseGpuChoice } from '../machine/chosen-gpus.ts';
import { readGpuNodes } from '../machine/gpu-nodes.ts';
import { findNvidiaSmi, NvidiaSmi } from '../machine/nvidia-smi.ts';
import { GpuWatch } from './gpu-watch.ts';
import { foreignOnGpus } from './own-processes.ts';
import type { Scheduler } from './scheduler.ts';

type Parts = Pick<Scheduler, 'host' | 'settings' | 'log'> & {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Asked for after this call only. */
  readonly scheduler: () => Scheduler;
};

/** The devices of this machine. Without any, and without `nvidia-smi`, nothing is run, now or later. */
export const openGpus = ({ host, settings, log, env, scheduler }: Parts): GpuWatch => {
  const file = findNvidiaSmi(env['PATH'], isExecutable);
  const smi = file === null ? null : new NvidiaSmi(file, env);
  return new GpuWatch({
    choice: parseGpuChoice(settings.get('ORCA_GPUS')),
    nodes: readGpuNodes('/dev'),
    ask: smi === null ? null : (args) => smi.ask(args),
    foreign: (devices, processes) => foreignOnGpus(scheduler(), devices, processes),
    nowMs: () => host.monotonicUs() / 1000,
    changed: () => scheduler().moved.raise(),
    warn: (why) => log.warn({ why }, 'the GPUs cannot be looked at'),
  });
};

const isExecutable = (file: string): boolean => {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
};
