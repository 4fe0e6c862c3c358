import {
  accessSync,
  constants,
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  writeFileSync,
  type Dirent,
  type Stats,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { OrcaError } from '../errors/orca-error.ts';
import { makeFolders } from '../machine/make-folders.ts';
import { systemErrorCode, systemErrorWords } from './system-error.ts';
import { networkFileSystem } from './network-file-system.ts';
import type { StateHost } from './state-host.ts';

/**
 * Makes or checks the state folder and returns the one to use: `path`, or the refuge when `path` is on a network file system or holds the state of
 * another machine (a home folder shared by several). Throws an OrcaError with exit status 120 for a folder that cannot be trusted or written.
 */
export function prepareStateFolder(path: string, host: StateHost): string {
  const why = unfit(path, host);
  if (why === null) return path;
  if (path === host.refuge) throw new OrcaError('state-network', { path, type: why });
  const refuge = host.refuge;
  const other = unfit(refuge, host);
  if (other !== null) throw new OrcaError('state-network', { path: refuge, type: other });
  sayOnce(refuge, path, why, host);
  return refuge;
}

/** Makes and checks the folder; the reason why its contents may not be used on this machine, else null. */
function unfit(path: string, host: StateHost): string | null {
  const before = statOrNull(path);
  if (before === null) {
    const network = networkFileSystem(host.statfs(nearestExisting(dirname(path))).type);
    if (network !== null) return network;
    make(path);
  }
  check(path, before ?? lstatSync(path), host.uid);
  if (before !== null) checkOurs(path);
  const network = networkFileSystem(host.statfs(path).type);
  if (network !== null) return network;
  return ofThisMachine(path, host.machineId) ? null : 'of another machine';
}

function check(path: string, found: Stats, uid: number): void {
  if (found.isSymbolicLink()) throw new OrcaError('state-link', { path });
  if (!found.isDirectory()) throw new OrcaError('state-not-folder', { path });
  if (found.uid !== uid) throw new OrcaError('state-foreign', { path, owner: found.uid, uid });
  if ((found.mode & 0o022) !== 0) {
    throw new OrcaError('state-shared', { path, mode: (found.mode & 0o7777).toString(8) });
  }
  try {
    accessSync(path, constants.W_OK | constants.X_OK);
  } catch (cause) {
    throw unwritable(path, cause);
  }
}

/** What orca makes first in a new state folder, and what every one has that was used. */
const marks: readonly string[] = [
  'machine',
  'lock.db',
  'orca.db',
  'daemon.json',
  'daemon.log',
  'starting',
  'moved-from',
];

/** Refuses a folder that is used for something else: the state would be strewn among a person's own files. */
function checkOurs(path: string): void {
  let found: readonly Dirent[];
  try {
    found = readdirSync(path, { withFileTypes: true });
  } catch (cause) {
    throw unwritable(path, cause);
  }
  // A folder of such a name may be anybody's.
  const marked = found.some((entry) => entry.isFile() && marks.includes(entry.name));
  if (resolve(path) === '/' || (found.length > 0 && !marked)) {
    throw new OrcaError('state-not-ours', { path });
  }
}

/** With its parents. */
function make(path: string): void {
  try {
    makeFolders(path);
  } catch (cause) {
    // Something else may be there: the check tells.
    if (systemErrorCode(cause) !== 'EEXIST' || statOrNull(path) === null) throw unwritable(path, cause);
  }
}

/** Whether the folder is this machine's; an unmarked one becomes so. */
function ofThisMachine(path: string, machineId: string | null): boolean {
  if (machineId === null) return true;
  const file = join(path, 'machine');
  const marked = readOrNull(file);
  if (marked !== null && marked !== '') return marked === machineId;
  try {
    writeFileSync(file, `${machineId}\n`, { mode: 0o600, flag: marked === null ? 'wx' : 'w' });
  } catch (cause) {
    if (systemErrorCode(cause) !== 'EEXIST') throw unwritable(path, cause);
  }
  return true;
}

function sayOnce(refuge: string, path: string, why: string, host: StateHost): void {
  const note = join(refuge, 'moved-from');
  if (readOrNull(note) === path) return;
  const reason =
    why === 'of another machine' ? 'holds the state of another machine' : `is on a network file system (${why})`;
  host.say(`The state folder ${path} ${reason}; ${refuge} is used instead. ORCA_HOME chooses another one.`);
  try {
    writeFileSync(note, `${path}\n`, { mode: 0o600 });
  } catch {
    // It is said again next time.
  }
}

function unwritable(path: string, cause: unknown): OrcaError {
  const code = systemErrorCode(cause);
  const why = systemErrorWords(cause);
  if (code === 'ENOSPC' || code === 'EDQUOT') return new OrcaError('state-full', { path, why }, cause);
  return new OrcaError('state-unwritable', { path, why }, cause);
}

/** Of a link the place that it leads to. */
function nearestExisting(path: string): string {
  return existsSync(path) || path === dirname(path) ? path : nearestExisting(dirname(path));
}

function statOrNull(path: string): Stats | null {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) ?? null;
  } catch (cause) {
    if (systemErrorCode(cause) === 'ENOTDIR') return null;
    throw unwritable(path, cause);
  }
}

function readOrNull(file: string): string | null {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    return null;
  }
}
