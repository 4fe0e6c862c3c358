import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { OrcaError } from '../errors/orca-error.ts';
import { addToDriver } from '../logs/driver-log.ts';
import { keepLog as keep, keptFile } from '../logs/keep-log.ts';
import { fingerprintFile, otherOutput } from '../logs/stage-folder.ts';
import { differing, readFingerprints } from '../secrets/fingerprints.ts';
import { maskValues } from '../secrets/mask-values.ts';
import type { Secret } from '../secrets/secrets-env.ts';
import { secretsVariable } from '../settings/start-variables.ts';
import type { Context } from './context.ts';
import { exitStatus } from './exit-status.ts';
import { say } from './say.ts';

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
  checkPair(stage, log);
  if (!existsSync(stage)) await say(context, `${stage} is not there: nothing is to be taken in`);
  const names = (context.env[secretsVariable] ?? '').split(',').filter((name) => name !== '');
  const secrets = names.map((name) => ({ name, value: context.env[name] ?? '' }));
  if (options.unchecked !== true && existsSync(stage)) await checkValues(stage, secrets);
  const mask = maskValues(secrets);
  if (mask.warning !== null) await context.err.write(`orca: ${mask.warning}\n`);
  const part = partsOf(stage);
  const isOwn = part !== null && part === basename(log);
  // As long as the mark is there the log is moved nowhere, and a daemon goes on from there.
  await keep({ stage, log, open: mask.open, mark: isOwn });
  if (isOwn) {
    await addToDriver(dirname(log), part);
    await rm(keptFile(stage), { force: true });
  }
  const other = otherOutput(stage);
  if (other === null || !existsSync(other)) await rm(fingerprintFile(stage), { force: true });
  return exitStatus.ok;
}

/** `1.stdout`, of which start a staged output is; null: it has no such name. */
const partsOf = (stage: string): string | null => /\.(\d+\.(?:stdout|stderr))$/.exec(basename(stage))?.[1] ?? null;

/** One output of one start goes into its own log. */
function checkPair(stage: string, log: string): void {
  const [own, wanted] = [partsOf(stage), basename(log)];
  if (own === null || own === wanted || !/^\d+\.(stdout|stderr)$/.test(wanted)) return;
  const why = `${basename(stage)} goes into a log that is called ${own}, and not ${wanted}`;
  throw new OrcaError('usage-invalid', { why, help: 'orca help keep-log' });
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
