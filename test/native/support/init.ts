import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { keepBinary } from './binary.ts';
import { encode, type Pair } from './frames.ts';
import { withEnv } from './processes.ts';
import { until } from './until.ts';

const namespace = ['unshare', '--pid', '--fork', '--mount-proc', '--kill-child'] as const;

/** Why there can be no pid namespace here, for `skip`; false when there can. */
export const withoutNamespaces = (): string | false => {
  const [file, ...args] = namespace;
  return spawnSync(file, [...args, 'true']).status === 0 ? false : 'no pid namespace can be made here';
};

/**
 * `orca-keep init` with a piece of `sh` as its daemon, in `$DIR`; `send NAME` there puts a frame of `frame(NAME, …)` into the stream.
 * Every start of the daemon is a line in `starts`. Disposing of it ends everything, and fails when something was left behind.
 */
export class Init {
  readonly dir = mkdtempSync(join(tmpdir(), 'orca-native-'));
  readonly token = randomUUID();
  readonly #out: Buffer[] = [];
  #child: ChildProcess | null = null;

  /** Writes a frame down for the daemon's `send`. */
  frame(name: string, verb: string, pairs: readonly Pair[]): void {
    writeFileSync(join(this.dir, `${name}.frame`), encode(verb, pairs));
  }

  /** A daemon's program in the form of a `program` or `handover` frame. */
  program(name: string, script: string): Pair[] {
    const path = join(this.dir, `${name}.sh`);
    const send = `send() { cat "$DIR/$1.frame" >&3; }`;
    writeFileSync(path, `${send}\necho "${name} $$" >> "$DIR/starts"; echo "a line of ${name}"\n${script}\n`);
    return [
      ['arg', 'sh'],
      ['arg', path],
      ...Object.entries(this.#env()).map(([key, value]): Pair => ['env', `${key}=${value}`]),
      ['log', join(this.dir, `${name}.log`)],
    ];
  }

  #env(): Record<string, string> {
    return { PATH: process.env['PATH'] ?? '', DIR: this.dir, ORCA_NATIVE_TEST: this.token };
  }

  /** Starts it with the script as its daemon, in a pid namespace of its own as pid 1 or in this one. */
  begin(script: string, where: 'as pid 1' | 'here' = 'here'): void {
    this.frame('program', 'program', this.program('daemon', script));
    const argv = [keepBinary(), 'init', this.dir, 'sh', join(this.dir, 'daemon.sh')];
    const [file = '', ...args] = where === 'here' ? argv : [...namespace, ...argv];
    this.#child = spawn(file, args, { stdio: ['ignore', 'pipe', 'inherit'], env: { ...process.env, ...this.#env() } });
    this.#child.stdout?.on('data', (piece: Buffer) => this.#out.push(piece));
  }

  /** Of the init itself, where it is not in a namespace. */
  get pid(): number {
    return this.#child?.pid ?? 0;
  }

  get output(): string {
    return Buffer.concat(this.#out).toString();
  }

  /** Names of the daemons that were started, in order. */
  starts(): string[] {
    const path = join(this.dir, 'starts');
    return existsSync(path) ? readFileSync(path, 'utf8').trim().split('\n') : [];
  }

  text(name: string): string | null {
    const path = join(this.dir, name);
    return existsSync(path) ? readFileSync(path, 'utf8') : null;
  }

  /** A request to start a command, for `frame`; its folder is made. */
  start(script: string): { readonly folder: string; readonly pairs: Pair[] } {
    const folder = join(this.dir, '1.1');
    mkdirSync(folder);
    const uuid = randomUUID();
    const values = { folder, run: '1', start: '1', uuid, cwd: this.dir, stdin: '/dev/null' };
    const out = join(this.dir, 'out');
    const env = { ...this.#env(), ORCA_START: uuid };
    return {
      folder,
      pairs: [
        ...Object.entries(values),
        ...['sh', '-c', script].map((arg): Pair => ['arg', arg]),
        ...Object.entries(env).map(([key, value]): Pair => ['env', `${key}=${value}`]),
        ['stdout', out],
        ['stderr', out],
      ],
    };
  }

  /** Its exit status, once it has one. */
  async status(): Promise<number | NodeJS.Signals | null> {
    await until('the init to end', () => this.#child?.exitCode !== null || this.#child.signalCode !== null);
    return this.#child?.exitCode ?? this.#child?.signalCode ?? null;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#child?.kill('SIGKILL');
    await until('nothing to be left', () => {
      // Each time: one that was just being forked when the others were looked for is there only now.
      const left = withEnv(`ORCA_NATIVE_TEST=${this.token}`);
      for (const pid of left) killIfThere(pid);
      return left.length === 0;
    });
    rmSync(this.dir, { recursive: true });
  }
}

const killIfThere = (pid: number): void => {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended by itself meanwhile.
  }
};
