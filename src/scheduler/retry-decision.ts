import { nextWords } from '../evidence/next-words.ts';
import type { Judgement } from '../evidence/verdict.ts';
import { ceilingMib, raisedMib } from '../runs/request.ts';
import { afterStart, type Decision } from '../runs/retry.ts';
import { settingsForRun } from '../settings/run-settings.ts';
import type { Run } from '../store/run.ts';
import { bytesOfMib, mib, mibOfBytes, type Bytes } from '../units/brands.ts';
import { placementCap, type Placed } from './control.ts';
import { memoryRange } from './enqueue.ts';
import type { LiveStart } from './live-start.ts';
import type { Scheduler } from './scheduler.ts';

export interface Following {
  readonly decision: Decision;
  /** The verdict's text with what comes next. */
  readonly text: string;
  /** The next start's limit, when memory is why there is one. */
  readonly nextLimit: Bytes | null;
  /** What later runs of the command should begin with, when it died for memory and more would have helped. */
  readonly raised: Bytes | null;
}

/** What is looked at of the run, and of the daemon. */
type AskedRun = Placed &
  Pick<
    Run,
    | 'memory_min_bytes'
    | 'memory_max_bytes'
    | 'retries'
    | 'extras'
    | 'oom'
    | 'ordinary_used'
    | 'oom_used'
    | 'kill_at'
    | 'settings'
  >;
type Place = Pick<Scheduler, 'settings' | 'budget'> & { readonly host: Pick<Scheduler['host'], 'random'> };
type Limited = Pick<LiveStart, 'limit'> & Partial<Pick<LiveStart, 'parent'>>;

/** What follows a start's end, in facts and in words. */
export const retryDecision = (
  scheduler: Place,
  run: AskedRun,
  live: Limited,
  judged: Judgement,
  killedAfterEnd = false,
): Following => {
  const { settings, budget, host } = scheduler;
  const request = memoryRange(run);
  const growth = settings.get('ORCA_RUN_MEMORY_GROWTH');
  const growthPct = Math.round(growth * 100);
  const room = live.parent?.limit ?? mibOfBytes(budget.memory);
  // A range may end above what the host can grant, and a start raised to more would wait for ever.
  const most = placementCap({ settings }, run);
  const ceiling = ceilingMib(request?.max ?? null, room, most > 0 ? mib(Math.min(room, most)) : room);
  const decision = afterStart(
    {
      request,
      retries: run.retries,
      retryOn: run.extras.retry_on,
      oomRetry: run.oom.retry,
      used: { ordinary: run.ordinary_used, oom: run.oom_used },
      killAsked: run.kill_at !== null,
      killedAfterEnd,
    },
    {
      verdict: judged.verdict,
      evidence: judged.evidence,
      raises: judged.raises,
      limit: live.limit,
      exitCode: judged.exitCode,
    },
    {
      growthPct,
      ceiling,
      placementCap: most,
      random: host.random(),
      oomBound: settings.get('ORCA_OOM_RETRIES'),
      delayMs: settingsForRun(settings, run.settings).get('ORCA_RETRY_DELAY_SECONDS') * 1000,
    },
  );
  const said = judged.warning === null ? judged.text : `${judged.text}; ${judged.warning}`;
  const next = nextSentence(decision, live, growth);
  const raised = judged.raises ? raisedMib(live.limit, growthPct, ceiling) : live.limit;
  return {
    decision,
    text: next === null ? said : `${said}. ${next}`,
    nextLimit: nextLimit(decision, live),
    raised: raised > live.limit ? bytesOfMib(raised) : null,
  };
};

const nextLimit = (decision: Decision, live: Limited): Bytes | null =>
  decision.next === 'again' && decision.counts === 'oom' ? bytesOfMib(decision.raised ?? live.limit) : null;

const nextSentence = (decision: Decision, live: Limited, growth: number): string | null => {
  if (decision.next === 'final') return decision.because;
  if (decision.counts === 'ordinary') return null;
  return nextWords({
    limitBytes: bytesOfMib(live.limit),
    raisedBytes: decision.raised === null ? null : bytesOfMib(decision.raised),
    growth,
  });
};
