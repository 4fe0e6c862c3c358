import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { keepBinary } from './binary.ts';
import { decode, encode, type Frame, type Pair } from './frames.ts';
import { isAlive, withEnv } from './processes.ts';
import { until } from './until.ts';

export interface StartOptions {
  readonly start?: number;
  readonly env?: Readonly<Record<string, string>>;
  /** Keys that replace the ordinary ones of their name, or come besides. */
  readonly keys?: readonly Pair[];
  /** Ordinary keys to leave out. */
  readonly without?: readonly string[];
}

export interface Started {
  readonly run: number;
  readonly uuid: string;
  readonly folder: string;
  readonly out: string;
  readonly err: string;
}

/** The exit record, as a test looks at it. */
export type Record_ = Readonly<Record<string, unknown>> & {
  readonly how: string;
  readonly code: number | null;
  readonly signal: number | null;
  readonly failed: { readonly stage: string; readonly errno: number; readonly message: string } | null;
  readonly marks: readonly { readonly mark: string; readonly oom_kill: number | null; readonly text: string }[];
};

/** A resident with a test in the daemon's place. Disposing of it ends everything, and fails when something was left behind. */
export class Resident {
  readonly dir = mkdtempSync(join(tmpdir(), 'orca-native-'));
  readonly token = randomUUID();
  readonly frames: Frame[] = [];
  readonly child: ChildProcess;
  readonly stream: Socket;
  #rest: Buffer = Buffer.alloc(0);
  #runs = 0;

  constructor() {
    this.child = spawn(keepBinary(), ['resident', this.dir], {
      // Descriptor 4 is what a careless daemon left open: no run may have it.
      stdio: ['ignore', 'ignore', 'inherit', 'pipe', 'pipe'],
      env: { ...process.env, ORCA_NATIVE_TEST: this.token },
    });
    this.stream = this.child.stdio[3] as Socket;
    this.stream.on('error', () => undefined);
    this.stream.on('data', (bytes: Buffer) => {
      const { frames, rest } = decode(Buffer.concat([this.#rest, bytes]));
      this.#rest = rest;
      this.frames.push(...frames);
    });
  }

  get pid(): number {
    return this.child.pid ?? 0;
  }

  get exited(): boolean {
    return this.child.exitCode !== null || this.child.signalCode !== null;
  }

  send(verb: string, pairs: readonly Pair[] = []): void {
    this.stream.write(encode(verb, pairs));
  }

  /** Makes a start folder and the keys of a request for it, without sending it. */
  prepare(argv: readonly (string | Buffer)[], options: StartOptions = {}): { started: Started; pairs: Pair[] } {
    const run = ++this.#runs;
    const start = options.start ?? 1;
    const folder = join(this.dir, 'starts', `${run}.${start}`);
    mkdirSync(folder, { recursive: true });
    const uuid = randomUUID();
    const out = join(this.dir, `${run}.out`);
    const err = join(this.dir, `${run}.err`);
    const env = { PATH: process.env['PATH'] ?? '', ORCA_START: uuid, ORCA_NATIVE_TEST: this.token, ...options.env };
    const ordinary: Pair[] = [
      ['folder', folder],
      ['run', String(run)],
      ['start', String(start)],
      ['uuid', uuid],
      ['cwd', this.dir],
      ...argv.map((arg): Pair => ['arg', arg]),
      ...Object.entries(env).map(([name, value]): Pair => ['env', `${name}=${value}`]),
      ['stdin', '/dev/null'],
      ['stdout', out],
      ['stderr', err],
    ];
    const keys = options.keys ?? [];
    const replaced = new Set([...keys.map(([key]) => key), ...(options.without ?? [])]);
    const pairs = [...ordinary.filter(([key]) => !replaced.has(key)), ...keys];
    return { started: { run, uuid, folder, out, err }, pairs };
  }

  start(argv: readonly (string | Buffer)[], options: StartOptions = {}): Started {
    const { started, pairs } = this.prepare(argv, options);
    this.send('start', pairs);
    return started;
  }

  sh(script: string, options: StartOptions = {}): Started {
    return this.start(['sh', '-c', script], options);
  }

  frame(verb: string, started?: Started, deadlineMs?: number): Promise<Frame> {
    const what = `frame ${verb} of run ${started?.run ?? '-'}; got ${this.frames.map((f) => f.verb).join(' ')}`;
    const of = (f: Frame): boolean => f.verb === verb && (!started || f.get('run') === String(started.run));
    return until(what, () => this.frames.find(of), deadlineMs);
  }

  async ended(started: Started, deadlineMs?: number): Promise<Record_> {
    const frame = await this.frame('ended', started, deadlineMs);
    return JSON.parse(frame.get('record') ?? '') as Record_;
  }

  /** The pid record, once it is there. */
  pids(started: Started): Promise<{ keeper: number; command: number }> {
    return until('the pid record', () => {
      const path = join(started.folder, 'pid');
      if (!existsSync(path)) return null;
      const record = JSON.parse(readFileSync(path, 'utf8')) as { keeper: { pid: number }; command: { pid: number } };
      return { keeper: record.keeper.pid, command: record.command.pid };
    });
  }

  /** Waits until the run has written the word to its standard output. */
  said(started: Started, word: string): Promise<boolean> {
    return until(
      `"${word}" from the command`,
      () => existsSync(started.out) && readFileSync(started.out, 'utf8').includes(word),
    );
  }

  ctl(started: Started, line: string): string {
    const { stdout } = spawnSync(keepBinary(), ['ctl', started.folder, line], { encoding: 'utf8' });
    return stdout.trimEnd();
  }

  /** The exit record from the folder, once it is there. */
  exitRecord(started: Started): Promise<Record_> {
    const path = join(started.folder, 'exit');
    return until('the exit record', () => existsSync(path) && (JSON.parse(readFileSync(path, 'utf8')) as Record_));
  }

  async processGone(pid: number): Promise<void> {
    await until(`process ${pid} to be gone`, () => !isAlive(pid));
  }

  async gone(): Promise<void> {
    await until('the resident to exit', () => this.exited);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (!this.exited) {
      this.send('goodbye');
      this.stream.end();
    }
    try {
      await until(
        'all processes of the test to be gone',
        () => withEnv(`ORCA_NATIVE_TEST=${this.token}`).length === 0,
        5000,
      );
    } finally {
      const left = withEnv(`ORCA_NATIVE_TEST=${this.token}`);
      if (left.length) execFileSync('sh', ['-c', `kill -9 ${left.join(' ')} 2>/dev/null || :`]);
      this.stream.destroy();
      rmSync(this.dir, { recursive: true, force: true });
    }
  }
}
