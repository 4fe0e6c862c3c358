import { existsSync, readdirSync, statSync } from 'node:fs';
import { cutLog } from '../logs/cut-log.ts';
import { keepLog } from '../logs/keep-log.ts';
import { controlStage, prepareStageFolder, stagedOutput, type Stream } from '../logs/stage-folder.ts';
import { processVariables } from '../machine/process-environment.ts';
import { OrcaError } from '../errors/orca-error.ts';
import { SecretFailure } from '../secrets/secret-failure.ts';
import { maskValues, type Mask, type Masker } from '../secrets/mask-values.ts';
import type { Secret } from '../secrets/secrets-env.ts';
import { settingsForRun } from '../settings/run-settings.ts';
import { startVariable } from '../settings/start-variables.ts';
import { getRunWithStarts } from '../store/get-run.ts';
import type { Run } from '../store/run.ts';
import { bytesOfMib, runId, type RunId } from '../units/brands.ts';
import { isControl } from './control.ts';
import { errorWords } from './error-words.ts';
import { fetchRunSecrets } from './fetch-run-secrets.ts';
import type { LiveStart } from './live-start.ts';
import type { Scheduler } from './scheduler.ts';
import { logFiles, plainPipeline } from './state-folder.ts';

const streams = ['stdout', 'stderr'] as const;
const warnedOnce = 'how values are masked';

/** What masks the outputs of starts that are not all in their logs yet, by `run.start`. The values are nowhere else. */
export type Masks = Map<string, Promise<Mask>>;

const key = (run: number, start: number): string => `${run}.${start}`;

export const stageFile = ({ settings, state }: Scheduler, run: RunId, start: number, stream: Stream): string =>
  controlStage(
    { folder: settings.get('ORCA_LOG_STAGE'), state: state.folder },
    { pipeline: plainPipeline, run, start, stream },
  );

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
  if (isStaged(scheduler, live)) {
    prepareStageFolder(settings.get('ORCA_LOG_STAGE'), state.logs, process.getuid?.() ?? 0);
  }
  return { stdout: outputName(scheduler, live, 'stdout'), stderr: outputName(scheduler, live, 'stderr') };
};

/** The values that a start was given. */
export const rememberMask = (scheduler: Scheduler, { run, start }: LiveStart, secrets: readonly Secret[]): void => {
  const mask = maskValues(secrets);
  if (mask.warning !== null) scheduler.log.warn({ run, start }, `${warnedOnce}: ${mask.warning}`);
  scheduler.masks.set(key(run, start), Promise.resolve(mask));
};

/** A start of an earlier daemon: its own environment has the values that it was given, as long as it lives. */
export const recallMask = (scheduler: Scheduler, live: LiveStart): void => {
  const names = Object.keys(live.row.secrets);
  if (names.length === 0 || live.pid === null || live.otherBoot) return;
  const found = processVariables(scheduler.host.procRoot, live.pid, [...names, startVariable]);
  if (found === null || found.get(startVariable) !== live.uuid) return;
  const secrets = names.map((name) => ({ name, value: found.get(name) ?? '' }));
  scheduler.masks.set(key(live.run, live.start), Promise.resolve(maskValues(secrets)));
};

/** What masks a start's outputs: what is remembered, else its secrets as they are now. Throws a SecretFailure where they cannot be had. */
const maskOf = (scheduler: Scheduler, run: Pick<Run, 'id' | 'secrets'>, start: number): Promise<Mask> => {
  const known = scheduler.masks.get(key(run.id, start));
  if (known !== undefined) return known;
  const fetched = fetchRunSecrets(scheduler, run, AbortSignal.timeout(60_000)).then(maskValues);
  scheduler.masks.set(key(run.id, start), fetched);
  fetched.catch(() => scheduler.masks.delete(key(run.id, start)));
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

type Kept = Pick<Run, 'id' | 'secrets' | 'settings'>;

/**
 * When a start is over: takes its outputs from the stage into their logs, and cuts what is over its cap. What cannot be kept stays in the stage, and is
 * said.
 */
export const keepLogs = (scheduler: Scheduler, run: Kept, start: number): void => {
  const staged = streams.filter((stream) => existsSync(stageFile(scheduler, run.id, start, stream)));
  const max = bytesOfMib(settingsForRun(scheduler.settings, run.settings).get('ORCA_LOG_MAX_MB'));
  const logs = logFiles(scheduler.state, run.id, start);
  const isLarge = (log: string): boolean => (statSync(log, { throwIfNoEntry: false })?.size ?? 0) > max;
  const large = max > 0 && streams.some((stream) => isLarge(logs[stream]));
  if (staged.length === 0 && !large) {
    scheduler.masks.delete(key(run.id, start));
    return;
  }
  const work = keepAll(scheduler, run, start, { staged, max }).finally(() => scheduler.keepingLogs.delete(work));
  scheduler.keepingLogs.add(work);
};

const keepAll = async (
  scheduler: Scheduler,
  run: Kept,
  start: number,
  { staged, max }: { readonly staged: readonly Stream[]; readonly max: number },
): Promise<void> => {
  const logs = logFiles(scheduler.state, run.id, start);
  try {
    if (staged.length > 0) {
      const { open } = await maskOf(scheduler, run, start);
      for (const stream of staged) {
        await keepLog({ stage: stageFile(scheduler, run.id, start, stream), log: logs[stream], open });
      }
    }
    for (const stream of streams) await cutLog(logs[stream], max);
    scheduler.masks.delete(key(run.id, start));
  } catch (error) {
    const folder = scheduler.settings.get('ORCA_LOG_STAGE');
    scheduler.log.error(
      {
        run: run.id,
        start,
        why: error instanceof SecretFailure || isSystem(error) ? errorWords(error) : 'an unknown error',
      },
      `output of a start could not be brought into its log: what is in ${folder} stays there`,
    );
  }
};

/** What an earlier daemon could not finish. */
export const resumeLogs = async (scheduler: Scheduler): Promise<void> => {
  const seen = new Set<string>();
  for (const name of namesIn(scheduler.settings.get('ORCA_LOG_STAGE'))) {
    const output = stagedOutput(scheduler.state.folder, name);
    if (output === null || seen.has(key(output.run, output.start))) continue;
    seen.add(key(output.run, output.start));
    const found = await getRunWithStarts(scheduler.store.read, runId(output.run));
    const start = found?.starts.find((one) => one.start === output.start);
    if (found !== null && start?.state === 'ended') keepLogs(scheduler, found.run, start.start);
  }
};

const isSystem = (error: unknown): boolean => error instanceof Error && 'syscall' in error;

const namesIn = (folder: string): readonly string[] => {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
};
