import { closeSync, cpSync, mkdirSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Cannot } from './cannot.ts';
import { outputOf } from './command.ts';

/** What shall lie in the guest: the path there, and the file or folder here, or the text. */
export type Entry = { readonly to: string; readonly from: string } | { readonly to: string; readonly text: string };

/** Packs entries into an archive that the kernel unpacks as its first file system. */
export const writeArchive = (file: string, entries: readonly Entry[]): void => {
  const root = mkdtempSync(join(tmpdir(), 'orca-vm-'));
  try {
    for (const entry of entries) {
      const path = join(root, entry.to);
      mkdirSync(dirname(path), { recursive: true });
      if ('text' in entry) writeFileSync(path, entry.text);
      else cpSync(entry.from, path, { recursive: true, dereference: true });
    }
    const names = outputOf('find', ['.'], { cwd: root });
    const out = openSync(file, 'w');
    // Not compressed: unpacking is work of the emulated processor, reading is not.
    const { status, stderr } = spawnSync('cpio', ['-o', '-H', 'newc', '-R', '0:0', '--quiet'], {
      cwd: root,
      input: names,
      stdio: ['pipe', out, 'pipe'],
    });
    closeSync(out);
    if (status !== 0) throw new Cannot(`cpio ended with ${status}: ${String(stderr)}`);
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
};
