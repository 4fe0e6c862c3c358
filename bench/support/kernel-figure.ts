import { mkdirSync, readFileSync, rmdirSync } from 'node:fs';
import { join } from 'node:path';

/** What the kernel itself counts of a program's memory and CPU, by cgroups of version 1 that it enters as its first act. */
export class KernelFigure {
  readonly #folders: readonly string[];

  /** Null where this machine has no such cgroups, or does not let us make them. */
  static make(name: string): KernelFigure | null {
    const folders = ['memory', 'cpuacct'].map((controller) => join('/sys/fs/cgroup', controller, name));
    try {
      for (const folder of folders) mkdirSync(folder);
      return new KernelFigure(folders);
    } catch {
      return null;
    }
  }

  private constructor(folders: readonly string[]) {
    this.#folders = folders;
  }

  /** The command that enters them and becomes `command`. */
  around(command: readonly string[]): string[] {
    const entering = this.#folders.map((folder) => `echo $$ >'${folder}/cgroup.procs'`);
    return ['sh', '-c', [...entering, 'exec "$@"'].join('; '), 'sh', ...command];
  }

  get peakBytes(): number {
    return this.#number('memory.max_usage_in_bytes');
  }

  get cpuSeconds(): number {
    return this.#number('cpuacct.usage') / 1e9;
  }

  #number(file: string): number {
    const folder = this.#folders[file.startsWith('memory') ? 0 : 1] ?? '';
    return Number(readFileSync(join(folder, file), 'utf8'));
  }

  [Symbol.dispose](): void {
    for (const folder of this.#folders) rmdirSync(folder);
  }
}
