import { isUtf8 } from 'node:buffer';
import { OrcaError } from '../errors/orca-error.ts';

/** The lines of a file that are not empty. A carriage return before the line's end is not part of it. */
export function linesOf(content: Uint8Array, from: string): string[] {
  if (!isUtf8(content)) throw new OrcaError('text-not-utf8', { what: badLine(content, from) });
  const text = Buffer.from(content).toString('utf8');
  const lines = text.split('\n').map((line) => (line.endsWith('\r') ? line.slice(0, -1) : line));
  const withNul = lines.findIndex((line) => line.includes('\0'));
  if (withNul >= 0) throw new OrcaError('text-nul', { what: `Line ${withNul + 1} of ${from}` });
  return lines.filter((line) => line !== '');
}

/**
 * One argument list for each line: `{}` anywhere in an argument is replaced by the line as it is, else the line comes last. No shell
 * reads it.
 */
export function commandsOfLines(template: readonly string[], lines: readonly string[]): string[][] {
  const placed = template.some((argument) => argument.includes('{}'));
  return lines.map((line) =>
    placed ? template.map((argument) => argument.replaceAll('{}', () => line)) : [...template, line],
  );
}

function badLine(content: Uint8Array, from: string): string {
  const bytes = Buffer.from(content);
  let number = 1;
  for (let at = 0; at <= bytes.length; number += 1) {
    const newline = bytes.indexOf(10, at);
    const end = newline < 0 ? bytes.length : newline;
    if (!isUtf8(bytes.subarray(at, end))) return `Line ${number} of ${from}`;
    at = end + 1;
  }
  return from;
}

const linesAtOnce = 1000;
const bytesAtOnce = 4 * 1048576;

/** Cuts a long list into requests of bounded size. */
export function batches(commands: readonly string[][]): string[][][] {
  const result: string[][][] = [];
  let batch: string[][] = [];
  let bytes = 0;
  for (const command of commands) {
    const size = command.reduce((sum, argument) => sum + argument.length + 3, 0);
    if (batch.length > 0 && (batch.length >= linesAtOnce || bytes + size > bytesAtOnce)) {
      result.push(batch);
      batch = [];
      bytes = 0;
    }
    batch.push(command);
    bytes += size;
  }
  if (batch.length > 0) result.push(batch);
  return result;
}
