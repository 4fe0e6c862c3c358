import { mkdirSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { Orca } from './orca.ts';
import { fillUp, Tmpfs } from './tmpfs.ts';

/** An orca whose state folder is on a small disk of its own, which can be filled. */
export interface SmallDisk {
  readonly orca: Orca;
  /** A folder of the test that is not on the disk. */
  readonly outside: string;
  /** Writes until nothing fits any more, to the last byte. */
  readonly fill: () => void;
  /** Leaves so many bytes. */
  readonly leave: (bytes: number) => void;
  /** There is room again. */
  readonly makeRoom: () => void;
}

export const smallDisk = (t: TestContext, size: string, env: NodeJS.ProcessEnv = {}): SmallDisk => {
  const outside = mkdtempSync(join(tmpdir(), 'orca-outside-'));
  const disk = new Tmpfs(join(outside, 'disk'), size);
  const filler = join(disk.folder, 'filler');
  const makeRoom = (): void => rmSync(filler, { force: true });
  // First of all, so that what follows can end.
  t.after(makeRoom);
  const folder = join(disk.folder, 'orca');
  mkdirSync(folder);
  const orca = new Orca(t, env, folder);
  t.after(async () => {
    await disk.unmount();
    rmSync(outside, { recursive: true, force: true });
  });
  const leave = (bytes: number): void => {
    const { bsize, bfree } = statfsSync(disk.folder);
    writeFileSync(filler, Buffer.alloc(bsize * bfree - bytes));
  };
  return { orca, outside, fill: () => fillUp(filler), leave, makeRoom };
};
