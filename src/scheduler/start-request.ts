import type { StartRequest } from '../keeper/keepers.ts';
import { niceOf } from '../runs/nice.ts';
import { withHints } from '../runs/start-hints.ts';
import { threadsOf } from '../runs/thread-hints.ts';
import type { StoredRun } from '../store/run.ts';
import { settingsForRun } from '../settings/run-settings.ts';
import { secretsEnv, type Secret } from '../secrets/secrets-env.ts';
import { isControl, isWithinControl } from './control.ts';
import { readEnvironment } from './environment.ts';
import { gpuVariables, withoutGpuVariables } from './gpu-variables.ts';
import type { LiveStart } from './live-start.ts';
import { parentCounter } from './nested.ts';
import type { Scheduler } from './scheduler.ts';
import { startEnvironment } from './start-environment.ts';
import { bytesOfMib } from '../units/brands.ts';
import { outputFiles } from './staged-logs.ts';
import { stdinFile, type StateFolder } from './state-folder.ts';

/** What the keeper is asked to start. Throws when the run's environment cannot be read. */
export const startRequest = (scheduler: Scheduler, live: LiveStart, secrets: readonly Secret[]): StartRequest => {
  const { state } = scheduler;
  const { row, run, start } = live;
  const settings = settingsForRun(scheduler.settings, row.settings);
  const enter = live.parent?.cgroup ?? null;
  const inCgroup = live.cgroup ?? enter;
  const onControl = isControl(scheduler, row);
  return {
    folder: live.folder,
    run,
    start,
    uuid: live.uuid,
    cwd: row.cwd,
    args: row.argv,
    env: startEnvironment(toldEnvironment(scheduler, live, settings.get('ORCA_THREAD_HINTS')), [
      `ORCA_RUN_ID=${run}`,
      `ORCA_START=${live.uuid}`,
      `ORCA_MEMORY_MB=${live.limit}`,
      `ORCA_CPUS=${row.cpus_milli / 1000}`,
      ...gpuVariables(live.gpus),
      // Whatever it submits counts for whoever submitted it.
      ...(row.submitter === null ? [] : [`ORCA_AS=${row.submitter}`]),
      ...(inCgroup === null ? [] : [`ORCA_CGROUP=${inCgroup}`]),
      ...(onControl ? [`ORCA_CONTROL_WORKERS=${settings.get('ORCA_CONTROL_WORKERS')}`] : []),
      ...secretsEnv(secrets),
    ]),
    stdin: stdinPath(state, row),
    ...outputFiles(scheduler, live),
    cgroup: live.cgroup,
    enter,
    // What a parent's cgroup counts is nearer than what the machine does.
    shared: enter === null ? scheduler.sharedCounter : parentCounter(enter),
    oomScoreAdj: settings.get('ORCA_OOM_SCORE_ADJ'),
    nice: niceOf({
      usual: settings.get('ORCA_RUN_NICE'),
      control: isWithinControl(scheduler, live) ? settings.get('ORCA_CONTROL_NICE') : null,
    }),
    umask: row.umask,
    logMax: live.staged ? null : bytesOfMib(settings.get('ORCA_LOG_MAX_MB')),
    timeoutMs: row.timeout_ms,
    graceMs: settings.get('ORCA_KILL_GRACE_SECONDS') * 1000,
  };
};

/** What was captured for the run, with what tells its program of its threads and its memory. */
const toldEnvironment = (scheduler: Scheduler, live: LiveStart, hints: number): readonly string[] => {
  const { row, run, limit, gpus } = live;
  const captured = withoutGpuVariables(readEnvironment(scheduler.state, run), gpus);
  const told = { threads: threadsTold(scheduler, live, hints), limit, memoryEnv: row.extras.memory_env };
  return withHints(captured, told);
};

/**
 * How many threads a start is told to use; null: it is not told. Without `--cpus` nothing was asked: a plain command may use what is idle, as it
 * would without orca. A run inside another one has what that one has.
 */
const threadsTold = (scheduler: Scheduler, { row, parent }: LiveStart, hints: number): number | null => {
  if (hints === 0) return null;
  if (row.extras.cpus_asked) return threadsOf(row.cpus_milli);
  const around = parent === null ? undefined : scheduler.live.get(parent.run);
  if (around !== undefined) return threadsTold(scheduler, around, hints);
  return hints === 2 ? threadsOf(row.cpus_milli) : null;
};

const stdinPath = (state: StateFolder, row: StoredRun): string => {
  switch (row.stdin_kind) {
    case 'null':
      return '/dev/null';
    case 'file':
      return row.stdin_path ?? '/dev/null';
    case 'spool':
      return stdinFile(state, row.id);
  }
};
