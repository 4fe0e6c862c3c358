import { keepLog as keep } from '../logs/keep-log.ts';
import { maskValues } from '../secrets/mask-values.ts';
import { secretsVariable } from '../settings/start-variables.ts';
import type { Context } from './context.ts';
import { exitStatus } from './exit-status.ts';

/**
 * `orca keep-log STAGE LOG`, which help does not list: takes a staged output into its log by hand, where the daemon could not. What `ORCA_SECRETS` names
 * in the environment is masked.
 */
export async function keepLog(context: Context, stage: string, log: string): Promise<number> {
  const names = (context.env[secretsVariable] ?? '').split(',').filter((name) => name !== '');
  const mask = maskValues(names.map((name) => ({ name, value: context.env[name] ?? '' })));
  if (mask.warning !== null) await context.err.write(`orca: ${mask.warning}\n`);
  await keep({ stage, log, open: mask.open });
  return exitStatus.ok;
}
