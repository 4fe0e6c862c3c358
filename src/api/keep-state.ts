import { existsSync, statSync } from 'node:fs';
import type { Server } from 'node:http';
import { join } from 'node:path';
import { makeFolders } from '../machine/make-folders.ts';
import type { Scheduler } from '../scheduler/scheduler.ts';
import { millis } from '../units/brands.ts';
import type { DaemonFile } from '../wire/daemon-file.ts';
import { ownDaemonFile, writeDaemonFile } from './daemon-file.ts';
import { listenOn } from './socket.ts';

const lookEvery = millis(3000);

export interface Kept {
  readonly scheduler: Scheduler;
  readonly server: Server;
  readonly uid: number;
  /** What `daemon.json` holds. */
  readonly file: DaemonFile;
  /** The folder is no longer this daemon's. */
  readonly lost: () => void;
  /** The store's file is gone or another one: this daemon saves what it has and starts anew on what is there. */
  readonly reopen: () => void;
}

/**
 * Looks every few seconds whether the state folder still holds what clients and later daemons go by, and mends what somebody deleted under a
 * living daemon: its word (`daemon.json`), its socket, its folders, its store. A folder without our lock is not ours any more.
 */
export const keepState = (kept: Kept): void => {
  const { scheduler } = kept;
  const { folder } = scheduler.state;
  const lock = inodeOf(join(folder, 'lock.db'));
  const look = async (): Promise<void> => {
    if (scheduler.closing) return;
    if (inodeOf(join(folder, 'lock.db')) !== lock) {
      scheduler.log.fatal({ folder }, 'the state folder was deleted or replaced: this daemon leaves');
      return kept.lost();
    }
    if (scheduler.store.place() !== 'there') {
      scheduler.log.error({ folder }, 'the store was deleted or replaced under this daemon: it starts anew');
      return kept.reopen();
    }
    await mend(kept);
  };
  scheduler.host.timers.set(lookEvery, () => {
    look()
      .catch((error: unknown) => scheduler.log.error({ err: error }, 'the state folder could not be mended'))
      .finally(() => keepState(kept));
  });
};

const mend = async ({ scheduler, server, uid, file }: Kept): Promise<void> => {
  const { state, log } = scheduler;
  for (const folder of [state.runs, state.starts, state.spares, state.metrics]) {
    if (makeFolders(folder)) log.warn({ folder }, 'a folder was made again');
  }
  if (!existsSync(file.socket)) {
    log.warn({ path: file.socket }, 'the socket was gone; it is made again');
    // Connections that are there stay: only the listening socket is closed.
    server.close();
    await listenOn(server, file.socket, uid);
  }
  if (!ownDaemonFile(state.folder, file)) {
    log.warn('daemon.json was gone or another one; it is written again');
    writeDaemonFile(state.folder, file);
  }
};

const inodeOf = (file: string): number | null => statSync(file, { throwIfNoEntry: false })?.ino ?? null;
