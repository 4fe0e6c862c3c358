import { watch, type FSWatcher } from 'node:fs';

/** Looks after adopted starts, whose ends no resident reports to this daemon. */
export interface ExitWatch {
  add(folder: string): void;
  remove(folder: string): void;
  close(): void;
}

/**
 * Calls `look` once when a folder is added, and soon after something changed in it, at most once a turn for each. The watcher is known to
 * drop events, and a folder may not be watchable (no watches left): who must not miss anything looks every few seconds besides.
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
    close() {
      for (const folder of [...watched.keys()]) this.remove(folder);
    },
  };
}
