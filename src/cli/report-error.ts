import { CommanderError } from 'commander';
import { visibleText } from '../units/visible-text.ts';
import { OrcaError } from '../errors/orca-error.ts';
import { errorJson } from './error-json.ts';
import { exitStatus } from './exit-status.ts';
import type { Output } from './output.ts';

export interface Reporting {
  readonly out: Output;
  readonly err: Output;
  readonly json: boolean;
  /** Show where an error that orca does not know came from. */
  readonly trace: boolean;
}

/** Tells an error in two lines, or as ErrorJson, on standard error; gives the exit status. Never a stack trace unless asked for. */
export async function reportError(cause: unknown, { err, json, trace }: Reporting): Promise<number> {
  if (cause instanceof CommanderError) {
    // Help that was asked for is no error.
    if (cause.exitCode === 0) return exitStatus.ok;
    // Without --json it was told when it was found.
    if (json) await err.write(`${JSON.stringify(errorJson(usageError(cause)))}\n`);
    return exitStatus.refused;
  }
  const { error } = errorJson(cause);
  if (json) await err.write(`${JSON.stringify({ error })}\n`);
  else await err.write(`orca: ${visibleText(error.message)}\n  ${visibleText(error.hint)}\n`);
  if (trace && cause instanceof Error) await err.write(`${cause.stack ?? ''}\n`);
  return error.exit;
}

const usageError = (cause: CommanderError): OrcaError => {
  // `commander.help`: nothing was asked for, and the help is shown instead.
  const why = cause.code === 'commander.help' ? 'a command is needed' : cause.message.replace(/^error: /, '');
  return new OrcaError('usage-invalid', { why }, cause);
};
