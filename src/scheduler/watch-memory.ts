import { slowedText } from '../containment/texts.ts';
import { processesKilled } from '../evidence/killed-words.ts';
import { formatDuration } from '../units/format-duration.ts';
import { formatSize } from '../units/format-size.ts';
import { bytesOfMib, type RunId } from '../units/brands.ts';
import type { LiveStart } from './live-start.ts';
import type { Scheduler } from './scheduler.ts';
import { endHeld, type Looked } from './watch-held.ts';
import { tellKills } from './watch-kills.ts';

/** Looks at the memory of the running starts that have a cgroup of their own. */
export const watchMemory = (scheduler: Scheduler, running: readonly LiveStart[]): void => {
  const nowMs = performance.now();
  const starts = running.flatMap((live) =>
    live.cgroup === null
      ? []
      : [{ live, uuid: live.uuid, cgroup: live.cgroup, limitBytes: bytesOfMib(live.limit) as number }],
  );
  const slowedBefore = starts.map(({ uuid }) => isSlowed(scheduler, uuid));
  const looks = scheduler.contained.looks(starts, nowMs);
  starts.forEach(({ live, uuid }, index) => {
    // Who waits for it hears the reason that its status gives.
    if (isSlowed(scheduler, uuid) !== slowedBefore[index]) scheduler.changes.tell(live.run, false);
  });
  const contained = starts.flatMap(({ live }, index): Looked[] => {
    const look = looks[index];
    return look === undefined ? [] : [{ live, look }];
  });
  endHeld(scheduler, contained, nowMs);
  tellKills(scheduler, contained, nowMs);
};

/** What a person should know of a running run's memory now; null for nothing. */
export const memoryNote = (scheduler: Scheduler, run: RunId): string | null => {
  const live = scheduler.live.get(run);
  if (live === undefined) return null;
  const notes: string[] = [];
  const count = live.kills?.told === true ? live.kills.count : 0n;
  if (count > 0n) {
    const groupKill = scheduler.contained.lookOf(live.uuid)?.groupKill ?? null;
    notes.push(`the kernel killed ${processesKilled({ oomKill: count, groupKill })} of it for memory`);
  }
  const since = scheduler.held.heldSince(live.uuid);
  if (since !== null) {
    const by = scheduler.contained.heldBy(live.uuid) === 'files' ? 'pages of files' : 'memory';
    const limit = formatSize(bytesOfMib(live.limit));
    notes.push(`held at its limit of ${limit} for ${formatDuration(performance.now() - since)}, waiting for ${by}`);
  } else {
    const look = scheduler.contained.lookOf(live.uuid);
    if (look?.slowed === true) notes.push(slowedText(look.limitBytes, look.someAvg10 !== null));
  }
  return notes.length === 0 ? null : notes.join('; ');
};

const isSlowed = ({ contained }: Scheduler, uuid: string): boolean => contained.lookOf(uuid)?.slowed ?? false;
