import { setTimeout as wait } from 'node:timers/promises';
import { basename } from 'node:path';
import { ownCounts, sharedRise } from '../evidence/counters.ts';
import type { KernelLog } from '../evidence/evidence.ts';
import { killInTree, type TreeInTime } from '../evidence/kernel-log.ts';
import type { ExitRecord } from '../keeper/records.ts';
import { ownEvents } from './contain.ts';
import type { Ending } from './finish.ts';
import type { LiveStart } from './live-start.ts';
import type { Scheduler } from './scheduler.ts';

/** The kernel signals first and writes its line then: where it surely killed something, that line is waited for. */
const lineWithinMs = 100;

/** What the kernel log says of a start that is over. It is read only where that can change the verdict; else it counts as unread. */
export const readKernelLog = async (scheduler: Scheduler, live: LiveStart, ending: Ending): Promise<KernelLog> => {
  if (!canMatter(scheduler, live, ending)) return 'unread';
  const record = ending.record ?? null;
  const look = async (): Promise<KernelLog> =>
    killInTree(await scheduler.kernelLog.kills(), treeInTime(scheduler, live, record));
  const found = await look();
  if (found !== 'nothing' || sharedRise(record).kind !== 'rose') return found;
  await wait(lineWithinMs);
  return look();
};

const canMatter = (scheduler: Scheduler, live: LiveStart, { record, refused }: Ending): boolean => {
  if (scheduler.inPidNamespace || refused !== undefined || live.otherBoot) return false;
  const exit = record ?? null;
  if (exit?.how === 'not-started' || (exit?.how === 'exited' && exit.code === 0)) return false;
  const otherBoot = exit?.boot != null && scheduler.bootId !== null && exit.boot !== scheduler.bootId;
  return !otherBoot && ownCounts({ exit, ownEvents: ownEvents(scheduler, live) }) === null;
};

/** The record's wall times as the log counts time: from how long ago they are. */
const treeInTime = ({ host }: Scheduler, live: LiveStart, record: ExitRecord | null): TreeInTime => {
  const [nowUs, now] = [host.monotonicUs(), host.now()];
  const at = (wallMs: number): number => nowUs - Math.max(0, now - wallMs) * 1000;
  const toUs = at(record?.ended_ms ?? now);
  const elapsedUs = record?.elapsed_us ?? null;
  return {
    fromUs: elapsedUs === null ? at(record?.started_ms ?? live.startedAt ?? live.claimedAt) : toUs - elapsedUs,
    toUs,
    nowUs,
    leader: live.pid,
    lastSeenUs: (pid) => live.seenPids.lastSeenUs(pid),
    cgroup: live.cgroup === null ? null : basename(live.cgroup),
  };
};
