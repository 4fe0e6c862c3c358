import { createHash } from 'node:crypto';
import { lstatSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { join, resolve, sep } from 'node:path';
import { makeFolders } from '../machine/make-folders.ts';
import { realPath } from '../machine/real-path.ts';
import type { Settings } from '../settings/settings.ts';

export type Stream = 'stdout' | 'stderr';

/** One output of one start. */
export interface StagedOutput {
  readonly pipeline: string;
  readonly run: number;
  readonly start: number;
  readonly stream: Stream;
}

/** Where outputs wait that may hold what must not be in the logs, of one state folder: several daemons of one user may share it. */
export interface StagePlace {
  readonly folder: string;
  readonly state: string;
}

const markOf = (state: string): string => createHash('sha256').update(state).digest('hex').slice(0, 12);

/** The file of one output (seed 002: control_stage). */
export const controlStage = ({ folder, state }: StagePlace, output: StagedOutput): string =>
  join(folder, `${markOf(state)}.${output.pipeline}.${output.run}.${output.start}.${output.stream}`);

/** By what the values of its start are known again, as long as outputs of it wait; one file for both. */
export const fingerprintFile = (stage: string): string => `${stage.replace(/\.(stdout|stderr)$/, '')}.prints`;

/** The file of the same start's other output; null: this is none of a start. */
export const otherOutput = (stage: string): string | null => {
  const [, start, stream] = /^(.+)\.(stdout|stderr)$/.exec(stage) ?? [];
  return start === undefined ? null : `${start}.${stream === 'stdout' ? 'stderr' : 'stdout'}`;
};

/** Which start of that state folder a file is of: an output, what is noted beside it, or the fingerprints; null: none. */
export const stagedStart = (state: string, name: string): Omit<StagedOutput, 'stream'> | null => {
  const [, mark, pipeline, run, start] =
    /^([0-9a-f]{12})\.(.+)\.(\d+)\.(\d+)\.(?:prints|(?:stdout|stderr)(?:\.(?:kept|times))?(?:\.tmp)?)$/.exec(name) ??
    [];
  if (mark !== markOf(state) || pipeline === undefined) return null;
  return { pipeline, run: Number(run), start: Number(start) };
};

/**
 * The stage of a user: the folder that `ORCA_LOG_STAGE` names; where nothing is set and the default one is another user's, one beside it with the user's number in its
 * name. Once they have that it is theirs for as long as it is there, so that what waits in it is found.
 */
export const stageFolder = (settings: Pick<Settings, 'get' | 'from'>, uid: number): string => {
  const folder = settings.get('ORCA_LOG_STAGE');
  if (settings.from('ORCA_LOG_STAGE') !== 'default') return folder;
  const own = `${folder}-${uid}`;
  if (ownerOf(own) === uid) return own;
  const owner = ownerOf(folder);
  return owner === null || owner === uid ? folder : own;
};

const ownerOf = (path: string): number | null => {
  try {
    return lstatSync(path).uid;
  } catch {
    return null;
  }
};

/** Makes the folder where it is missing. Throws, with why, when it is a link, another user's or open to others, or lies in the logs. */
export const prepareStageFolder = (folder: string, logs: string, uid: number): void => {
  if (isWithin(resolve(folder), resolve(logs))) throw new Error(`${folder} (ORCA_LOG_STAGE) lies in the logs`);
  try {
    makeFolders(folder);
  } catch (error) {
    throw new Error(
      `${folder} (ORCA_LOG_STAGE) cannot be made: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
  // What leads there may be a link.
  if (isWithin(realPath(folder), realPath(logs))) throw new Error(`${folder} (ORCA_LOG_STAGE) lies in the logs`);
  const stat = lstatSync(folder);
  if (!stat.isDirectory()) throw new Error(`${folder} (ORCA_LOG_STAGE) is no folder of its own`);
  if (stat.uid !== uid) throw new Error(`${folder} (ORCA_LOG_STAGE) belongs to another user`);
  if ((stat.mode & 0o077) !== 0) throw new Error(`${folder} (ORCA_LOG_STAGE) is open to other users`);
};

const isWithin = (path: string, folder: string): boolean => `${path}${sep}`.startsWith(`${folder}${sep}`);

/** Removes what waits there of a run: nobody will take it into a log any more. */
export const dropStaged = async ({ folder, state }: StagePlace, run: number): Promise<void> => {
  for (const name of await readdir(folder).catch(() => []))
    if (stagedStart(state, name)?.run === run) await rm(join(folder, name), { force: true });
};
