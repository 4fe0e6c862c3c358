import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { program } from '../../e2e/support/orca.ts';
import { until } from '../../native/support/until.ts';
import { cgroupOfProcess, type Cgroup } from './cgroup.ts';
import { quickDeath } from './shell.ts';

/** What a container's start does, without images: namespaces of its own, their `/proc` and cgroup mount, and the command as pid 1. */
const around = ['/usr/bin/unshare', '--mount', '--cgroup', '--pid', '--fork', '--kill-child'];
const begin = `read again; exec </dev/null; umount /sys/fs/cgroup; mount -t cgroup2 none /sys/fs/cgroup && mount -t proc proc /proc && exec "$@"`;

/** `orca daemon` as the command of a container, on a state folder that outlives it. */
export class Container {
  readonly #child: ChildProcess;
  readonly #cgroup: Cgroup;
  readonly #state: string;
  #output = '';

  private constructor(cgroup: Cgroup, state: string) {
    this.#cgroup = cgroup;
    this.#state = state;
    mkdirSync(state, { recursive: true, mode: 0o700 });
    const command = [...around, 'sh', '-c', begin, 'sh', process.execPath, program, 'daemon'];
    this.#child = spawn('sh', ['-c', 'read go; exec "$@"', 'sh', ...command], {
      stdio: ['pipe', 'pipe', 'pipe'],
      env: { PATH: process.env['PATH'], HOME: state, ORCA_HOME: state, ...quickDeath },
    });
    for (const stream of [this.#child.stdout, this.#child.stderr])
      stream?.on('data', (piece: Buffer) => (this.#output += piece.toString()));
    if (this.#child.pid === undefined) throw new Error('no shell can be started');
    cgroup.put(this.#child.pid);
    this.#child.stdin?.write('go\n');
  }

  /** Starts one, and waits until its pid 1 is all that is in its cgroup: `unshare` stays outside of the namespaces, and so waits elsewhere. */
  static async start(cgroup: Cgroup, state: string): Promise<Container> {
    const container = new Container(cgroup, state);
    const pid = container.#child.pid ?? 0;
    await until('pid 1', () => textOf(`/proc/${pid}/task/${pid}/children`) !== '', 30_000);
    writeFileSync(join('/sys/fs/cgroup', cgroupOfProcess('self'), 'cgroup.procs'), String(pid));
    container.#child.stdin?.end('again\n');
    return container;
  }

  /** What `docker logs` would show. */
  get output(): string {
    return this.#output;
  }

  /** The pid that the daemon has inside, once one other than `before` serves. */
  served(before: number | null = null): Promise<number> {
    return until(
      `a daemon in the container; it said ${this.#output}`,
      () => {
        const file = join(this.#state, 'daemon.json');
        if (!this.#output.includes('"serving"') || !existsSync(file)) return null;
        const { pid } = JSON.parse(readFileSync(file, 'utf8')) as { pid: number };
        return pid === before ? null : pid;
      },
      90_000,
    );
  }

  /** What is in its leaf, by pids out here: pid 1, then its children, then theirs. */
  members(): { readonly pid: number; readonly inside: number; readonly parent: number; readonly name: string }[] {
    const pids = readFileSync(join(this.#cgroup.path, 'orca/cgroup.procs'), 'utf8').split('\n').filter(Boolean);
    return pids.flatMap((pid) => {
      const status = textOf(`/proc/${pid}/status`);
      const field = (name: string): string => new RegExp(`^${name}:\t(.*)$`, 'm').exec(status)?.[1] ?? '';
      const inside = Number(field('NSpid').split('\t').at(1));
      return Number.isNaN(inside)
        ? []
        : [{ pid: Number(pid), inside, parent: Number(field('PPid')), name: textOf(`/proc/${pid}/cmdline`) }];
    });
  }

  /** A process by its pid inside; as `docker stop` does it for 1. */
  signal(inside: number, signal: NodeJS.Signals): void {
    const found = this.members().find((member) => member.inside === inside);
    if (found === undefined) throw new Error(`the container has no process ${inside}`);
    process.kill(found.pid, signal);
  }

  /** Its exit status, once it has ended. */
  async status(): Promise<number | NodeJS.Signals | null> {
    const ended = (): boolean => this.#child.exitCode !== null || this.#child.signalCode !== null;
    await until(`the container to end; it said ${this.#output}`, ended, 60_000);
    return this.#child.exitCode ?? this.#child.signalCode;
  }
}

const textOf = (file: string): string => {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
};
