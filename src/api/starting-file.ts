import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Clients that find this file start no daemon for three seconds (`src/client/start-daemon.ts`). */
const startingFile = (state: string): string => join(state, 'starting');

/** Gives a successor its time: without it, a client whose connection has just ended would start another daemon, of its own program. */
export const announceSuccessor = (state: string): void => {
  try {
    writeFileSync(startingFile(state), '', { mode: 0o600 });
  } catch {
    // On a full disk the quicker one wins.
  }
};

/** A daemon serves: nobody need wait for it any more. */
export const successorIsThere = (state: string): void => rmSync(startingFile(state), { force: true });
