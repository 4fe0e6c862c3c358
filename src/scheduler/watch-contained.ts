import { join } from 'node:path';
import { isCalm, lookDue, type Attention } from '../containment/attention.ts';
import type { CgroupFs } from '../containment/cgroup-fs.ts';
import { atLimit } from '../containment/at-limit.ts';
import { FadingPressure } from '../containment/fading-pressure.ts';
import { held, mayThrash, type HeldBy } from '../containment/held.ts';
import { ownLimitPressure } from '../containment/own-limit-pressure.ts';
import type { Progress } from '../containment/progress.ts';
import { isSlowed } from '../containment/slowed.ts';
import { readCurrent, readIoPressure, readPressure, readProgress } from '../containment/read.ts';
import { countNamed, event } from '../machine/memory-events.ts';
import type { watchOnce } from './watch-events.ts';

/** A start with a cgroup of its own. */
export interface Contained {
  readonly uuid: string;
  readonly cgroup: string;
  readonly limitBytes: number;
}

/** What was last read of it. */
export interface Look {
  readonly currentBytes: number | null;
  readonly limitBytes: number;
  readonly someAvg10: number | null;
  readonly fullAvg10: number | null;
  /** Of the disks; read at the limit only. */
  readonly ioFullAvg10: number | null;
  readonly held: HeldBy | null;
  /** It is over its limit, and the kernel slows it down. */
  readonly slowed: boolean;
  /** What its progress is judged by; read when it is held, or may be slowed and there is no PSI. */
  readonly progress: Progress | null;
  /** Kills of its processes for memory so far (`oom_kill`). */
  readonly kills: bigint;
  /** Of these by group, as `OomCounts` has it. */
  readonly groupKill: bigint | null;
}

interface Known {
  attention: Attention;
  look: Look;
  /** The text of `memory.events`. */
  events: string | null;
  /** When `high` in it was last seen to rise. */
  roseMs: number | null;
  unwatch: (() => void) | null;
  /** It was told that they changed, and did not look yet. */
  told: boolean;
  /** After a refusal the next try to watch comes then. */
  watchAgainMs: number;
}

const watchAgainAfterMs = 60_000;

/**
 * Looks at the contained starts: at every tick at those that are at their limit or were so a moment ago, now and then at the others, since
 * inotify on `memory.events` tells when one gets there. While one is looked at anyway it is not watched: at its limit it would wake the
 * daemon a hundred times a second.
 */
export class ContainedWatch {
  readonly #known = new Map<string, Known>();
  readonly #fading = new FadingPressure();
  readonly #fs: Pick<CgroupFs, 'read'>;
  readonly #watch: typeof watchOnce;

  constructor(fs: Pick<CgroupFs, 'read'>, watch: typeof watchOnce) {
    this.#fs = fs;
    this.#watch = watch;
  }

  /** What is known now of each of `starts`, which are all there are: the others are forgotten, and no watch of theirs is left. */
  looks(starts: readonly Contained[], nowMs: number): Look[] {
    const present = new Set(starts.map(({ uuid }) => uuid));
    for (const [uuid, { unwatch }] of this.#known) {
      if (present.has(uuid)) continue;
      unwatch?.();
      this.#known.delete(uuid);
    }
    const looks = starts.map((start) => this.#look(start, nowMs));
    this.ownPressure(nowMs);
    return looks;
  }

  /** The part of the machine's pressure that runs cause at their own limits, in percent: it counts that too, though it may have memory to spare, and for a while after. */
  ownPressure(nowMs: number): number {
    return this.#fading.note(ownLimitPressure([...this.#known.values()].map(({ look }) => look)), nowMs);
  }

  /** What was last read of a start; null before its first look. */
  lookOf(uuid: string): Look | null {
    return this.#known.get(uuid)?.look ?? null;
  }

  /** What a start was held by when it was last looked at. */
  heldBy(uuid: string): HeldBy | null {
    return this.#known.get(uuid)?.look.held ?? null;
  }

  #look(start: Contained, nowMs: number): Look {
    const known = this.#known.get(start.uuid) ?? this.#firstSight(start);
    this.#keepWatch(known, start, nowMs);
    if (!lookDue(known.attention, nowMs)) return known.look;
    const events = this.#fs.read(join(start.cgroup, 'memory.events'));
    const stirred = known.events !== null && events !== known.events;
    if (known.events !== null && events !== null && event(events, 'high') > event(known.events, 'high'))
      known.roseMs = nowMs;
    known.events = events;
    known.told = false;
    known.look = this.#read(start, events, known.roseMs === null ? null : nowMs - known.roseMs);
    const isHeld = known.look.held !== null;
    const { watched, stirredMs } = known.attention;
    known.attention = { watched, stirredMs: stirred ? nowMs : stirredMs, lookedMs: nowMs, held: isHeld };
    return known.look;
  }

