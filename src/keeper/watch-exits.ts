import { watch, type FSWatcher } from 'node:fs';

/** Looks after adopted starts, whose ends no resident reports to this daemon. */
export interface ExitWatch {
  add(folder: string): void;
  remove(folder: string): void;
  /** Has every watched folder looked at; to be called every few seconds, since the watcher is known to drop events. */
  poll(): void;
  close(): void;
}

/**
 * Calls `look` soon after something changed in a watched folder, at most once a turn for each, and at every `poll`.
 * A folder that cannot be watched (no watches left) is served by `poll` alone.
 */
export function watchExits(look: (folder: string) => void): ExitWatch {
  const watched = new Map<string, FSWatcher | null>();
  const due = new Set<string>();
  const changed = (folder: string): void => {
    if (due.has(folder)) return;
    due.add(folder);
    setImmediate(() => {
      due.delete(folder);
      if (watched.has(folder)) look(folder);
    });
  };
  const drop = (folder: string): void => {
    watched.get(folder)?.close();
    watched.set(folder, null);
  };
  return {
    add(folder) {
      if (watched.has(folder)) return;
      watched.set(folder, null);
      try {
        const watcher = watch(folder, { persistent: false }, () => changed(folder));
        watcher.on('error', () => drop(folder));
        watched.set(folder, watcher);
      } catch {
        // ENOSPC, EMFILE: the machine's watches are used up.
      }
      // What happened before the watch began is seen now.
      changed(folder);
    },
    remove(folder) {
      drop(folder);
      watched.delete(folder);
    },
    poll() {
      for (const folder of [...watched.keys()]) look(folder);
    },
    close() {
      for (const folder of [...watched.keys()]) this.remove(folder);
    },
  };
}
