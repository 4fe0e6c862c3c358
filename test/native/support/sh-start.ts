import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { nativeFolder } from './binary.ts';
import { withEnv } from './processes.ts';
import type { Record_ } from './resident.ts';
import { until } from './until.ts';

const script = join(nativeFolder, 'orca-keep.sh');

export interface ShOptions {
  readonly stdin?: string;
  readonly stdout?: string;
  readonly timeoutMs?: number;
  readonly graceMs?: number;
  readonly nice?: string;
  readonly umask?: string;
  readonly oomScoreAdj?: string;
  readonly shared?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** One start under `orca-keep.sh`, run by the given shell. Disposing of it fails when a process is left. */
export class ShStart {
  readonly shell: readonly string[];
  readonly dir = mkdtempSync(join(tmpdir(), 'orca-sh-'));
  readonly folder: string;
  readonly out = join(this.dir, 'out');
  readonly uuid = randomUUID();
  child: ChildProcess | null = null;

  /** `folder`: the start folder, which is there, when it is to lie elsewhere than in `dir`. */
  constructor(shell: readonly string[], folder?: string) {
    this.shell = shell;
    this.folder = folder ?? join(this.dir, '1.1');
    mkdirSync(this.folder, { recursive: true });
  }

  #command(args: readonly string[]): [string, string[]] {
    const [program = 'sh', ...options] = this.shell;
    return [program, [...options, script, ...args]];
  }

  start(argv: readonly string[], options: ShOptions = {}): this {
    const { stdin = '/dev/null', stdout = this.out, timeoutMs = 0, graceMs = 10_000 } = options;
    const files = [this.folder, stdin, stdout, join(this.dir, 'err')];
    const rest = [
      options.nice ?? '',
      options.umask ?? '',
      options.oomScoreAdj ?? '',
      options.shared ?? '',
      String(process.pid),
    ];
    const [program, args] = this.#command([
      'start',
      ...files,
      String(timeoutMs),
      String(graceMs),
      ...rest,
      '--',
      ...argv,
    ]);
    this.child = spawn(program, args, {
      cwd: this.dir,
      detached: true,
      stdio: 'ignore',
      env: { PATH: process.env['PATH'], ORCA_START: this.uuid, ORCA_NATIVE_TEST: this.uuid, ...options.env },
    });
    return this;
  }

  /** The keeper's exit status, or the signal that ended it. */
  async status(): Promise<number | string> {
    return until('the sh keeper to end', () => {
      const { exitCode, signalCode } = this.child ?? {};
      return exitCode === null || exitCode === undefined ? signalCode : String(exitCode);
    }).then((status) => (/^\d/.test(status) ? Number(status) : status));
  }

  async ended(): Promise<Record_> {
    await this.status();
    return JSON.parse(readFileSync(join(this.folder, 'exit'), 'utf8')) as Record_;
  }

  run(...args: string[]): { status: number | null; answer: string } {
    const [program, all] = this.#command(args);
    const { status, stdout } = spawnSync(program, all, { encoding: 'utf8' });
    return { status, answer: stdout.trimEnd() };
  }

  ctl(line: string): string {
    return this.run('ctl', this.folder, line).answer;
  }

  pids(): Promise<{ keeper: number; command: number }> {
    const path = join(this.folder, 'pid');
    return until('the pid record', () => {
      if (!existsSync(path)) return null;
      const record = JSON.parse(readFileSync(path, 'utf8')) as { keeper: { pid: number }; command: { pid: number } };
      return { keeper: record.keeper.pid, command: record.command.pid };
    });
  }

  /** Also waits for the keeper's own word: a quick command may speak before its keeper has written down whom it started. */
  said(word: string): Promise<boolean> {
    return until(
      `"${word}" from the command, and its keeper's record`,
      () =>
        existsSync(this.out) && readFileSync(this.out, 'utf8').includes(word) && existsSync(join(this.folder, 'pid')),
    );
  }

  tree(): number[] {
    return withEnv(`ORCA_NATIVE_TEST=${this.uuid}`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    try {
      await until('all processes of the test to be gone', () => this.tree().length === 0, 4000);
    } finally {
      const left = this.tree();
      if (left.length) execFileSync('sh', ['-c', `kill -9 ${left.join(' ')} 2>/dev/null || :`]);
      rmSync(this.dir, { recursive: true, force: true });
    }
  }
}
