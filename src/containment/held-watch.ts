import type { HeldBy } from './held.ts';
import { progressOf, progressThresholds, type Course, type Progress, type ProgressThresholds } from './progress.ts';

/** One look at one contained start. */
export interface HeldCheck<Key> {
  readonly key: Key;
  /** What it is held by (`held`, `mayThrash`), if it is. */
  readonly held: HeldBy | null;
  /** What its progress is judged by; null where it cannot be read: for one held by memory the two thresholds decide alone. Looked at when held. */
  readonly progress: Progress | null;
}

interface Stretch {
  /** The first look of the unbroken stretch. */
  readonly sinceMs: number;
  /** Where the present window of progress began. */
  readonly windowMs: number;
  readonly windowProgress: Progress | null;
  /** At some look of the window only the wait for files spoke for it. */
  readonly byFiles: boolean;
}

/** Progress is judged over as long a time as `avg10` looks back. */
const windowMs = 10_000;

/**
 * Since when each contained start has been held at its memory limit (seed 000: HeldWatch). It has no clock and reads
 * nothing; a new daemon's watch begins anew.
 */
export class HeldWatch<Key> {
  readonly #stretches = new Map<Key, Stretch | 'named'>();
  readonly #thresholds: ProgressThresholds;

  constructor(thresholds: ProgressThresholds = progressThresholds) {
    this.#thresholds = thresholds;
  }

  /**
   * The starts that have been held for `heldSeconds` at every look, each named once; none when that is 0. `checks` are all
   * contained starts: one that is missing is forgotten. `nowMs` is monotonic.
   */
  due(checks: readonly HeldCheck<Key>[], heldSeconds: number, nowMs: number): Key[] {
    const present = new Set(checks.map(({ key }) => key));
    for (const key of this.#stretches.keys()) if (!present.has(key)) this.#stretches.delete(key);
    return checks.flatMap((check) => (this.#isDue(check, heldSeconds * 1000, nowMs) ? [check.key] : []));
  }

  /** Since when it has been held without a break; null when it is not, or was named. */
  heldSince(key: Key): number | null {
    const stretch = this.#stretches.get(key);
    return stretch === undefined || stretch === 'named' ? null : stretch.sinceMs;
  }

  #isDue({ key, held, progress }: HeldCheck<Key>, heldMs: number, nowMs: number): boolean {
    const stretch = this.#stretches.get(key);
    if (stretch === 'named') return false;
    if (held === null || !(heldMs > 0)) {
      this.#stretches.delete(key);
      return false;
    }
    const fresh = { sinceMs: nowMs, windowMs: nowMs, windowProgress: progress, byFiles: held === 'files' };
    if (stretch === undefined) {
      this.#stretches.set(key, fresh);
      return false;
    }
    const byFiles = stretch.byFiles || held === 'files';
    const due = nowMs - stretch.sinceMs >= heldMs;
    if (!due && nowMs - stretch.windowMs < windowMs) {
      this.#stretches.set(key, { ...stretch, byFiles });
      return false;
    }
    const course = this.#course(stretch, progress, nowMs);
    if (course === 'progress' || (byFiles && course !== 'thrash')) {
      this.#stretches.set(key, fresh);
      return false;
    }
    this.#stretches.set(key, due ? 'named' : { ...fresh, sinceMs: stretch.sinceMs });
    return due;
  }

  #course({ windowMs: fromMs, windowProgress }: Stretch, progress: Progress | null, nowMs: number): Course {
    if (windowProgress === null || progress === null) return 'stuck';
    return progressOf(windowProgress, progress, (nowMs - fromMs) / 1000, this.#thresholds);
  }
}
