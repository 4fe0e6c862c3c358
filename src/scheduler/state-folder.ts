import { dirname, join } from 'node:path';
import { metricsLocation } from '../sample/location.ts';
import type { StartRow } from '../store/schema.ts';
import type { RunId } from '../units/brands.ts';

/** Where things lie in the state folder. */
export interface StateFolder {
  readonly folder: string;
  /** With its machine's id: folders of one path on several machines may share a stage. */
  readonly named: string;
  readonly starts: string;
  /** Emptied start folders, to be used again. */
  readonly spares: string;
  readonly runs: string;
  readonly logs: string;
  /** The machine's own samples. */
  readonly metrics: string;
  readonly daemonLog: string;
}

export const stateFolder = (folder: string, logs: string, machine = ''): StateFolder => ({
  folder,
  named: machine === '' ? folder : `${folder} ${machine}`,
  starts: join(folder, 'starts'),
  spares: join(folder, 'spares'),
  runs: join(folder, 'runs'),
  logs,
  metrics: join(folder, 'metrics'),
  daemonLog: join(folder, 'daemon.log'),
});

export const envFile = (state: StateFolder, run: RunId): string => join(state.runs, `${run}.env`);
export const stdinFile = (state: StateFolder, run: RunId): string => join(state.runs, `${run}.stdin`);

/** Where a plain command's logs are. Pipelines' names may not begin with `_`, so none collides. */
export const plainPipeline = '_command';

export const logFolder = (state: StateFolder, run: RunId): string => join(state.logs, plainPipeline, String(run));

/** The samples that the daemon of the run's own machine takes of it; those of a run on control have a name of their own. */
export const metricsFile = (logs: LogFiles, run: RunId, instance: 'local' | 'control'): string =>
  metricsLocation(dirname(dirname(dirname(logs.stdout))), plainPipeline, run, instance);

/** Of one start. */
export interface LogFiles {
  readonly stdout: string;
  readonly stderr: string;
}

/** Those of a start that is claimed now; of any other the store has them, since ORCA_LOGS may have been another folder then. */
export const logFiles = (
  state: StateFolder,
  run: RunId,
  start: number,
  folder: string = logFolder(state, run),
): LogFiles => ({ stdout: join(folder, `${start}.stdout`), stderr: join(folder, `${start}.stderr`) });

export const logFilesOf = ({ stdout_path, stderr_path }: Pick<StartRow, 'stdout_path' | 'stderr_path'>): LogFiles => ({
  stdout: stdout_path,
  stderr: stderr_path,
});
