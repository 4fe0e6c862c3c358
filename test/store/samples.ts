import { askKills, type KillOrder } from '../../src/store/ask-kill.ts';
import { queuedRuns, startedRuns } from '../../src/store/active-runs.ts';
import type { Db, Tx } from '../../src/store/schema.ts';
import type { NewRun } from '../../src/store/insert-runs.ts';
import { insertRuns } from '../../src/store/insert-runs.ts';
import { claimStart, type Claim } from '../../src/store/claim-start.ts';
import { finishRun, type EndOfRun } from '../../src/store/finish-run.ts';
import { endStart, type EndOfStart } from '../../src/store/end-start.ts';
import { startRunning } from '../../src/store/start-running.ts';
import type { Store } from '../../src/store/store.ts';
import { millis, runId, type RunId } from '../../src/units/brands.ts';

export const aRun = (change: Partial<NewRun> = {}): NewRun => ({
  argv: ['true'],
  cwd: '/',
  umask: 0o22,
  name: null,
  env_file: true,
  cpus_milli: 1000,
  memory_min_bytes: null,
  memory_max_bytes: null,
  retries: 0,
  timeout_ms: null,
  priority: 0,
  stdin: { kind: 'null' },
  owner: null,
  settings: {},
  submitted_at: millis(1000),
  ...change,
});

export const aClaim = (run: RunId, start: number, change: Partial<Claim> = {}): Claim => ({
  run,
  start,
  uuid: `uuid-${run}-${start}`,
  grant_bytes: null,
  limit_bytes: null,
  cap_bytes: null,
  cpus_milli: 1000,
  stdout_path: `/logs/${run}.${start}.out`,
  stderr_path: `/logs/${run}.${start}.err`,
  claimed_at: millis(2000),
  ...change,
});

export const running = (run: RunId, start: number) => ({
  run,
  start,
  pid: 11,
  keeper_pid: 10,
  boot: 'boot',
  at: millis(3000),
});

export const endOfStart = (run: RunId, start: number, change: Partial<EndOfStart> = {}): EndOfStart => ({
  run,
  start,
  verdict: 'succeeded',
  evidence: null,
  text: 'succeeded',
  exit_code: 0,
  signal: null,
  ended_at: millis(4000),
  ...change,
});

export const endOfRun = (run: RunId, start: number | null, change: Partial<EndOfRun> = {}): EndOfRun => ({
  run,
  start,
  state: 'succeeded',
  evidence: null,
  text: 'succeeded',
  exit_code: 0,
  signal: null,
  exit_status: 0,
  ended_at: millis(4000),
  ...change,
});

/** Of one run; the state is null for an unknown one. */
export const askKill = async (tx: Tx, { run, ...order }: KillOrder & { readonly run: RunId }) => {
  const { recorded, rest } = await askKills(tx, [run], order);
  return { recorded: recorded.has(run), state: recorded.get(run) ?? rest.get(run) ?? null };
};

export const requeued = (run: RunId, start: number) => ({
  run,
  start,
  counts: 'ordinary' as const,
  not_before: null,
  raised_bytes: null,
  held: null,
});

let tokens = 0;
/** A token that no other submission of this process has. */
export const newToken = (): string => `token-${process.pid}-${++tokens}`;

export const submit = async (store: Store, change: Partial<NewRun> = {}): Promise<RunId> => {
  const { ids } = await store.command(async (tx) => insertRuns(tx, { token: newToken(), runs: [aRun(change)] }));
  return ids[0] ?? runId(0);
};

/** A run whose only start ended so. */
export const endedRun = async (
  store: Store,
  state: EndOfRun['state'],
  change: Partial<NewRun> = {},
  end: Partial<EndOfRun> = {},
): Promise<RunId> => {
  const run = await runningRun(store, change);
  await store.command(async (tx) => endStart(tx, endOfStart(run, 1, { verdict: state })));
  await store.command(async (tx) => finishRun(tx, endOfRun(run, 1, { state, ...end })));
  return run;
};

/** A run whose start 1 is running. */
export const runningRun = async (store: Store, change: Partial<NewRun> = {}): Promise<RunId> => {
  const run = await submit(store, change);
  await store.command(async (tx) => claimStart(tx, aClaim(run, 1)));
  await store.command(async (tx) => startRunning(tx, running(run, 1)));
  return run;
};

/** What a new daemon finds, by number. */
export const allActive = async (db: Db): Promise<RunId[]> => {
  const found = (await startedRuns(db)).map(({ id }) => id);
  for await (const { id } of queuedRuns(db)) found.push(id);
  return found.sort((a, b) => a - b);
};
