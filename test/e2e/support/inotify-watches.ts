import { readFileSync, readdirSync } from 'node:fs';

/** How many inotify watches a process has with the kernel. */
export const inotifyWatches = (pid: number | 'self'): number =>
  readdirSync(`/proc/${pid}/fdinfo`).reduce((sum, fd) => sum + watchesOf(`/proc/${pid}/fdinfo/${fd}`), 0);

const watchesOf = (file: string): number => {
  try {
    return readFileSync(file, 'utf8').match(/^inotify wd:/gm)?.length ?? 0;
  } catch {
    // Closed meanwhile.
    return 0;
  }
};
