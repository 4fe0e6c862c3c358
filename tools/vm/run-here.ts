import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compileEat } from './eat.ts';

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
    const options = ['--test-reporter=spec', '--test-timeout=120000', '--test-force-exit', ...args];
    return (
      spawnSync(process.execPath, [...options, join(root, 'test/vm/suite.ts')], { stdio: 'inherit', env }).status ?? 1
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};
