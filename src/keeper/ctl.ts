import { closeSync, constants, lstatSync, openSync } from 'node:fs';
import { connect } from 'node:net';

/** A line for a start's `ctl`. */
export type CtlRequest =
  | { readonly ask: 'ping' }
  | { readonly ask: 'term'; readonly mark: CtlMark; readonly graceMs: number; readonly text: string }
  | { readonly ask: 'kill'; readonly mark: CtlMark; readonly text: string };
export type CtlMark = 'user' | 'held' | 'cap' | 'none';

export type CtlAnswer =
  | { readonly answer: 'alive'; readonly pid: number }
  | { readonly answer: 'done' }
  /** The leader had ended already: nothing was marked and nothing signalled. */
  | { readonly answer: 'ended' }
  | { readonly answer: 'error'; readonly why: string }
  | { readonly answer: 'no keeper'; readonly why: string };

const maxLine = 4096;
/** What a Unix socket's address holds, its final zero byte left out (unix(7)). */
const maxSocketPath = 107;

/** The request as its line, newline included; a text is cut to fit and cannot end the line early. */
export function ctlLine(request: CtlRequest): string {
  if (request.ask === 'ping') return 'ping\n';
  const head =
    request.ask === 'term'
      ? `term ${request.mark} ${Math.max(0, Math.round(request.graceMs))} `
      : `kill ${request.mark} `;
  // eslint-disable-next-line no-control-regex
  const text = Buffer.from(request.text.replace(/[\u0000-\u001f\u007f]+/g, ' '));
  const room = maxLine - 1 - head.length;
  // Cutting may leave part of a character, which decoding turns into U+FFFD (3 bytes): hence the 3 to spare.
  return `${head}${text.length <= room ? text.toString() : text.subarray(0, room - 3).toString()}\n`;
}

export function readCtlAnswer(line: string): CtlAnswer {
  const text = line.trimEnd();
  const alive = /^alive (\d+)$/.exec(text);
  if (alive !== null) return { answer: 'alive', pid: Number(alive[1]) };
  if (text === 'done' || text === 'ended') return { answer: text };
  return { answer: 'error', why: text.startsWith('error ') ? text.slice(6) : `it answered ${JSON.stringify(text)}` };
}

/** Whether a start's `ctl` is a socket (native keeper), something else (`sh` keeper), or not there. */
export function ctlKind(folder: string): 'socket' | 'other' | 'none' {
  try {
    return lstatSync(`${folder}/ctl`).isSocket() ? 'socket' : 'other';
  } catch {
    return 'none';
  }
}

/** Asks the native keeper of a start. Never throws for a keeper that is not there. */
export function askCtl(folder: string, request: CtlRequest, timeoutMs = 5000): Promise<CtlAnswer> {
  const path = `${folder}/ctl`;
  if (Buffer.byteLength(path) <= maxSocketPath) return askSocket(path, request, timeoutMs);
  // A longer path does not fit a socket's address; the folder's descriptor gives it a short name.
  let descriptor: number;
  try {
    descriptor = openSync(folder, constants.O_RDONLY | constants.O_DIRECTORY);
  } catch (error) {
    return Promise.resolve({ answer: 'no keeper', why: codeOf(error) });
  }
  const asked = askSocket(`/proc/self/fd/${descriptor}/ctl`, request, timeoutMs);
  return asked.finally(() => closeSync(descriptor));
}

function askSocket(path: string, request: CtlRequest, timeoutMs: number): Promise<CtlAnswer> {
  return new Promise((resolve) => {
    const socket = connect({ path });
    let text = '';
    let connected = false;
    const settle = (answer: CtlAnswer): void => {
      clearTimeout(timer);
      socket.destroy();
      resolve(answer);
    };
    const timer = setTimeout(() => {
      settle({ answer: 'error', why: `the keeper did not answer within ${timeoutMs} ms` });
    }, timeoutMs);
    socket.setEncoding('utf8');
    socket.on('connect', () => {
      connected = true;
      socket.write(ctlLine(request));
    });
    socket.on('data', (piece: string) => {
      text += piece;
      const end = text.indexOf('\n');
      if (end !== -1) settle(readCtlAnswer(text.slice(0, end)));
      else if (text.length > maxLine) settle({ answer: 'error', why: 'the keeper answered without an end' });
    });
    // A keeper that ends while it is asked closes without an answer: then it is gone, and its record tells the rest.
    socket.on('close', () => settle({ answer: 'no keeper', why: 'it closed without an answer' }));
    socket.on('error', (error) => {
      const why = codeOf(error);
      if (connected || ['ENOENT', 'ECONNREFUSED', 'ENOTDIR'].includes(why)) settle({ answer: 'no keeper', why });
      else settle({ answer: 'error', why });
    });
  });
}

const codeOf = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? String(error);
