/** What follows the end of a start: the run's end, or another start (design: Memory 5, Verdicts). Pure. */
import { millis, type Mib, type Millis } from '../units/brands.ts';
import type { RetryOn } from './extras.ts';
import { noRaise, raisedMib, type MemoryRange } from './request.ts';
import type { Verdict } from './states.ts';
import type { FinalState } from './transitions.ts';

/** Which out-of-memory verdicts a run may be started again for: proved ones, also what is only reported, or none. */
export type OomRetry = 'proved' | 'reported' | 'never';

export interface RetryRun {
  readonly request: MemoryRange | null;
  readonly retries: number;
  /** What `--retries` covers; null: failed, and lost. */
  readonly retryOn: RetryOn | null;
  readonly oomRetry: OomRetry;
  /** How many second starts were given already, by which bound they count against. */
  readonly used: { readonly ordinary: number; readonly oom: number };
  /** A person asked for this run's end, whatever the start's verdict is. */
  readonly killAsked: boolean;
  /** It was asked for when the start was over already: no other start follows, and the start's own verdict is the run's. */
  readonly killedAfterEnd?: boolean;
}

export interface EndedStart {
  readonly verdict: Verdict;
  readonly evidence: string | null;
  /** Whether the verdict proves that a bigger limit would have helped (design: the Raise bullet). */
  readonly raises: boolean;
  readonly limit: Mib;
  /** Null: it ended by a signal, or was not seen to end. */
  readonly exitCode: number | null;
}

export interface RetryTerms {
  readonly growthPct: number;
  /** The most that a retry may ask for: `ceilingMib()`. */
  readonly ceiling: Mib;
  /** `ORCA_CONTROL_MEMORY_MB` on control; left out and 0: no such bound. */
  readonly placementCap?: Mib;
  /** From 0 up to 1, for the jitter of the back-off. */
  readonly random: number;
  /** How often a run is started again for memory at most. */
  readonly oomBound: number;
  /** The first wait of the back-off, in ms; left out: a second. */
  readonly delayMs?: number;
}

export type Decision =
  | {
      readonly next: 'final';
      readonly state: FinalState;
      /** Sentences for the run's text: why there is no other start and how to ask for one; null: nothing to add. */
      readonly because: string | null;
    }
  | {
      readonly next: 'again';
      /** The bound that this start counts against. */
      readonly counts: 'ordinary' | 'oom';
      readonly afterMs: Millis;
      /** The run's raise from now on; null: the next start has the same size. */
      readonly raised: Mib | null;
    };

export const afterStart = (run: RetryRun, ended: EndedStart, terms: RetryTerms): Decision => {
  switch (ended.verdict) {
    case 'succeeded':
      return final('succeeded');
    case 'killed':
      return final('killed');
    case 'failed':
    case 'timed-out':
    case 'lost':
      return run.killAsked ? stopped(run, ended.verdict) : ordinary(run, ended.verdict, ended.exitCode, terms);
    case 'out-of-memory':
      // Its parent is over, which ends it as a kill does, a moment later. There is no more to be had from a parent that ran out.
      if (ended.evidence === 'parent-cgroup') return final('out-of-memory');
      return run.killAsked ? stopped(run, 'out-of-memory') : outOfMemory(run, ended, terms);
  }
};

/**
 * The wait before the next start: a second, doubled with each start given before, to 5 minutes; give or take 20 %. A first wait that is longer
 * than that was asked for, and stays.
 */
export const backOff = (given: number, random: number, firstMs = 1000): Millis => {
  const most = Math.max(300_000, firstMs);
  return millis(Math.round(Math.min(most, firstMs * 2 ** Math.min(given, 20)) * (0.8 + 0.4 * random)));
};

const final = (state: FinalState, because: string | null = null): Decision => ({ next: 'final', state, because });

const stopped = (run: RetryRun, verdict: FinalState): Decision =>
  final(run.killedAfterEnd === true ? verdict : 'killed');