  #firstSight({ uuid, limitBytes }: Contained): Known {
    const known: Known = {
      attention: { watched: false, stirredMs: null, lookedMs: null, held: false },
      look: {
        currentBytes: null,
        limitBytes,
        someAvg10: null,
        fullAvg10: null,
        ioFullAvg10: null,
        held: null,
        slowed: false,
        progress: null,
        kills: 0n,
        groupKill: null,
      },
      events: null,
      roseMs: null,
      unwatch: null,
      told: false,
      watchAgainMs: 0,
    };
    this.#known.set(uuid, known);
    return known;
  }

  /** Watches a calm one, before its events are read: what changes after the reading is told. */
  #keepWatch(known: Known, { cgroup }: Contained, nowMs: number): void {
    const calm = !known.told && isCalm(known.attention, nowMs);
    if (known.unwatch !== null && !calm) this.#endWatch(known);
    if (known.unwatch !== null || !calm || nowMs < known.watchAgainMs) return;
    known.unwatch = this.#watch(join(cgroup, 'memory.events'), () => {
      known.unwatch = null;
      known.told = true;
      // A look is due at the next tick, and that one finds what changed.
      known.attention = { ...known.attention, watched: false };
    });
    if (known.unwatch === null) known.watchAgainMs = nowMs + watchAgainAfterMs;
    // What changed while nobody watched is found by a look now.
    else known.attention = { ...known.attention, watched: true, lookedMs: null };
  }

  #endWatch(known: Known): void {
    known.unwatch?.();
    known.unwatch = null;
    known.attention = { ...known.attention, watched: false };
  }

  #read({ cgroup, limitBytes }: Contained, events: string | null, roseMsAgo: number | null): Look {
    const fs = this.#fs;
    const currentBytes = readCurrent(fs, cgroup);
    const pressure = readPressure(fs, cgroup);
    const fullAvg10 = pressure?.fullAvg10 ?? null;
    const someAvg10 = pressure?.someAvg10 ?? null;
    const there = atLimit(currentBytes, limitBytes);
    const ioFullAvg10 = there ? (readIoPressure(fs, cgroup)?.fullAvg10 ?? null) : null;
    const byMemory = held(currentBytes, limitBytes, fullAvg10);
    const mayBeSlowed = there && someAvg10 === null && roseMsAgo !== null;
    // memory.stat is dear to the kernel: only where it may matter.
    const progress =
      byMemory || mayBeSlowed || held(currentBytes, limitBytes, ioFullAvg10) ? readProgress(fs, cgroup) : null;
    const cacheBytes = progress?.cacheBytes ?? null;
    const byFiles = mayThrash({ currentBytes, cacheBytes, limitBytes, ioFullAvg10 });
    return {
      currentBytes,
      limitBytes,
      someAvg10,
      fullAvg10,
      ioFullAvg10,
      held: byMemory ? 'memory' : byFiles ? 'files' : null,
      slowed: isSlowed({ currentBytes, limitBytes, roseMsAgo, someAvg10, cacheBytes }),
      progress,
      kills: events === null ? 0n : event(events, 'oom_kill'),
      groupKill: events === null ? null : countNamed(events, 'oom_group_kill'),
    };
  }
}
