import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compileEat } from './suite.ts';

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

/** Runs the suite on this machine itself; gives its status. */
export const runHere = (root: string, cgroup: string, args: readonly string[]): number => {
  const folder = mkdtempSync(join(tmpdir(), 'orca-vm-'));
  try {
    compileEat(root, join(folder, 'eat'));
    const env = {
      ...process.env,
      ORCA_TEST_CGROUP: cgroup,
      ORCA_TEST_EAT: join(folder, 'eat'),
      ORCA_TEST_KEEP: join(root, 'native/build/orca-keep'),
      ORCA_TEST_DISK: folder,
    };
    const suite = [...args, join(root, 'test/vm/suite.ts')];
    return spawnSync(process.execPath, ['--test-reporter=spec', ...suite], { stdio: 'inherit', env }).status ?? 1;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};
