import { CommanderError } from 'commander';
import { visibleJson, visibleText } from '../units/visible-text.ts';
import { OrcaError } from '../errors/orca-error.ts';
import { errorJson } from './error-json.ts';
import { exitStatus } from './exit-status.ts';
import type { Output } from './output.ts';

export interface Reporting {
  readonly err: Output;
  readonly json: boolean;
  /** Show where an error that orca does not know came from. */
  readonly trace: boolean;
}

/** Tells an error in two lines, or as ErrorJson, on standard error; gives the exit status. Never a stack trace unless asked for. */
export async function reportError(cause: unknown, how: Reporting): Promise<number> {
  const { err, json, trace } = how;
  if (cause instanceof CommanderError) {
    // Help that was asked for is no error.
    if (cause.exitCode === 0) return exitStatus.ok;
    // Nothing was asked for, and the help was shown instead.
    if (!json) return exitStatus.refused;
    return reportError(new OrcaError('usage-invalid', { why: 'a command is needed', help: 'orca help' }), how);
  }
  const { error } = errorJson(cause);
  if (json) await err.write(`${visibleJson({ error })}\n`);
  else await err.write(`orca: ${visibleText(error.message)}\n  ${visibleText(error.hint)}\n`);
  if (trace && cause instanceof Error) await err.write(`${cause.stack ?? ''}\n`);
  return error.exit;
}
