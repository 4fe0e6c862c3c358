import type { StartRequest } from '../keeper/keepers.ts';
import { makeRunSettings } from './run-settings.ts';
import { readEnvironment } from './environment.ts';
import type { LiveStart } from './live-start.ts';
import type { Scheduler } from './scheduler.ts';
import { logFiles, stdinFile } from './state-folder.ts';

/** What the keeper is asked to start. Throws when the run's environment cannot be read. */
export const startRequest = (scheduler: Scheduler, live: LiveStart): StartRequest => {
  const { settings, state } = scheduler;
  const { row, run, start } = live;
  const logs = logFiles(state, run, start);
  return {
    folder: live.folder,
    run,
    start,
    uuid: live.uuid,
    cwd: row.cwd,
    args: live.argv,
    env: [
      ...readEnvironment(state, run),
      `ORCA_RUN_ID=${run}`,
      `ORCA_START=${live.uuid}`,
      `ORCA_MEMORY_MB=${live.limit}`,
      `ORCA_CPUS=${row.cpus_milli / 1000}`,
    ],
    stdin: row.stdin_kind === 'null' ? '/dev/null' : row.stdin_kind === 'file' ? (row.stdin_path ?? '/dev/null') : stdinFile(state, run),
    stdout: logs.stdout,
    stderr: logs.stderr,
    shared: scheduler.sharedCounter,
    oomScoreAdj: settings.get('ORCA_OOM_SCORE_ADJ'),
    nice: settings.get('ORCA_RUN_NICE'),
    umask: row.umask,
    timeoutMs: row.timeout_ms,
    graceMs: graceMs(scheduler, row),
  };
};
