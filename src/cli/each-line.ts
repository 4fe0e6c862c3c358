import { isUtf8 } from 'node:buffer';
import { OrcaError } from '../errors/orca-error.ts';
import { formatSize } from '../units/format-size.ts';

/** What a file of lines may hold: its lines are kept in memory until they are sent. More than that many runs may never be unfinished at once. */
const mostLines = 1_000_000;
const mostBytes = 256 * 1048576;
const newline = 10;

/** The lines of a file that are not empty, read piece by piece. A carriage return before the line's end is not part of it. */
export async function linesOf(
  pieces: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
  from: string,
): Promise<string[]> {
  const lines: string[] = [];
  let open: Uint8Array[] = [];
  let number = 0;
  let bytes = 0;
  const close = (end: Uint8Array): void => {
    number += 1;
    const line = lineOf(open.length === 0 ? end : Buffer.concat([...open, end]), `Line ${number} of ${from}`);
    open = [];
    if (line === '') return;
    lines.push(line);
    if (lines.length > mostLines) throw tooMany(from, `more than ${mostLines.toLocaleString('en-US')} lines`);
  };
  for await (const piece of pieces) {
    bytes += piece.length;
    if (bytes > mostBytes) throw tooMany(from, `more than ${formatSize(mostBytes)}`);
    let at = 0;
    for (let end = piece.indexOf(newline); end >= 0; end = piece.indexOf(newline, at)) {
      close(piece.subarray(at, end));
      at = end + 1;
    }
    if (at < piece.length) open.push(piece.subarray(at));
  }
  if (open.length > 0) close(new Uint8Array());
  return lines;
}

const tooMany = (from: string, what: string): OrcaError => new OrcaError('lines-too-many', { from, what });

function lineOf(bytes: Uint8Array, what: string): string {
  if (!isUtf8(bytes)) throw new OrcaError('text-not-utf8', { what });
  if (bytes.includes(0)) throw new OrcaError('text-nul', { what });
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
  return text.endsWith('\r') ? text.slice(0, -1) : text;
}

/**
 * One argument list for each line: `{}` anywhere in an argument is replaced by the line as it is, else the line comes last. No shell
 * reads it. Each is made when it is asked for: all of them together may be far larger than the lines.
 */
export function commandsOfLines(template: readonly string[], lines: readonly string[]): Iterable<string[]> {
  const placed = template.some((argument) => argument.includes('{}'));
  return {
    *[Symbol.iterator]() {
      for (const line of lines)
        yield placed ? template.map((argument) => argument.replaceAll('{}', () => line)) : [...template, line];
    },
  };
}

const linesAtOnce = 1000;
const bytesAtOnce = 4 * 1048576;

/** Cuts a long list into requests of bounded size. */
export function* batches(commands: Iterable<readonly string[]>): Generator<(readonly string[])[]> {
  let batch: (readonly string[])[] = [];
  let bytes = 0;
  for (const command of commands) {
    const size = command.reduce((sum, argument) => sum + argument.length + 3, 0);
    if (batch.length > 0 && (batch.length >= linesAtOnce || bytes + size > bytesAtOnce)) {
      yield batch;
      batch = [];
      bytes = 0;
    }
    batch.push(command);
    bytes += size;
  }
  if (batch.length > 0) yield batch;
}
