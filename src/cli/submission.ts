import { resolve } from 'node:path';
import { isUtf8 } from 'node:buffer';
import { readFileSync } from 'node:fs';
import { OrcaError } from '../errors/orca-error.ts';
import { settingsToSend } from '../settings/run-settings.ts';
import { visibleText } from '../units/visible-text.ts';
import type { StdinRequest, SubmitRequest } from '../wire/api.ts';
import type { Context } from './context.ts';
import { environmentOf, requestFields, type RequestOptions } from './request-options.ts';

/** A submission but for what it runs. */
export type SubmissionFields = Omit<SubmitRequest, 'token' | 'commands' | 'stdin' | 'owner'>;

/** Everything that the options and the caller's process say about the runs; throws for the first bad option. */
export function submissionFields(context: Context, options: RequestOptions): SubmissionFields {
  return {
    ...requestFields(options),
    cwd: resolve(context.cwd, options.cwd ?? '.'),
    env: environmentOf(context.env, options.env ?? []),
    umask: context.umask,
    settings: settingsToSend(context.loaded.settings),
  };
}

export const submission = (
  fields: SubmissionFields,
  rest: { token: string; commands: readonly (readonly string[])[]; stdin: StdinRequest; owner: string | null },
): SubmitRequest => ({ ...fields, ...rest });

/**
 * Refuses arguments that Node had to change: it decodes them as UTF-8, and a file name in another encoding would become another name.
 * `raw` is the kernel's copy of this process's arguments.
 */
export function checkArguments(argv: readonly string[], raw: () => Uint8Array | null = rawArguments): void {
  if (!argv.some((argument) => argument.includes('\uFFFD'))) return;
  const bytes = raw();
  if (bytes === null || isUtf8(bytes)) return;
  const bad = argv.find((argument) => argument.includes('\uFFFD')) ?? '';
  throw new OrcaError('text-not-utf8', { what: `The argument ${visibleText(bad)}` });
}

function rawArguments(): Uint8Array | null {
  try {
    return readFileSync('/proc/self/cmdline');
  } catch {
    return null;
  }
}
