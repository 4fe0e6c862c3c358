import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compileEat } from './eat.ts';
import type { Job } from './job.ts';

/** Runs the job on this machine itself; gives its status. */
export const runHere = (root: string, cgroup: string, job: Job): number => {
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
    const words = [...job.options, join(root, job.source), ...job.args];
    return spawnSync(process.execPath, words, { stdio: 'inherit', env }).status ?? 1;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};
