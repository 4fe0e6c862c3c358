import { readFileSync, readdirSync } from 'node:fs';

/** CPU time of a process's threads so far, in nanoseconds as the scheduler counts: a tick of 10 ms is a lot for one that rests. */
export const cpuSeconds = (pid: number): number =>
  readdirSync(`/proc/${pid}/task`).reduce((sum, thread) => sum + ranFor(`/proc/${pid}/task/${thread}/schedstat`), 0) /
  1e9;

const ranFor = (file: string): number => Number(readFileSync(file, 'utf8').split(' ')[0]);
