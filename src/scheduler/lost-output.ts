import { existsSync } from 'node:fs';
import { keptFile } from '../logs/keep-log.ts';
import { lostOutputWords } from '../runs/lost-output.ts';
import type { LiveStart } from './live-start.ts';
import type { Scheduler } from './scheduler.ts';
import { isStaged, stageFile, stageOf } from './staged-logs.ts';
import { isUsedUp } from './start-room.ts';

const outputs = [
  ['stdout', 'standard output'],
  ['stderr', 'standard error'],
] as const;

/** What is to be said at the end of a start of whose output some did not get into the stage, or is not there any more; null: nothing. */
export const lostOutput = (scheduler: Scheduler, live: LiveStart, hasBegun: boolean): string | null => {
  if (!isStaged(scheduler, live)) return null;
  const folder = stageOf(scheduler, live.run, live.start);
  const gone = hasBegun ? outputs.filter(([stream]) => isGone(scheduler, live, stream)) : [];
  if (gone.length > 0) {
    const words = lostOutputWords.gone(
      folder,
      gone.map(([, name]) => name),
    );
    scheduler.log.error({ run: live.run, start: live.start }, `output of a start is lost: ${words}`);
    return words;
  }
  return isUsedUp(folder) ? lostOutputWords.full(folder) : null;
};

/** Its keeper made the file before the command began; a person may have taken it into its log meanwhile. */
const isGone = (scheduler: Scheduler, { run, start, logs }: LiveStart, stream: 'stdout' | 'stderr'): boolean => {
  const stage = stageFile(scheduler, run, start, stream);
  return ![stage, keptFile(stage), logs[stream]].some((file) => existsSync(file));
};
