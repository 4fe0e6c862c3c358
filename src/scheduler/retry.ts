import { OrcaError } from '../errors/orca-error.ts';
import { inputSize } from '../machine/input-size.ts';
import { capturedEnvironment } from '../runs/captured-environment.ts';
import type { InputFile } from '../runs/extras.ts';
import { isFinal } from '../runs/transitions.ts';
import { variableOf } from '../secrets/secret-name.ts';
import { getRun } from '../store/get-run.ts';
import type { RunId } from '../units/brands.ts';
import type { RetryAnswer, RetryRequest, StdinRequest, SubmitRequest } from '../wire/api.ts';
import type { Run } from '../store/run.ts';
import { afterAgain } from './after-again.ts';
import { askedAgain } from './asked.ts';
import { errorWords } from './error-words.ts';
import type { Scheduler } from './scheduler.ts';
import { submit } from './submit.ts';

/** A new run of the same command, with the caller's environment: the old one's is gone with it. */
export const retry = async (scheduler: Scheduler, old: RunId, request: RetryRequest): Promise<RetryAnswer> => {
  const run = await getRun(scheduler.store.read, old);
  if (run === null) throw new OrcaError('run-unknown', { run: old });
  if (!isFinal(run.state)) throw new OrcaError('retry-too-early', { run: old, state: run.state });
  if (run.damage !== null) throw new OrcaError('run-damaged', { run: old, what: run.damage });
  const { after, dropped } = await afterAgain(scheduler.store.read, run.needs.after, request.instead);
  const again: SubmitRequest = {
    token: request.token,
    commands: [run.argv],
    cwd: run.cwd,
    env: environmentAgain(run, request),
    umask: run.umask,
    name: run.name,
    cpus: run.cpus_milli / 1000,
    memory:
      run.memory_min_bytes === null
        ? null
        : { min_bytes: run.memory_min_bytes, max_bytes: run.memory_max_bytes ?? run.memory_min_bytes },
    retries: run.retries,
    timeout_ms: run.timeout_ms,
    priority: run.priority,
    stdin: stdinOf(run),
    owner: null,
    settings: run.settings,
    oom: run.oom,
    ...askedAgain(run),
    ...(after.length === 0 ? {} : { after }),
    inputs: await measuredAgain(run.extras.inputs),
    ...(request.submitter === undefined ? {} : { submitter: request.submitter }),
    ...groupAgain(run, request),
  };
  // Who asks for a success again wants it done again; what did not succeed may have been done since by another run of its key.
  const answer = await submit(scheduler, again, run.state === 'succeeded' ? 0 : undefined);
  return dropped.length === 0 ? answer : { ...answer, not_after: dropped };
};

/** How many may go on at once is said of a group, not of a run. */
const groupAgain = (
  { needs: { max_parallel } }: Run,
  { group }: RetryRequest,
): Pick<SubmitRequest, 'group' | 'max_parallel'> => ({
  ...(group === undefined ? {} : { group }),
  ...(group === undefined || max_parallel === null ? {} : { max_parallel }),
});

/** As much of the caller's as the old run had of its own; where a secret comes from is there in any case. */
const environmentAgain = ({ extras, secrets }: Run, { env, set }: RetryRequest): Readonly<Record<string, string>> => {
  const sources = new Set(Object.values(secrets).map(variableOf));
  const named = Object.entries(env).filter(([name]) => sources.has(name));
  return { ...capturedEnvironment(env, extras.capture), ...Object.fromEntries(named), ...set };
};

/** They may have changed, or be gone. */
const measuredAgain = async (inputs: readonly InputFile[]): Promise<InputFile[]> => {
  const again: InputFile[] = [];
  for (const { path } of inputs) {
    try {
      again.push({ path, bytes: await inputSize(path) });
    } catch (error) {
      throw new OrcaError('file-unreadable', { path, why: errorWords(error) }, error);
    }
  }
  return again;
};

const stdinOf = (run: Run): StdinRequest => {
  switch (run.stdin_kind) {
    case 'null':
      return { kind: 'null' };
    case 'file':
      return { kind: 'file', path: run.stdin_path ?? '/dev/null' };
    case 'spool':
      throw new OrcaError('retry-without-input', { run: run.id });
  }
};
