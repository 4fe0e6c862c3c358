import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { closeSync, mkdirSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from './until.ts';

/** A small file system in memory at a folder, which is made; `unmount` before the folder is removed. */
export class Tmpfs {
  readonly folder: string;

  constructor(folder: string, size: string) {
    this.folder = folder;
    mkdirSync(folder, { recursive: true });
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size},mode=700`, 'orca-test', folder], { stdio: 'pipe' });
  }

  makeReadOnly(): void {
    execFileSync('mount', ['-o', 'remount,ro', this.folder]);
  }

  /** Once nothing there is in use any more. */
  async unmount(): Promise<void> {
    await until(() => (spawnSync('umount', [this.folder]).status === 0 ? true : null), `${this.folder} is unmounted`);
  }
}

/** Why no such file system can be had, for `skip`; false when it can. Throws when `tmpfs` is required (ORCA_TEST_REQUIRE). */
export const tmpfsMissing = async (required: string | undefined): Promise<string | false> => {
  const folder = mkdtempSync(join(tmpdir(), 'orca-tmpfs-'));
  try {
    await new Tmpfs(folder, '64k').unmount();
    return false;
  } catch (cause) {
    const why = `a tmpfs cannot be mounted here (${cause instanceof Error ? cause.message.split('\n')[0] : ''})`;
    if ((required ?? '').split(',').includes('tmpfs')) throw new Error(`${why}, and ORCA_TEST_REQUIRE names tmpfs`);
    return why;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

/** Writes to a file until nothing fits any more, to the last byte. */
export const fillUp = (file: string): void => {
  const descriptor = openSync(file, 'a');
  for (const size of [65536, 4096, 1]) {
    try {
      for (;;) writeSync(descriptor, Buffer.alloc(size));
    } catch (error) {
      assert.match(String(error), /ENOSPC/);
    }
  }
  closeSync(descriptor);
};
