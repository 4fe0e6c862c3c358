import { spawn, type ChildProcess } from 'node:child_process';
import { SecretFailure } from './secret-failure.ts';
import { longestSecret, tooLong } from './secret-value.ts';

export interface FetchCommand {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
}

/**
 * What `ORCA_SECRET_FETCH` prints for `id`, its last argument. No shell reads it. Its standard error goes nowhere: it may tell more than a text
 * of orca's may. When `signal` says so it is ended, with all of its process group.
 */
export const fetchByCommand = ({ args, env }: FetchCommand, id: string, signal: AbortSignal): Promise<Uint8Array> =>
  new Promise((resolve, reject) => {
    const [file = '', ...rest] = args;
    const child = spawn(file, [...rest, id], {
      stdio: ['ignore', 'pipe', 'ignore'],
      cwd: '/',
      env: { ...env },
      detached: true,
    });
    const pieces: Buffer[] = [];
    let length = 0;
    const fail = (why: string): void => {
      reject(new SecretFailure(why));
      endGroup(child);
      child.stdout.destroy();
    };
    const stop = (): void => fail('it was not waited for any longer');
    signal.addEventListener('abort', stop, { once: true });
    child.stdout.on('data', (piece: Buffer) => {
      length += piece.length;
      if (length > longestSecret) fail(tooLong);
      else pieces.push(piece);
    });
    child.once('error', ({ code }: NodeJS.ErrnoException) => {
      fail(`the command of ORCA_SECRET_FETCH, ${file}, could not be started (${code ?? 'unknown error'})`);
    });
    child.once('close', (code, killedBy) => {
      signal.removeEventListener('abort', stop);
      if (code === 0) return resolve(Buffer.concat(pieces));
      const how = code === null ? `was ended by ${killedBy}` : `ended with exit code ${code}`;
      return reject(new SecretFailure(`the command of ORCA_SECRET_FETCH ${how}; run it by hand to see what it says`));
    });
    if (signal.aborted) stop();
  });

/** Its own group: while it has not been waited for, its number is no other's. */
const endGroup = ({ pid, exitCode, signalCode }: ChildProcess): void => {
  if (pid === undefined || exitCode !== null || signalCode !== null) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It has just ended.
  }
};
