import { existsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { keptFile } from '../logs/keep-log.ts';
import type { Stream } from '../logs/stage-folder.ts';
import { lostOutputWords, outputWords, type LostKind, type LostOutput } from '../runs/lost-output.ts';
import type { LiveStart } from './live-start.ts';
import type { Scheduler } from './scheduler.ts';
import { isStaged, stageFile, stageOf } from './staged-logs.ts';
import { isUsedUp } from './start-room.ts';

const outputs = ['stdout', 'stderr'] as const;

/** At the end of a start whose command was begun, so that its outputs were opened: what of them is not where it belongs; null: nothing is known to be missing. */
export const lostOutput = (scheduler: Scheduler, live: LiveStart): { kind: LostKind; words: string } | null => {
  const lost = find(scheduler, live);
  if (lost === null) return null;
  const words = lostOutputWords(lost);
  if (lost.kind !== 'stage-full' && lost.kind !== 'log-full')
    scheduler.log.error({ run: live.run, start: live.start }, `output of a start is lost: ${words}`);
  return { kind: lost.kind, words };
};

const find = (scheduler: Scheduler, live: LiveStart): LostOutput | null => {
  const staged = isStaged(scheduler, live);
  const isGone = (stream: Stream): boolean => (staged ? isStageGone(scheduler, live, stream) : isLogGone(live, stream));
  const streams = outputs.filter(isGone).map((stream) => outputWords[stream]);
  const folder = staged ? stageOf(scheduler, live.run, live.start) : dirname(live.logs.stdout);
  if (streams.length > 0) return { kind: staged ? 'stage-removed' : 'log-removed', folder, streams };
  return isUsedUp(folder) ? { kind: staged ? 'stage-full' : 'log-full', folder, streams } : null;
};

/** Its keeper made the file before the command began; a person may have taken it into its log meanwhile. */
const isStageGone = (scheduler: Scheduler, { run, start, logs }: LiveStart, stream: Stream): boolean => {
  const stage = stageFile(scheduler, run, start, stream);
  return ![stage, keptFile(stage), logs[stream]].some((file) => existsSync(file));
};

/** The command has its log open: one with another inode is not the one that it writes to. */
const isLogGone = ({ logs, times }: LiveStart, stream: Stream): boolean => {
  try {
    const inode = statSync(logs[stream], { throwIfNoEntry: false })?.ino ?? null;
    const before = times?.outputs.find((output) => output.stream === stream)?.inode ?? null;
    return inode === null || (before !== null && before !== inode);
  } catch {
    // Nobody can say.
    return false;
  }
};
