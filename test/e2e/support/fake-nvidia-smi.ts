import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A program called `nvidia-smi` in a folder of its own, which is to be first on PATH; it says what files say. */
export class FakeNvidiaSmi {
  readonly bin: string;

  constructor(folder: string, list: string) {
    this.bin = join(folder, 'smi');
    mkdirSync(this.bin, { recursive: true });
    const file = join(this.bin, 'nvidia-smi');
    writeFileSync(
      file,
      `#!/bin/sh
echo "$1" >>'${this.bin}/asked'
[ ! -e '${this.bin}/hangs' ] || exec sleep 1000
case $1 in
-L) cat '${this.bin}/list'; exit "$(cat '${this.bin}/status')" ;;
--query-compute-apps=*) cat '${this.bin}/processes' ;;
*) echo "unknown: $*"; exit 2 ;;
esac
`,
    );
    chmodSync(file, 0o755);
    this.set({ list, processes: '', status: '0' });
  }

  /** `/usr/bin` and the like come after it. */
  get path(): string {
    return `${this.bin}:${process.env['PATH'] ?? ''}`;
  }

  set(files: Readonly<Partial<Record<'list' | 'processes' | 'status' | 'hangs', string>>>): void {
    for (const [name, text] of Object.entries(files)) writeFileSync(join(this.bin, name), text);
  }

  /** The first argument of each time that it was asked. */
  get asked(): string[] {
    const file = join(this.bin, 'asked');
    return existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];
  }
}
