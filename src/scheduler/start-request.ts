import type { StartRequest } from '../keeper/keepers.ts';
import { niceOf } from '../runs/nice.ts';
import type { StoredRun } from '../store/run.ts';
import { settingsForRun } from '../settings/run-settings.ts';
import { secretsEnv, type Secret } from '../secrets/secrets-env.ts';
import { isControl } from './control.ts';
import { readEnvironment } from './environment.ts';
import { gpuVariables, withoutGpuVariables } from './gpu-variables.ts';
import type { LiveStart } from './live-start.ts';
import { parentCounter } from './nested.ts';
import type { Scheduler } from './scheduler.ts';
import { startEnvironment } from './start-environment.ts';
import { logFiles, stdinFile, type StateFolder } from './state-folder.ts';

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
    env: startEnvironment(withoutGpuVariables(readEnvironment(state, run), live.gpus), [
      `ORCA_RUN_ID=${run}`,
      `ORCA_START=${live.uuid}`,
      `ORCA_MEMORY_MB=${live.limit}`,
      `ORCA_CPUS=${row.cpus_milli / 1000}`,
      ...gpuVariables(live.gpus),
      ...(inCgroup === null ? [] : [`ORCA_CGROUP=${inCgroup}`]),
      ...(onControl ? [`ORCA_CONTROL_WORKERS=${settings.get('ORCA_CONTROL_WORKERS')}`] : []),
      ...secretsEnv(secrets),
    ]),
    stdin: stdinPath(state, row),
    ...logFiles(state, run, start),
    cgroup: live.cgroup,
    enter,
    // What a parent's cgroup counts is nearer than what the machine does.
    shared: enter === null ? scheduler.sharedCounter : parentCounter(enter),
    oomScoreAdj: settings.get('ORCA_OOM_SCORE_ADJ'),
    nice: niceOf({
      usual: settings.get('ORCA_RUN_NICE'),
      control: onControl ? settings.get('ORCA_CONTROL_NICE') : null,
    }),
    umask: row.umask,
    timeoutMs: row.timeout_ms,
    graceMs: settings.get('ORCA_KILL_GRACE_SECONDS') * 1000,
  };
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
