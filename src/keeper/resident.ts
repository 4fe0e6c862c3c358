import { spawn } from 'node:child_process';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { FrameDecoder, MalformedFrame } from './frame.ts';
import type { KeeperReport } from './keepers.ts';
import { readReport } from './messages.ts';
import { withoutStartVariables } from '../settings/start-variables.ts';

/** How long a resident has to read our last words. */
const patience = 2000;

/** One stream to one resident. */
export interface Resident {
  send(frame: Buffer): void;
  /** Resolves when the resident has read all that was sent, or has not within 2 s; the stream is ended then. */
  end(): Promise<void>;
}

/**
 * Speaks with a resident over its stream. The last report is `closed`, once, unless the daemon itself ended the stream.
 * What is sent within one turn goes out in one write.
 */
export function speakWith(stream: Duplex, onReport: (report: KeeperReport) => void): Resident {
  const decoder = new FrameDecoder();
  let over = false;
  let corked = false;
  const closed = (why: string): void => {
    if (over) return;
    over = true;
    stream.destroy();
    onReport({ type: 'closed', why });
  };
  stream.on('data', (piece: Buffer) => {
    if (over) return;
    try {
      for (const fields of decoder.push(piece)) {
        const report = readReport(fields);
        if (report !== null && !over) onReport(report);
      }
    } catch (error) {
      if (!(error instanceof MalformedFrame)) throw error;
      closed(`the resident sent what is no frame: ${error.message}`);
    }
  });
  stream.on('error', (error: NodeJS.ErrnoException) => closed(error.code ?? error.message));
  stream.on('end', () => closed('the resident ended the stream'));
  stream.on('close', () => closed('the stream was closed'));
  return {
    send(frame) {
      if (over || stream.writableEnded) return;
      if (!corked) {
        corked = true;
        stream.cork();
        process.nextTick(() => {
          corked = false;
          stream.uncork();
        });
      }
      stream.write(frame);
    },
    end() {
      // Only our side is ended, and the resident's end awaited: were the whole closed, what the resident is just saying
      // would fail, and it could take that for our death before it read our last words.
      over = true;
      return new Promise((resolve) => {
        if (stream.destroyed || stream.readableEnded) return resolve();
        const done = (): void => {
          clearTimeout(timer);
          stream.destroy();
          resolve();
        };
        const timer = setTimeout(done, patience);
        stream.once('end', done).once('close', done).end();
      });
    },
  };
}

export interface ResidentPlace {
  /** The `orca-keep` to run. */
  readonly binary: string;
  /** The state folder. */
  readonly state: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/**
 * Starts a resident in a session of its own, so that it outlives this process and its terminal, and gives the stream to it.
 * A program that cannot be run shows as an error of the stream.
 */
export function spawnResident({ binary, state, env }: ResidentPlace): Duplex {
  const child = spawn(binary, ['resident', state], {
    detached: true,
    cwd: '/',
    env: withoutStartVariables(env),
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  });
  child.unref();
  const stream = child.stdio[3];
  if (!(stream instanceof Socket)) throw new Error('a spawned process has no descriptor 3');
  child.once('error', (error) => stream.destroy(error));
  return stream;
}

/** The stream that a resident gave to the daemon it started (`ORCA_KEEPER_FD`). */
export const inheritedStream = (descriptor: number): Duplex =>
  new Socket({ fd: descriptor, readable: true, writable: true });