/**
 * What the list of `--retry-on` names, and always what was lost: that was no doing of the program's. Codes stand for those failures alone.
 */
const covers = (retryOn: RetryOn | null, verdict: FinalState, exitCode: number | null): boolean => {
  if (verdict === 'lost') return true;
  if (retryOn === null) return verdict === 'failed';
  if (verdict === 'failed' && exitCode !== null && retryOn.codes.includes(exitCode)) return true;
  return retryOn.verdicts.some((named) => named === verdict);
};

const ordinary = (run: RetryRun, verdict: FinalState, exitCode: number | null, terms: RetryTerms): Decision => {
  if (run.used.ordinary >= run.retries) return final(verdict);
  if (!covers(run.retryOn, verdict, exitCode))
    return final(verdict, run.retryOn === null ? null : 'It is not tried again: `--retry-on` does not name that.');
  return {
    next: 'again',
    counts: 'ordinary',
    afterMs: backOff(run.used.ordinary, terms.random, terms.delayMs),
    raised: null,
  };
};

const outOfMemory = (run: RetryRun, ended: EndedStart, terms: RetryTerms): Decision => {
  const bound = terms.oomBound;
  const again = (raised: Mib | null, afterMs: Millis): Decision =>
    run.used.oom < bound
      ? { next: 'again', counts: 'oom', afterMs, raised }
      : final('out-of-memory', `It was started again ${bound} times for memory, which is the bound.`);

  if (ended.raises) {
    const raised = raisedMib(ended.limit, terms.growthPct, terms.ceiling);
    if (raised <= ended.limit) return final('out-of-memory', atTheMost(run.request, ended, terms));
    if (run.oomRetry === 'never') return final('out-of-memory', 'It is not tried again, as was asked.');
    if (!mayStartTwice(run)) return final('out-of-memory', noConsent(ended.limit));
    // No back-off: what was wrong is mended, the next start is bigger.
    return again(raised, millis(0));
  }
  if (run.oomRetry === 'never' || !mayStartTwice(run)) return final('out-of-memory');
  if (ended.evidence === 'shared-counter' && run.oomRetry !== 'reported') {
    return final(
      'out-of-memory',
      'That is not proved, so it is not tried again by itself; `--oom-retry=reported` allows that, and `orca retry` runs it once more.',
    );
  }
  return again(null, backOff(run.used.oom, terms.random, terms.delayMs));
};

/** Without a range or `--retries` nothing is started twice. */
export const mayStartTwice = (run: {
  readonly request: { readonly min: number; readonly max: number } | null;
  readonly retries: number;
}): boolean => run.retries > 0 || (run.request !== null && run.request.min < run.request.max);

const atTheMost = (
  request: MemoryRange | null,
  { limit, evidence }: EndedStart,
  { ceiling, placementCap = noRaise }: RetryTerms,
): string => {
  // Nothing was seen of it: the program may have ended so for another reason.
  const would = evidence === 'declared' ? 'By what was declared it would' : 'It would';
  if (ceiling === 0 || limit < ceiling) {
    return `${would} need more than ${limit} MB, and ORCA_RUN_MEMORY_GROWTH is 1, so a second start would get no more; ask for more with \`--memory\`.`;
  }
  if (placementCap > 0 && limit >= placementCap) {
    return `${would} need more than ${limit} MB, the most that a run on control may have, so it is not tried again; give it another placement, or raise ORCA_CONTROL_MEMORY_MB.`;
  }
  if (request === null || limit < request.max) {
    return `${would} need more than ${limit} MB, the most that can be granted here; it needs a machine with more memory, or a smaller job.`;
  }
  const most = `${would} need more than ${limit} MB, the most that was asked for, so it is not tried again; `;
  return `${most}ask for more with \`--memory ${request.min}MB..${limit * 2}MB\`.`;
};

const noConsent = (limit: Mib): string =>
  `It is not tried again: nobody allowed a second start; allow a bigger one with \`--memory ${limit}MB..${limit * 2}MB\`.`;
