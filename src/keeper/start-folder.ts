import { linkSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { makeFolders } from '../machine/make-folders.ts';
import { processAlive, type ProcessHost } from './process-alive.ts';
import { parseExit, parseMarks, parsePid, type ExitRecord, type Mark, type PidRecord, type Read } from './records.ts';

export interface StartId {
  readonly run: number;
  readonly start: number;
}

export const startFolder = (state: string, { run, start }: StartId): string => `${state}/starts/${run}.${start}`;

/** Makes a start's folder; false when it is there already, and then its number is never given to another start. */
export function makeStartFolder(folder: string): boolean {
  try {
    mkdirSync(folder, { mode: 0o700 });
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    if (codeOf(error) !== 'ENOENT') throw error;
  }
  makeFolders(folder.slice(0, folder.lastIndexOf('/')));
  return makeStartFolder(folder);
}

/** Every start that has a folder, in no order; other names there are not ours. */
export function listStartFolders(state: string): StartId[] {
  let names: string[];
  try {
    names = readdirSync(`${state}/starts`);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return [];
    throw error;
  }
  return names.flatMap((name) => {
    const parts = /^([1-9]\d{0,14})\.([1-9]\d{0,14})$/.exec(name);
    return parts === null ? [] : [{ run: Number(parts[1]), start: Number(parts[2]) }];
  });
}

/** `no`: nobody has begun, and a keeper still may. */
export type Begun = 'no' | 'begun' | 'void';

/**
 * Declares that a start was never begun, unless it was: the name `begun` is made by a hard link, and whoever makes
 * it wins. After `void` no keeper will ever execute its command.
 */
export function voidStart(folder: string): Exclude<Begun, 'no'> {
  makeStartFolder(folder);
  const draft = `${folder}/void.${process.pid}`;
  writeFileSync(draft, 'void\n', { mode: 0o600 });
  try {
    linkSync(draft, `${folder}/begun`);
    return 'void';
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
    return readBegun(folder) === 'void' ? 'void' : 'begun';
  } finally {
    rmSync(draft, { force: true });
  }
}

/** What cannot be read is there, and so counts as begun; errors that may pass are thrown. */
export function readBegun(folder: string): Begun {
  try {
    // Empty counts as begun: its keeper had the name and was stopped before it wrote.
    return readFileSync(`${folder}/begun`, 'latin1') === 'void\n' ? 'void' : 'begun';
  } catch (error) {
    const code = codeOf(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') return 'no';
    if (code === 'EISDIR' || code === 'EACCES') return 'begun';
    throw error;
  }
}

/** What a start's folder says. A record is null when there is none. */
export interface StartFolderState {
  readonly begun: Begun;
  readonly pid: Read<PidRecord> | null;
  readonly exit: Read<ExitRecord> | null;
  readonly marks: readonly Mark[];
  /** Marks that cannot be read, for the log. */
  readonly problems: readonly string[];
  /** Null while a start has begun and not yet told its pids: only its `ctl` can say. False for a record of another boot. */
  readonly keeperAlive: boolean | null;
  readonly commandAlive: boolean | null;
  /** The pid record is of an earlier boot: none of its processes can be there. */
  readonly otherBoot: boolean;
}

/** Reads one start's folder; whatever its records hold, it does not throw for them (R5). */
export function readStartFolder(folder: string, host: ProcessHost): StartFolderState {
  const begun = readBegun(folder);
  const pidText = recordText(`${folder}/pid`);
  const pid = pidText === null ? null : pidText.why === null ? parsePid(pidText.value) : pidText;
  const marks = recordText(`${folder}/marks`);
  const read = marks === null || marks.why !== null ? { marks: [], problems: [] } : parseMarks(marks.value);
  const named = pid?.value ?? null;
  const otherBoot = named !== null && host.bootId !== null && named.boot !== host.bootId;
  const alive = (which: 'keeper' | 'command'): boolean | null => {
    if (begun !== 'begun') return false;
    return named === null ? null : !otherBoot && processAlive(host.procRoot, named[which]);
  };
  const problems = marks === null || marks.why === null ? read.problems : [marks.why];
  const [keeperAlive, commandAlive] = [alive('keeper'), alive('command')];
  // `exit` is read last: a keeper that was found dead has written all that it ever will.
  const exit = readExit(folder);
  return { begun, pid, exit, marks: read.marks, problems, keeperAlive, commandAlive, otherBoot };
}

/** The exit record; null while there is none. */
export function readExit(folder: string): Read<ExitRecord> | null {
  const text = recordText(`${folder}/exit`);
  return text === null || text.why !== null ? text : parseExit(text.value);
}

/** A record's text, null where there is no such file, or why it cannot be read. */
function recordText(file: string): Read<string> | null {
  try {
    return { value: readFileSync(file, 'utf8'), why: null };
  } catch (error) {
    return codeOf(error) === 'ENOENT' ? null : { value: null, why: `it cannot be read: ${codeOf(error)}` };
  }
}

const codeOf = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? String(error);
