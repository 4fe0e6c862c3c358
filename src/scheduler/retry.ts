import { OrcaError } from '../errors/orca-error.ts';
import { inputSize } from '../machine/input-size.ts';
import { capturedEnvironment } from '../runs/captured-environment.ts';
import type { InputFile } from '../runs/extras.ts';
import { isFinal } from '../runs/transitions.ts';
import { variableOf } from '../secrets/secret-name.ts';
import { noNeeds, type After } from '../runs/needs.ts';
import type { Asked } from '../store/accept-runs.ts';
import type { NewRun } from '../store/insert-runs.ts';
import { getRuns } from '../store/get-run.ts';
import { runId, type RunId } from '../units/brands.ts';
import type {
  AfterRequest,
  RetryAnswer,
  RetryRequest,
  RetryRunsAnswer,
  RetryRunsRequest,
  StdinRequest,
  SubmitRequest,
} from '../wire/api.ts';
import type { Run } from '../store/run.ts';
import { Again } from './again.ts';
import { askedAgain } from './asked.ts';
import { errorWords } from './error-words.ts';
import type { Scheduler } from './scheduler.ts';
import { submitAll, type Submitting } from './submit.ts';

/** A new run of the same command, with the caller's environment: the old one's is gone with it. */
export const retry = async (scheduler: Scheduler, old: RunId, request: RetryRequest): Promise<RetryAnswer> => {
  const [run] = await overRuns(scheduler, [old]);
  if (run === undefined) throw new OrcaError('run-unknown', { run: old });
  const again = new Again(request.instead);
  const [answer] = await submitAll(scheduler, [await submitting(run, request, again, null)]);
  const [dropped] = again.notAfter;
  return { ...answer, runs: answer?.runs ?? [], ...(dropped === undefined ? {} : { not_after: dropped.after }) };
};

/** Several, all of them or none: in one commit, each with a token of its own, so that however often this is asked there is one of each. */
export const retryRuns = async (scheduler: Scheduler, request: RetryRunsRequest): Promise<RetryRunsAnswer> => {
  const runs = await overRuns(
    scheduler,
    request.runs.map(({ run }) => runId(run)),
  );
  await overRuns(scheduler, (request.more ?? []).map(runId));
  const again = new Again(request.instead);
  const all: Submitting[] = [];
  for (const [at, run] of runs.entries()) {
    const token = `${request.token}.${run.id}`;
    all.push(await submitting(run, { ...request, token }, again, request.runs[at]?.of ?? null));
  }
  const answers = await submitAll(scheduler, all);
  const warnings = new Set(answers.flatMap(({ warning = null }) => warning ?? []));
  const known = new Map(answers.flatMap((answer) => (answer.known ?? []).map((one) => [one.run, one])));
  return {
    runs: answers.flatMap((answer) => answer.runs),
    groups: [...again.groups].map(([of, group]) => ({ of, group })),
    known: [...known.values()].filter(({ run }) => !again.made.has(run)),
    not_after: again.notAfter,
    ...(warnings.size === 0 ? {} : { warning: [...warnings].join('; ') }),
  };
};

/** How many are read at once. */
const readAtOnce = 500;

/** Those runs, in that order. Refuses what cannot be tried again. */
const overRuns = async ({ store }: Scheduler, ids: readonly RunId[]): Promise<Run[]> => {
  const found = new Map<RunId, Run>();
  for (let at = 0; at < ids.length; at += readAtOnce)
    for (const run of await getRuns(store.read, ids.slice(at, at + readAtOnce))) found.set(run.id, run);
  return ids.map((id) => {
    const run = found.get(id);
    if (run === undefined) throw new OrcaError('run-unknown', { run: id });
    if (!isFinal(run.state)) throw new OrcaError('retry-too-early', { run: id, state: run.state });
    if (run.damage !== null) throw new OrcaError('run-damaged', { run: id, what: run.damage });
    return run;
  });
};

const submitting = async (run: Run, request: RetryRequest, again: Again, of: number | null): Promise<Submitting> => {
  let dropped: readonly AfterRequest[] = [];
  return {
    given: requestAgain(run, request, await measuredAgain(run.extras.inputs)),
    // Who asks for a success again wants it done again; what did not succeed may have been done since by another run of its key.
    ...(run.state === 'succeeded' ? { heldFor: 0 } : {}),
    // What was tried again just before has its number only now.
    settle: async (tx, asked) => {
      const settled = await again.after(tx, run.needs.after);
      dropped = settled.dropped;
      const group = of === null ? asked.group : (again.groups.get(of) ?? 'new');
      return { ...asked, group, runs: asked.runs.map((one) => withAgain(one, run, settled.after, group)) };
    },
    accepted: (accepted) => again.note(run.id, of, accepted, dropped),
  };
};

/** How many may go on at once is said of a group, not of a run. */
const withAgain = (
  one: NewRun,
  { needs: { max_parallel } }: Run,
  after: readonly After[],
  group: Asked['group'],
): NewRun => {
  const most = group === null ? null : max_parallel;
  if (after.length === 0 && most === null) return one;
  return { ...one, needs: { ...(one.needs ?? noNeeds), after, max_parallel: most } };
};

const requestAgain = (run: Run, request: RetryRequest, inputs: InputFile[]): SubmitRequest => ({
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
  inputs,
  ...(request.submitter === undefined ? {} : { submitter: request.submitter }),
  ...(request.group === undefined ? {} : { group: request.group }),
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
