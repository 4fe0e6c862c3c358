import { fingerprintFile } from '../logs/stage-folder.ts';
import { processVariables } from '../machine/process-environment.ts';
import {
  differing,
  fingerprintsOf,
  readFingerprints,
  writeFingerprints,
  type Fingerprints,
} from '../secrets/fingerprints.ts';
import { SecretFailure } from '../secrets/secret-failure.ts';
import { maskValues, type Mask } from '../secrets/mask-values.ts';
import { variableOf } from '../secrets/secret-name.ts';
import type { Secret } from '../secrets/secrets-env.ts';
import { startVariable } from '../settings/start-variables.ts';
import type { Run } from '../store/run.ts';
import { fetchRunSecrets } from './fetch-run-secrets.ts';
import type { LiveStart } from './live-start.ts';
import type { Scheduler } from './scheduler.ts';
import { makeStage, stageFile, startKey } from './staged-logs.ts';
import { fetchWords } from './submitted-secrets.ts';

const warnedOnce = 'how values are masked';

/** What masks the outputs of starts that are not all in their logs yet, by `run.start`. The values are nowhere else. */
export type Masks = Map<string, Promise<Mask>>;

/** Whose secrets they are. */
export type Secretive = Pick<Run, 'id' | 'secrets'>;

/** The values that a start had are not those that can be had now: whatever they mask, it is not these. They are not asked for again. */
export class LostValues extends SecretFailure {}

/** By what the values of a start are known again, beside its outputs in the stage. */
export const printsOf = (scheduler: Scheduler, run: Run['id'], start: number): string =>
  fingerprintFile(stageFile(scheduler, run, start, 'stdout'));

/** The values that a start is to get, and by what a later daemon knows them again. Throws where the stage cannot take that. */
export const rememberMask = async (
  scheduler: Scheduler,
  { run, start }: LiveStart,
  secrets: readonly Secret[],
): Promise<void> => {
  makeStage(scheduler);
  await writeFingerprints(printsOf(scheduler, run, start), await fingerprintsOf(secrets));
  const mask = maskValues(secrets);
  if (mask.warning !== null) scheduler.log.warn({ run, start }, `${warnedOnce}: ${mask.warning}`);
  scheduler.masks.set(startKey(run, start), Promise.resolve(mask));
};

/**
 * A start of an earlier daemon: its own environment has the values that it was given, as long as it lives. A command that was given others by
 * another one, in the same process, is known by the fingerprints.
 */
export const recallMask = (scheduler: Scheduler, live: LiveStart): void => {
  const { run, start, row } = live;
  const names = Object.keys(row.secrets);
  if (names.length === 0 || live.pid === null || live.otherBoot) return;
  const found = processVariables(scheduler.host.procRoot, live.pid, [...names, startVariable]);
  if (found === null || found.get(startVariable) !== live.uuid) return;
  const secrets = names.map((name) => ({ name, value: found.get(name) ?? '' }));
  const recall = async (): Promise<Mask> => {
    const known = await readFingerprints(printsOf(scheduler, run, start));
    // A daemon of an older version noted none.
    const same = known === null || (await whyOthers(row, known, secrets)) === null;
    return same ? maskValues(secrets) : fetchMask(scheduler, row, start);
  };
  void remember(scheduler, startKey(run, start), recall());
};

/** What masks a start's outputs: what is remembered, else its secrets as they are now, where those are the same. Throws a SecretFailure. */
export const maskOf = (scheduler: Scheduler, run: Secretive, start: number): Promise<Mask> => {
  const key = startKey(run.id, start);
  return scheduler.masks.get(key) ?? remember(scheduler, key, fetchMask(scheduler, run, start));
};

const remember = ({ masks }: Scheduler, key: string, mask: Promise<Mask>): Promise<Mask> => {
  masks.set(key, mask);
  mask.catch((error: unknown) => {
    if (!(error instanceof LostValues) && masks.get(key) === mask) masks.delete(key);
  });
  return mask;
};

const fetchMask = async (scheduler: Scheduler, run: Secretive, start: number): Promise<Mask> => {
  if (Object.keys(run.secrets).length === 0) return maskValues([]);
  const known = await readFingerprints(printsOf(scheduler, run.id, start));
  if (known === null) throw new LostValues('there is nothing beside it by which its secrets could be known again');
  const forgotten = whyForgotten(scheduler, run);
  if (forgotten !== null) throw new LostValues(forgotten);
  const secrets = await fetchRunSecrets(scheduler, run, AbortSignal.timeout(60_000));
  const others = await whyOthers(run, known, secrets);
  if (others !== null) throw new LostValues(others);
  return maskValues(secrets);
};

/** Why these are not the values that a start had; null: they are. */
const whyOthers = async (
  { secrets: ids }: Secretive,
  known: Fingerprints,
  secrets: readonly Secret[],
): Promise<string | null> => {
  const { changed, missing } = await differing(known, secrets);
  const [name] = [...changed, ...missing, ...Object.keys(ids).filter((one) => !known.of.has(one))];
  return name === undefined ? null : `${ids[name] ?? name} (for ${name}): it has another value now than the start had`;
};

/** Which value only an earlier daemon knew; null: none. */
const whyForgotten = (scheduler: Scheduler, { id: run, secrets }: Secretive): string | null => {
  if (fetchWords(scheduler).length > 0) return null;
  const kept = scheduler.keptSecrets.get(run);
  for (const [name, id] of Object.entries(secrets)) {
    const variable = variableOf(id);
    if (variable !== null && kept?.has(variable) !== true)
      return `${id} (for ${name}): the daemon that had it in memory has ended`;
  }
  return null;
};
