import { existsSync } from 'node:fs';
import { keptFile } from '../logs/keep-log.ts';
import { controlStage, fingerprintFile, prepareStageFolder, stageFolder, type Stream } from '../logs/stage-folder.ts';
import type { RunId } from '../units/brands.ts';
import { isControl } from './control.ts';
import type { LiveStart } from './live-start.ts';
import type { Scheduler } from './scheduler.ts';
import { plainPipeline } from './state-folder.ts';

const streams = ['stdout', 'stderr'] as const;

export const startKey = (run: number, start: number): string => `${run}.${start}`;

/** This daemon's, for whom it runs. */
export const ownStage = ({ settings }: Pick<Scheduler, 'settings'>): string =>
  stageFolder(settings, process.getuid?.() ?? 0);

/** And those of earlier daemons in which something may still be. */
export const allStages = (scheduler: Pick<Scheduler, 'settings' | 'logKeeping'>): readonly string[] => [
  ownStage(scheduler),
  ...scheduler.logKeeping.olderStages,
];

/** The one that has, or will have, the outputs of a start. */
export const stageOf = (scheduler: Scheduler, run: RunId, start: number): string => {
  const all = allStages(scheduler);
  const has = (folder: string): boolean =>
    streams.some((stream) => {
      const file = fileIn(scheduler, folder, { run, start, stream });
      return [file, keptFile(file), fingerprintFile(file)].some((one) => existsSync(one));
    });
  return (all.length === 1 ? undefined : all.find(has)) ?? ownStage(scheduler);
};

export const stageFile = (scheduler: Scheduler, run: RunId, start: number, stream: Stream): string =>
  fileIn(scheduler, stageOf(scheduler, run, start), { run, start, stream });

const fileIn = (
  { state }: Pick<Scheduler, 'state'>,
  folder: string,
  output: { readonly run: RunId; readonly start: number; readonly stream: Stream },
): string => controlStage({ folder, state: state.named }, { pipeline: plainPipeline, ...output });

/** Whether an output of a start is not, or not wholly, where it goes from the stage. */
export const isStillStaged = (scheduler: Scheduler, run: RunId, start: number): boolean =>
  streams.some((stream) => {
    const stage = stageFile(scheduler, run, start, stream);
    return existsSync(stage) || existsSync(keptFile(stage));
  });

/** Whether a start's outputs go by way of the stage: those on control, and any with secrets. */
export const isStaged = (scheduler: Pick<Scheduler, 'settings'>, { row }: Pick<LiveStart, 'row'>): boolean =>
  Object.keys(row.secrets).length > 0 || isControl(scheduler, row);

/** Where the command writes to. */
export const outputName = (scheduler: Scheduler, live: LiveStart, stream: Stream): string =>
  isStaged(scheduler, live) ? stageFile(scheduler, live.run, live.start, stream) : live.logs[stream];

/** Where the command writes to. Throws, with why, when the stage cannot be used. */
export const outputFiles = (scheduler: Scheduler, live: LiveStart): { stdout: string; stderr: string } => {
  live.staged = isStaged(scheduler, live);
  if (live.staged) makeStage(scheduler);
  return { stdout: outputName(scheduler, live, 'stdout'), stderr: outputName(scheduler, live, 'stderr') };
};

/** Throws, with why, when the stage cannot be used. */
export const makeStage = ({ settings, state }: Pick<Scheduler, 'settings' | 'state'>): void =>
  prepareStageFolder(ownStage({ settings }), state.logs, process.getuid?.() ?? 0);
