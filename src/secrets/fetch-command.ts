import { spawn, type ChildProcess } from 'node:child_process';
import { SecretFailure } from './secret-failure.ts';
import { longestSecret, tooLong } from './secret-value.ts';

export interface FetchCommand {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
}

/**
 * Runs its arguments beside a guard: a process of the same group that ends all of the group once descriptor 3 is closed at its other end. The kernel closes that
 * with whoever has it, however that dies, and while the guard is there the number of the group is no other's. The guard is no child of the
 * command's, which may wait for all that it has.
 */
const guarded = '({ read -r _; kill -s KILL 0; } <&3 >/dev/null 2>&1 &); exec "$@" 3<&-';

/** A filter in the background (`exec > >(…)` in bash) passes on the last of it. */
const restMs = 1000;

/**
 * What `ORCA_SECRET_FETCH` prints for `id`, its last argument. No shell reads it. Its standard error goes nowhere: it may tell more than a text
 * of orca's may. When it is over, when `signal` says so, and when this process dies, all of its process group is ended.
 */
export const fetchByCommand = ({ args, env }: FetchCommand, id: string, signal: AbortSignal): Promise<Uint8Array> =>
  new Promise((resolve, reject) => {
    const child = spawn('/bin/sh', ['-c', guarded, 'orca-secret-fetch', ...args, id], {
      stdio: ['ignore', 'pipe', 'ignore', 'pipe'],
      cwd: '/',
      env: { ...env },
      detached: true,
    });
    const [, stdout, , guard] = child.stdio;
    const pieces: Buffer[] = [];
    let length = 0;
    let rest: NodeJS.Timeout | undefined;
    const over = (): void => {
      signal.removeEventListener('abort', stop);
      clearTimeout(rest);
      endGroup(child);
      guard?.destroy();
      stdout?.destroy();
    };
    const fail = (why: string): void => {
      reject(new SecretFailure(why));
      over();
    };
    const stop = (): void => fail('it was not waited for any longer');
    signal.addEventListener('abort', stop, { once: true });
    stdout?.on('data', (piece: Buffer) => {
      length += piece.length;
      if (length > longestSecret) fail(tooLong);
      else pieces.push(piece);
    });
    // Nothing is read from there, and its end may come in any way.
    guard?.on('error', () => undefined);
    child.once('error', ({ code }: NodeJS.ErrnoException) => {
      fail(`the command of ORCA_SECRET_FETCH could not be started (/bin/sh: ${code ?? 'unknown error'})`);
    });
    child.once('exit', (code, killedBy) => {
      if (code !== 0) return fail(`the command of ORCA_SECRET_FETCH ${howEnded(code, killedBy)}`);
      const take = (): void => {
        resolve(Buffer.concat(pieces));
        over();
      };
      if (stdout?.closed !== false) return take();
      stdout.once('close', take);
      rest = setTimeout(() => {
        if (length > 0) take();
        else fail('the command of ORCA_SECRET_FETCH ended well and printed nothing; what it left behind was ended');
      }, restMs);
    });
    if (signal.aborted) stop();
  });

const howEnded = (code: number | null, killedBy: NodeJS.Signals | null): string => {
  const how = code === null ? `was ended by ${killedBy}` : `ended with exit code ${code}${shellCodes.get(code) ?? ''}`;
  return `${how}; run it by hand to see what it says`;
};

/** What a shell says of a program that it cannot begin. */
const shellCodes: ReadonlyMap<number, string> = new Map([
  [126, ', as one that cannot be executed'],
  [127, ', as one that is not there'],
]);

/** At once; the guard would in a moment. While it has not been waited for, its number is no other's. */
const endGroup = ({ pid, exitCode, signalCode }: ChildProcess): void => {
  if (pid === undefined || exitCode !== null || signalCode !== null) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It has just ended.
  }
};
