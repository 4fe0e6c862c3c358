import { watch } from 'node:fs';

/**
 * Calls `changed` once when a file of the kernel says that it changed; gives what ends the watch, or null where there can be none (the
 * machine's watches are used up: ENOSPC, EMFILE; or the file is gone). After the call, or an error, the watch is over. Events may be lost:
 * who must not miss any looks now and then besides.
 */
export const watchOnce = (file: string, changed: () => void): (() => void) | null => {
  try {
    const watcher = watch(file, { persistent: false });
    const end = (): void => {
      watcher.close();
    };
    const heard = (): void => {
      end();
      changed();
    };
    watcher.once('change', heard);
    watcher.once('error', heard);
    return end;
  } catch {
    return null;
  }
};
