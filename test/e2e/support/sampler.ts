import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SampleLine } from '../../../src/sample/sample-line.ts';
import { program, type Scope } from './orca.ts';

export interface SamplerEnded {
  readonly status: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

interface User {
  readonly uid?: number;
  readonly gid?: number;
}

/** Starts `orca sample` in a folder of its own, without any daemon; all that was started is gone after the test. */
export class Samplers {
  readonly folder = mkdtempSync(join(tmpdir(), 'orca-sample-'));
  readonly #children: ChildProcess[] = [];

  constructor(scope: Scope) {
    scope.after(async () => {
      await Promise.all(this.#children.map((child) => this.#end(child)));
      rmSync(this.folder, { recursive: true, force: true });
    });
  }

  path(name: string): string {
    return join(this.folder, name);
  }

  start(
    args: readonly string[],
    env: NodeJS.ProcessEnv = {},
    user: User = {},
  ): { child: ChildProcess; ended: Promise<SamplerEnded> } {
    const { PATH } = process.env;
    const child = this.#spawn(
      process.execPath,
      [program, 'sample', ...args],
      {
        PATH,
        HOME: this.folder,
        TMPDIR: this.folder,
        ...env,
      },
      user,
    );
    const [stdout, stderr] = [textOf(child.stdout), textOf(child.stderr)];
    const ended = once(child, 'close').then(() => {
      return { status: child.exitCode, signal: child.signalCode, stdout: stdout(), stderr: stderr() };
    });
    return { child, ended };
  }

  run(args: readonly string[], env?: NodeJS.ProcessEnv): Promise<SamplerEnded> {
    return this.start(args, env).ended;
  }

  /** A process to watch. */
  other(file: string, ...args: string[]): ChildProcess {
    return this.#spawn(file, args, { PATH: process.env['PATH'] });
  }

  lines(name: string): SampleLine[] {
    return linesOf(readFileSync(this.path(name), 'utf8'));
  }

  #spawn(file: string, args: readonly string[], env: NodeJS.ProcessEnv, user: User = {}): ChildProcess {
    // A group of its own, so that what it started ends with it.
    const child = spawn(file, args, {
      cwd: this.folder,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
      ...user,
    });
    this.#children.push(child);
    return child;
  }

  async #end(child: ChildProcess): Promise<void> {
    killGroup(child);
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  }
}

/** Ends a process and what it started, with SIGKILL. */
export const killGroup = ({ pid }: ChildProcess): void => {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL');
  } catch {
    // Nobody of it is left.
  }
};

/** Sample lines of a text; throws for one that is not whole. */
export const linesOf = (text: string): SampleLine[] =>
  text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line.replace(/^orca-sample /, '')) as SampleLine);

const textOf = (stream: NodeJS.ReadableStream | null): (() => string) => {
  const pieces: Buffer[] = [];
  stream?.on('data', (piece: Buffer) => pieces.push(piece));
  return () => Buffer.concat(pieces).toString();
};
