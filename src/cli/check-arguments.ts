import { isUtf8 } from 'node:buffer';
import { readFileSync } from 'node:fs';
import { OrcaError } from '../errors/orca-error.ts';
import { visibleText } from '../units/visible-text.ts';

/**
 * Refuses arguments that Node had to change: it decodes them as UTF-8, and a file name in another encoding would become another name.
 * `argv` are the last arguments of this process, `raw` the kernel's copy of all.
 */
export function checkArguments(argv: readonly string[], raw: () => Uint8Array | null = rawArguments): void {
  if (!argv.some((argument) => argument.includes('\uFFFD'))) return;
  const bytes = raw();
  if (bytes === null) return;
  const bad = fields(bytes)
    .slice(-argv.length)
    .find((argument) => !isUtf8(argument));
  if (bad !== undefined) throw new OrcaError('text-not-utf8', { what: `The argument ${visibleText(bad)}` });
}

/** What stands before each NUL byte. */
export function fields(bytes: Uint8Array): Uint8Array[] {
  const all: Uint8Array[] = [];
  for (let at = 0; at < bytes.length;) {
    const nul = bytes.indexOf(0, at);
    const end = nul < 0 ? bytes.length : nul;
    all.push(bytes.subarray(at, end));
    at = end + 1;
  }
  return all;
}

function rawArguments(): Uint8Array | null {
  try {
    return readFileSync('/proc/self/cmdline');
  } catch {
    return null;
  }
}
