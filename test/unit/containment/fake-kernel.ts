import { basename, dirname, join } from 'node:path';
import type { CgroupFs } from '../../../src/containment/cgroup-fs.ts';

interface Group {
  readonly files: Map<string, string>;
  readonly procs: Set<string>;
  on: Set<string>;
}

export interface KernelOptions {
  /** The top is the machine's own: processes may stay beside cgroups. Else a container's. */
  readonly hostRoot?: boolean;
  readonly controllers?: readonly string[];
  /** Files of the memory controller that this kernel does not have. */
  readonly lacks?: readonly string[];
}

const memoryFileNames = [
  'memory.high',
  'memory.max',
  'memory.low',
  'memory.oom.group',
  'memory.swap.max',
  'memory.peak',
];

/** A cgroup v2 hierarchy in memory that refuses what the kernel refuses, with its error codes. */
export class FakeKernel implements CgroupFs {
  readonly top: string;
  readonly groups = new Map<string, Group>();
  /** Files outside the hierarchy (`/proc`). */
  readonly others = new Map<string, string>();
  /** Codes that a change of exactly that path is refused with, whatever else holds. */
  readonly refusals = new Map<string, string>();
  readonly unwritable = new Set<string>();
  /** Called before each write to a `cgroup.procs`: what happens meanwhile. */
  meanwhile: (pid: string) => void = () => undefined;
  readonly #options: KernelOptions;

  constructor(top: string, options: KernelOptions = {}) {
    this.top = top;
    this.#options = options;
    this.groups.set(top, { files: new Map(), procs: new Set(), on: new Set() });
    if (options.hostRoot !== true) this.group(top).files.set('cgroup.type', 'domain\n');
  }

  group(folder: string): Group {
    const found = this.groups.get(folder);
    if (found === undefined) throw new Error(`the fake kernel has no cgroup ${folder}`);
    return found;
  }

  /** Makes a cgroup with its missing parents, all controllers given, and puts processes into it. */
  place(folder: string, ...pids: string[]): void {
    if (folder !== this.top && !this.groups.has(folder)) {
      this.place(dirname(folder));
      for (const name of this.#offeredAt(dirname(folder))) this.group(dirname(folder)).on.add(name);
      this.mkdir(folder);
    }
    for (const pid of pids) this.group(folder).procs.add(pid);
  }

  read(file: string): string | null {
    const group = this.groups.get(dirname(file));
    if (group === undefined) return this.others.get(file) ?? null;
    const name = basename(file);
    if (name === 'cgroup.procs') return [...group.procs].map((pid) => `${pid.startsWith('0') ? '0' : pid}\n`).join('');
    if (name === 'cgroup.subtree_control') return `${[...group.on].join(' ')}\n`;
    if (name === 'cgroup.controllers') return `${this.#offeredAt(dirname(file)).join(' ')}\n`;
    return group.files.get(name) ?? null;
  }

  write(file: string, text: string): string | null {
    const refused = this.refusals.get(file);
    if (refused !== undefined) return refused;
    const group = this.groups.get(dirname(file));
    if (group === undefined) return 'ENOENT';
    const name = basename(file);
    if (name === 'cgroup.procs') return this.#move(group, text);
    if (name === 'cgroup.subtree_control') return this.#turnOn(dirname(file), group, text.slice(1));
    if (!group.files.has(name)) return 'ENOENT';
    group.files.set(name, text);
    return null;
  }

  mkdir(folder: string): string | null {
    const refused = this.refusals.get(folder);
    if (refused !== undefined) return refused;
    if (this.groups.has(folder)) return 'EEXIST';
    const files = new Map([['cgroup.type', 'domain\n']]);
    this.groups.set(folder, { files, procs: new Set(), on: new Set() });
    this.#giveFiles(folder);
    return null;
  }

  rmdir(folder: string): string | null {
    const refused = this.refusals.get(folder);
    if (refused !== undefined) return refused;
    const group = this.groups.get(folder);
    if (group === undefined) return 'ENOENT';
    if (group.procs.size > 0 || this.folders(folder)?.length !== 0) return 'EBUSY';
    this.groups.delete(folder);
    return null;
  }

  folders(folder: string): string[] | null {
    if (!this.groups.has(folder)) return null;
    return [...this.groups.keys()].flatMap((path) =>
      path !== folder && dirname(path) === folder ? [basename(path)] : [],
    );
  }

  mayWrite(file: string): boolean {
    return !this.unwritable.has(file);
  }

  #offeredAt(folder: string): readonly string[] {
    if (folder === this.top) return this.#options.controllers ?? ['cpu', 'io', 'memory', 'pids'];
    return [...this.group(dirname(folder)).on];
  }

  #move(group: Group, pid: string): string | null {
    this.meanwhile(pid);
    const from = [...this.groups.values()].find(({ procs }) => procs.has(pid));
    if (from === undefined) return 'ESRCH';
    if (pid.startsWith('9')) return 'EINVAL'; // A thread of the kernel.
    from.procs.delete(pid);
    group.procs.add(pid);
    return null;
  }

  #turnOn(folder: string, group: Group, name: string): string | null {
    if (!this.#offeredAt(folder).includes(name)) return 'ENOENT';
    if (group.procs.size > 0 && !(folder === this.top && this.#options.hostRoot === true)) return 'EBUSY';
    group.on.add(name);
    for (const inner of this.folders(folder) ?? []) this.#giveFiles(join(folder, inner));
    return null;
  }

  #giveFiles(folder: string): void {
    const { files } = this.group(folder);
    const offered = this.#offeredAt(folder);
    const names = [
      ...(offered.includes('memory') ? memoryFileNames : []),
      ...(offered.includes('cpu') ? ['cpu.weight'] : []),
    ];
    for (const name of names)
      if (!files.has(name) && this.#options.lacks?.includes(name) !== true) files.set(name, 'max\n');
  }
}
