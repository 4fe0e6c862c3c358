import { mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';

/** A small machine within this one: cgroups of version 1 with a memory limit, without swap where the kernel counts that. */
export class Box {
  readonly #memory: string;
  readonly #cpu: string;

  /** Throws where this machine does not let us make them. */
  constructor(name: string, limitBytes: number) {
    this.#memory = join('/sys/fs/cgroup/memory', name);
    this.#cpu = join('/sys/fs/cgroup/cpuacct', name);
    for (const folder of [this.#memory, this.#cpu]) mkdirSync(folder);
    writeFileSync(join(this.#memory, 'memory.limit_in_bytes'), String(limitBytes));
    try {
      writeFileSync(join(this.#memory, 'memory.memsw.limit_in_bytes'), String(limitBytes));
    } catch {
      // Without swap accounting; a machine without swap needs none.
    }
  }

  /** Makes this very process, and all that it starts from now on, part of it. */
  enter(): void {
    for (const folder of [this.#memory, this.#cpu]) writeFileSync(join(folder, 'cgroup.procs'), String(process.pid));
  }

  leave(): void {
    for (const folder of ['/sys/fs/cgroup/memory', '/sys/fs/cgroup/cpuacct'])
      writeFileSync(join(folder, 'cgroup.procs'), String(process.pid));
  }

  get cpuSeconds(): number {
    return Number(readFileSync(join(this.#cpu, 'cpuacct.usage'), 'utf8')) / 1e9;
  }

  /** How many processes the kernel has killed in it for memory. */
  get killed(): number {
    return Number(/^oom_kill (\d+)$/m.exec(readFileSync(join(this.#memory, 'memory.oom_control'), 'utf8'))?.[1] ?? 0);
  }

  /** Once the last process has left. */
  async [Symbol.asyncDispose](): Promise<void> {
    for (const folder of [this.#memory, this.#cpu]) {
      for (let tries = 0; ; tries += 1) {
        try {
          rmdirSync(folder);
          break;
        } catch (cause) {
          if (tries > 300) throw cause;
          await setTimeout(100);
        }
      }
    }
  }
}
