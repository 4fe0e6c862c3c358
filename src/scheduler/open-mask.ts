import { OrcaError } from '../errors/orca-error.ts';
import type { Stream } from '../logs/stage-folder.ts';
import { readFingerprints } from '../secrets/fingerprints.ts';
import type { Masker } from '../secrets/mask-values.ts';
import { SecretFailure } from '../secrets/secret-failure.ts';
import { shellWord } from '../units/shell-words.ts';
import type { Scheduler } from './scheduler.ts';
import { stageFile } from './staged-logs.ts';
import { LostValues, maskOf, printsOf, type Secretive } from './start-masks.ts';
import { logFiles } from './state-folder.ts';

/** For whoever reads an output that is not in its log yet. */
export const openMask = async (
  scheduler: Scheduler,
  run: Secretive,
  start: number,
  stream: Stream,
): Promise<Masker> => {
  try {
    return (await maskOf(scheduler, run, start)).open();
  } catch (cause) {
    // Of another error only that there was one: it may hold what a source gave.
    const why = cause instanceof SecretFailure ? cause.message : 'an unknown error';
    const code = cause instanceof LostValues ? 'log-values-lost' : 'log-kept-back';
    throw new OrcaError(code, { run: run.id, why, hand: await byHand(scheduler, run, start, stream) });
  }
};

/** The command that takes an output into its log with values that a person knows. */
const byHand = async (
  scheduler: Scheduler,
  { id, secrets }: Secretive,
  start: number,
  stream: Stream,
): Promise<string> => {
  const known = await readFingerprints(printsOf(scheduler, id, start)).catch(() => null);
  const names = known === null ? Object.keys(secrets) : [...known.of.keys()];
  const values = names.map((name) => `${name}=…`).join(' ');
  const files = [stageFile(scheduler, id, start, stream), logFiles(scheduler.state, id, start)[stream]];
  return `ORCA_SECRETS=${names.join(',')} ${values} orca keep-log ${files.map(shellWord).join(' ')}`;
};
