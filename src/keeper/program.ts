import { spawn } from 'node:child_process';
import type { KillResult } from './keepers.ts';

/** How a keeper program ended that was run as a command. */
export interface ProgramEnd {
  /** Null when it was killed or never ran. */
  readonly code: number | null;
  readonly output: string;
  /** Why it never ran. */
  readonly failed: string | null;
}

export interface RunOptions {
  readonly env: NodeJS.ProcessEnv;
  readonly timeoutMs: number;
}

/** Runs a keeper program to its end; what it wrote to standard output is kept up to 64 KB. Never throws. */
export function runProgram(file: string, args: readonly string[], { env, timeoutMs }: RunOptions): Promise<ProgramEnd> {
  return new Promise((resolve) => {
    const child = spawn(file, args, {
      stdio: ['ignore', 'pipe', 'ignore'],
      env,
      timeout: timeoutMs,
      killSignal: 'SIGKILL',
    });
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (piece: string) => {
      if (output.length < 65536) output += piece;
    });
    child.once('error', (error: NodeJS.ErrnoException) => {
      resolve({ code: null, output, failed: error.code ?? error.message });
    });
    child.once('close', (code) => resolve({ code, output, failed: null }));
  });
}

/** `kill`'s exit status in words; whatever is unknown is no proof that the tree is gone. */
export function killResult(code: number | null): KillResult {
  if (code === 0) return 'gone';
  return code === 3 ? 'alive' : 'left';
}
