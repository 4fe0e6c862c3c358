import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const words = (file: string): string[] => (existsSync(file) ? readFileSync(file, 'utf8').trim().split(/\s+/) : []);

/**
 * The cgroup of this process, when it is this machine's own to make others in, with the memory controller; else null. A cgroup with
 * processes gives no controller to those below it, so they move to a leaf first.
 */
export const ownCgroup = (mount = '/sys/fs/cgroup', proc = '/proc'): string | null => {
  const line = readFileSync(join(proc, 'self/cgroup'), 'utf8')
    .split('\n')
    .find((text) => text.startsWith('0::'));
  if (line === undefined || process.getuid?.() !== 0) return null;
  const own = join(mount, line.slice('0::'.length));
  if (!words(join(own, 'cgroup.controllers')).includes('memory')) return null;
  const control = join(own, 'cgroup.subtree_control');
  if (words(control).includes('memory')) return own;
  try {
    const leaf = join(own, 'orca-test');
    mkdirSync(leaf, { recursive: true });
    for (const pid of words(join(own, 'cgroup.procs')).filter(Boolean)) writeFileSync(join(leaf, 'cgroup.procs'), pid);
    writeFileSync(control, '+memory');
    return own;
  } catch {
    return null;
  }
};
