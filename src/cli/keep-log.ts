import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { OrcaError } from '../errors/orca-error.ts';
import { keepLog as keep } from '../logs/keep-log.ts';
import { fingerprintFile, otherOutput } from '../logs/stage-folder.ts';
import { differing, readFingerprints } from '../secrets/fingerprints.ts';
import { maskValues } from '../secrets/mask-values.ts';
import type { Secret } from '../secrets/secrets-env.ts';
import { secretsVariable } from '../settings/start-variables.ts';
import type { Context } from './context.ts';
import { exitStatus } from './exit-status.ts';

/**
 * `orca keep-log STAGE LOG`, which help does not list: takes a staged output into its log by hand, where the daemon could not. What `ORCA_SECRETS` names
 * in the environment is masked, and has to be what the start had.
 */
export async function keepLog(
  context: Context,
  stage: string,
  log: string,
  options: { unchecked?: boolean },
): Promise<number> {
  const names = (context.env[secretsVariable] ?? '').split(',').filter((name) => name !== '');
  const secrets = names.map((name) => ({ name, value: context.env[name] ?? '' }));
  if (options.unchecked !== true && existsSync(stage)) await checkValues(stage, secrets);
  const mask = maskValues(secrets);
  if (mask.warning !== null) await context.err.write(`orca: ${mask.warning}\n`);
  await keep({ stage, log, open: mask.open });
  const other = otherOutput(stage);
  if (other === null || !existsSync(other)) await rm(fingerprintFile(stage), { force: true });
  return exitStatus.ok;
}

/** Throws where something that the start had would not be masked, or nobody can say. */
async function checkValues(stage: string, secrets: readonly Secret[]): Promise<void> {
  const refuse = (why: string, help: string): OrcaError => new OrcaError('values-unsure', { stage, why, help });
  const known = await readFingerprints(fingerprintFile(stage));
  if (known === null)
    throw refuse(
      'there is nothing beside it by which the values could be known again',
      'If all that it may hold is named in ORCA_SECRETS, with the values of then, `--unchecked` takes it as it is',
    );
  const { changed, missing } = await differing(known, secrets);
  const as = 'Give each its value as it was when the start began';
  if (missing.length > 0) throw refuse(`ORCA_SECRETS does not name ${missing.join(', ')}`, as);
  const have = changed.length === 1 ? 'has another value' : 'have other values';
  if (changed.length > 0) throw refuse(`${changed.join(', ')} ${have} than the start had`, as);
}
