import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, readdirSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { until } from '../../native/support/until.ts';
import { baseCgroup } from './place.ts';

/** Files to write, in order: `{ 'memory.max': '32M' }`. */
export type Settings = Readonly<Record<string, string>>;

export interface CgroupOptions {
  /** Its name; one that is there already is taken over. */
  readonly name?: string;
  /** Whether the memory controller is given to it. */
  readonly memory?: boolean;
}

/** A cgroup of a test, made by hand. Disposing of it ends what is in it and removes it with those below. */
export class Cgroup {
  readonly path: string;

  constructor(settings: Settings = {}, parent: string = baseCgroup, { name, memory = true }: CgroupOptions = {}) {
    if (memory) writeFileSync(join(parent, 'cgroup.subtree_control'), '+memory');
    this.path = join(parent, name ?? `test-${randomBytes(4).toString('hex')}`);
    mkdirSync(this.path, { recursive: true });
    for (const [name, value] of Object.entries(settings)) writeFileSync(join(this.path, name), value);
  }

  /** One below this. */
  child(settings: Settings = {}): Cgroup {
    return new Cgroup(settings, this.path);
  }

  read(name: string): string {
    return readFileSync(join(this.path, name), 'utf8');
  }

  /** A count of `memory.events` or of another file of that form; -1 when it is not in it. */
  count(key: string, name = 'memory.events'): number {
    return countIn(this.read(name), key);
  }

  pids(): number[] {
    return this.read('cgroup.procs').split('\n').filter(Boolean).map(Number);
  }

  /** Moves a process into it. */
  put(pid: number): void {
    writeFileSync(join(this.path, 'cgroup.procs'), String(pid));
  }

  async until(what: string, ask: () => boolean, deadlineMs?: number): Promise<void> {
    await until(`${what} in ${this.path}`, ask, deadlineMs);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (!existsSync(this.path)) return;
    writeFileSync(join(this.path, 'cgroup.kill'), '1');
    await this.until('no process', () => this.count('populated', 'cgroup.events') === 0);
    removeWithin(this.path);
  }
}

/** The count after a key in text of the form of `memory.events`; -1 when the key is not in it. */
export const countIn = (text: string, key: string): number =>
  Number(new RegExp(`^${key} (\\d+)$`, 'm').exec(text)?.[1] ?? -1);

const removeWithin = (folder: string): void => {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.isDirectory()) removeWithin(join(folder, entry.name));
  }
  rmdirSync(folder);
};

/** The cgroup that a process is in, as the kernel names it. */
export const cgroupOfProcess = (pid: number | 'self'): string => cgroupIn(readFileSync(`/proc/${pid}/cgroup`, 'utf8'));

/** The cgroup of version 2 in the text of a `/proc/<pid>/cgroup`. */
export const cgroupIn = (text: string): string => /^0::(.*)$/m.exec(text)?.[1] ?? '';
