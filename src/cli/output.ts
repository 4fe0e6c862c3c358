import { constants, fstatSync, openSync, write } from 'node:fs';
import { Socket } from 'node:net';
import { isatty } from 'node:tty';
import { systemErrorCode, systemErrorWords } from '../client/system-error.ts';
import { OrcaError } from '../errors/orca-error.ts';

/** One of the caller's two outputs. */
export interface Output {
  readonly isTTY: boolean;
  /** Width for tables; without end where it is not a terminal: nothing is cut for a file or a program. */
  readonly columns: number;
  /**
   * Resolves when the bytes are handed over, so that a slow reader slows us: false when nobody reads any more. Standard output
   * throws `output-failed` when its bytes could not be kept (a full disk); standard error never throws.
   */
  write(data: string | Uint8Array): Promise<boolean>;
}

/** What a command says instead when its output could not be kept; it knows how to get that again. */
export const outputFailed = (cause: unknown, advice: string): OrcaError =>
  new OrcaError('output-failed', { why: systemErrorWords(cause), advice }, cause);

/** Does what writes to standard output, with another advice for when that cannot be kept. */
export async function advising<Result>(advice: string, act: () => Promise<Result>): Promise<Result> {
  try {
    return await act();
  } catch (cause) {
    throw cause instanceof OrcaError && cause.code === 'output-failed' ? outputFailed(cause.cause, advice) : cause;
  }
}

/** Resolves with what went wrong, null for nothing. */
type WriteAll = (bytes: Uint8Array) => Promise<Error | null>;

const kept = (error: Error | null): boolean => error === null;

function keptOrThrow(error: Error | null): boolean {
  if (error === null) return true;
  // EPIPE: the reader has closed. EIO: the terminal is gone.
  if (['EPIPE', 'EIO', 'ECONNRESET'].includes(systemErrorCode(error) ?? '')) return false;
  throw outputFailed(error, 'Only what was to be printed is lost: send it to where there is room, and ask again.');
}

/**
 * Standard output or error. Not `process.stdout`: Node makes that block on pipes, and then a reader that pauses (`| less`) would
 * keep us from hearing an interrupt.
 */
export function openOutput(fd: 1 | 2): Output {
  const isTTY = isatty(fd);
  const writeAll = reopenedPipe(fd) ?? descriptorWriter(fd);
  let last: Promise<boolean> = Promise.resolve(true);
  return {
    isTTY,
    columns: isTTY ? (fd === 1 ? process.stdout : process.stderr).columns || 80 : Number.POSITIVE_INFINITY,
    write: (data) => {
      const bytes = typeof data === 'string' ? Buffer.from(data) : data;
      last = last.then((open) =>
        open && bytes.length > 0 ? writeAll(bytes).then(fd === 1 ? keptOrThrow : kept) : open,
      );
      return last;
    },
  };
}

/** A pipe, opened again for ourselves without blocking: the flag would otherwise be shared with whoever else holds it. */
function reopenedPipe(fd: number): WriteAll | null {
  try {
    if (!fstatSync(fd).isFIFO()) return null;
    const own = openSync(`/proc/self/fd/${fd}`, constants.O_WRONLY | constants.O_NONBLOCK);
    const socket = new Socket({ fd: own, readable: false, writable: true });
    // What is not yet read when the command is over must not keep it alive.
    socket.unref();
    // Each write hears of it itself.
    socket.on('error', () => undefined);
    return (bytes) =>
      new Promise((resolve) => {
        // An idle socket is not referenced; one with bytes to hand over is.
        socket.ref();
        socket.write(bytes, (error) => {
          socket.unref();
          resolve(error ?? null);
        });
      });
  } catch {
    return null;
  }
}

function descriptorWriter(fd: number): WriteAll {
  return (bytes) =>
    new Promise((resolve) => {
      const step = (from: number): void => {
        write(fd, bytes, from, bytes.length - from, null, (error, count) => {
          // Somebody else made the shared descriptor non-blocking, and it is full.
          if (error?.code === 'EAGAIN') return void setTimeout(step, 5, from);
          if (error !== null) return resolve(error);
          if (from + count >= bytes.length) return resolve(null);
          step(from + count);
        });
      };
      step(0);
    });
}
