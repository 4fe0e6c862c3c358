import { OrcaError } from '../errors/orca-error.ts';
import type { Stream } from '../logs/stage-folder.ts';
import { readFingerprints } from '../secrets/fingerprints.ts';
import type { Masker } from '../secrets/mask-values.ts';
import { SecretFailure } from '../secrets/secret-failure.ts';
import { shellWord } from '../units/shell-words.ts';
import type { Scheduler } from './scheduler.ts';
import { stageFile } from './staged-logs.ts';
import { LostValues, maskOf, printsOf, type Secretive } from './start-masks.ts';

interface ReadOutput {
  readonly start: number;
  readonly stream: Stream;
  readonly log: string;
}

/** For whoever reads an output that is not in its log yet. */
export const openMask = async (
  scheduler: Scheduler,
  run: Secretive,
  { start, stream, log }: ReadOutput,
): Promise<Masker> => {
  try {
    return (await maskOf(scheduler, run, start)).open();
  } catch (cause) {
    // Of another error only that there was one: it may hold what a source gave.
    const why = cause instanceof SecretFailure ? cause.message : 'an unknown error';
    const code = cause instanceof LostValues ? 'log-values-lost' : 'log-kept-back';
    throw new OrcaError(code, { run: run.id, why, hand: await byHand(scheduler, run, { start, stream, log }) });
  }
};

/** The command that takes an output into its log with values that a person knows. */
const byHand = async (
  scheduler: Scheduler,
  { id, secrets }: Secretive,
  { start, stream, log }: ReadOutput,
): Promise<string> => {
  const known = await readFingerprints(printsOf(scheduler, id, start)).catch(() => null);
  const names = known === null ? Object.keys(secrets) : [...known.of.keys()];
  const values = names.map((name) => `${name}=…`).join(' ');
  const files = [stageFile(scheduler, id, start, stream), log];
  return `ORCA_SECRETS=${names.join(',')} ${values} orca keep-log ${files.map(shellWord).join(' ')}`;
};
