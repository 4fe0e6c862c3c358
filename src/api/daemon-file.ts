import { closeSync, fstatSync, openSync, readFileSync, renameSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { DaemonFile } from '../wire/daemon-file.ts';

/** Whether the file is there and says the same. */
export const ownDaemonFile = (state: string, content: DaemonFile): boolean => {
  try {
    return readFileSync(join(state, 'daemon.json'), 'utf8').trimEnd() === JSON.stringify(content);
  } catch {
    return false;
  }
};

/**
 * Says in `<state>/daemon.json` who is in charge, by temporary name and rename: a client reads the old one or the new one. On a full disk
 * it is written over the old one, whose room is there: what runs needs its daemon then, too.
 */
export const writeDaemonFile = (state: string, content: DaemonFile): void => {
  const file = join(state, 'daemon.json');
  const draft = `${file}.${process.pid}`;
  const text = JSON.stringify(content);
  try {
    writeFileSync(draft, `${text}\n`, { mode: 0o600 });
    renameSync(draft, file);
  } catch (error) {
    rmSync(draft, { force: true });
    try {
      writeOver(file, text);
    } catch {
      throw error;
    }
  }
};

/** As long as before at least, so that nothing of the old content is left and no block is needed. */
const writeOver = (file: string, text: string): void => {
  const descriptor = openSync(file, 'r+');
  try {
    const before = fstatSync(descriptor).size;
    writeSync(descriptor, `${text.padEnd(before - 1)}\n`, 0);
  } finally {
    closeSync(descriptor);
  }
};
