import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Cgroup } from './cgroup.ts';
import { eat } from './place.ts';

/** Processes die for memory in a cgroup that is none of orca's; when the first is dead, and others are dying, something is done. */
export const duringStorm = async (act: () => void | Promise<void>): Promise<void> => {
  await using cgroup = new Cgroup({ 'memory.max': '16M' });
  const child = spawn('sh', ['-c', `echo $$ >'${cgroup.path}/cgroup.procs'; exec '${eat}' fork 4 anon 24M`]);
  const closed = once(child, 'close');
  await cgroup.until('the first of several kills for memory', () => cgroup.count('oom_kill') > 0);
  await act();
  await closed;
};
