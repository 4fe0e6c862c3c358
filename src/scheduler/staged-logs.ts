import { existsSync } from 'node:fs';
import { keptFile } from '../logs/keep-log.ts';
import { controlStage, prepareStageFolder, type Stream } from '../logs/stage-folder.ts';
import { processVariables } from '../machine/process-environment.ts';
import { OrcaError } from '../errors/orca-error.ts';
import { SecretFailure } from '../secrets/secret-failure.ts';
import { maskValues, type Mask, type Masker } from '../secrets/mask-values.ts';
import type { Secret } from '../secrets/secrets-env.ts';
import { startVariable } from '../settings/start-variables.ts';
import type { Run } from '../store/run.ts';
import type { RunId } from '../units/brands.ts';
import { isControl } from './control.ts';
import { fetchRunSecrets } from './fetch-run-secrets.ts';
import type { LiveStart } from './live-start.ts';
import type { Scheduler } from './scheduler.ts';
import { logFiles, plainPipeline } from './state-folder.ts';

const warnedOnce = 'how values are masked';

/** What masks the outputs of starts that are not all in their logs yet, by `run.start`. The values are nowhere else. */
export type Masks = Map<string, Promise<Mask>>;

export const startKey = (run: number, start: number): string => `${run}.${start}`;

export const stageFile = ({ settings, state }: Scheduler, run: RunId, start: number, stream: Stream): string =>
  controlStage(
    { folder: settings.get('ORCA_LOG_STAGE'), state: state.folder },
    { pipeline: plainPipeline, run, start, stream },
  );

/** Whether an output of a start is not, or not wholly, where it goes from the stage. */
export const isStillStaged = (scheduler: Scheduler, run: RunId, start: number): boolean =>
  (['stdout', 'stderr'] as const).some((stream) => {
    const stage = stageFile(scheduler, run, start, stream);
    return existsSync(stage) || existsSync(keptFile(stage));
  });

/** Whether a start's outputs go by way of the stage: those on control, and any with secrets. */
export const isStaged = (scheduler: Scheduler, { row }: Pick<LiveStart, 'row'>): boolean =>
  Object.keys(row.secrets).length > 0 || isControl(scheduler, row);

/** Where the command writes to. */
export const outputName = (scheduler: Scheduler, live: LiveStart, stream: Stream): string =>
  isStaged(scheduler, live)
    ? stageFile(scheduler, live.run, live.start, stream)
    : logFiles(scheduler.state, live.run, live.start)[stream];

/** Where the command writes to. Throws, with why, when the stage cannot be used. */
export const outputFiles = (scheduler: Scheduler, live: LiveStart): { stdout: string; stderr: string } => {
  const { settings, state } = scheduler;
  live.staged = isStaged(scheduler, live);
  if (live.staged) {
    prepareStageFolder(settings.get('ORCA_LOG_STAGE'), state.logs, process.getuid?.() ?? 0);
  }
  return { stdout: outputName(scheduler, live, 'stdout'), stderr: outputName(scheduler, live, 'stderr') };
};

/** The values that a start was given. */
export const rememberMask = (scheduler: Scheduler, { run, start }: LiveStart, secrets: readonly Secret[]): void => {
  const mask = maskValues(secrets);
  if (mask.warning !== null) scheduler.log.warn({ run, start }, `${warnedOnce}: ${mask.warning}`);
  scheduler.masks.set(startKey(run, start), Promise.resolve(mask));
};

/** A start of an earlier daemon: its own environment has the values that it was given, as long as it lives. */
export const recallMask = (scheduler: Scheduler, live: LiveStart): void => {
  const names = Object.keys(live.row.secrets);
  if (names.length === 0 || live.pid === null || live.otherBoot) return;
  const found = processVariables(scheduler.host.procRoot, live.pid, [...names, startVariable]);
  if (found === null || found.get(startVariable) !== live.uuid) return;
  const secrets = names.map((name) => ({ name, value: found.get(name) ?? '' }));
  scheduler.masks.set(startKey(live.run, live.start), Promise.resolve(maskValues(secrets)));
};

/** What masks a start's outputs: what is remembered, else its secrets as they are now. Throws a SecretFailure where they cannot be had. */
export const maskOf = (scheduler: Scheduler, run: Pick<Run, 'id' | 'secrets'>, start: number): Promise<Mask> => {
  const known = scheduler.masks.get(startKey(run.id, start));
  if (known !== undefined) return known;
  const fetched = fetchRunSecrets(scheduler, run, AbortSignal.timeout(60_000)).then(maskValues);
  scheduler.masks.set(startKey(run.id, start), fetched);
  fetched.catch(() => scheduler.masks.delete(startKey(run.id, start)));
  return fetched;
};

/** For whoever reads what is not in the log yet. */
export const openMask = async (
  scheduler: Scheduler,
  run: Pick<Run, 'id' | 'secrets'>,
  start: number,
): Promise<Masker> => {
  try {
    return (await maskOf(scheduler, run, start)).open();
  } catch (cause) {
    // Of another error only that there was one: it may hold what a source gave.
    const why = cause instanceof SecretFailure ? cause.message : 'an unknown error';
    throw new OrcaError('log-kept-back', { run: run.id, why });
  }
};
