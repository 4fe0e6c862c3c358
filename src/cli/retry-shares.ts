import type { DaemonClient } from '../client/daemon-client.ts';
import type { KnownRunJson, RetryRunsAnswer, RetryRunsRequest } from '../wire/api.ts';
import type { Context } from './context.ts';
import { leaving } from './leaving.ts';
import { afterWords } from './needs-words.ts';
import { rangeWords } from './printed-numbers.ts';
import type { Planned } from './retry-plan.ts';
import { say } from './say.ts';

export interface Retried {
  /** New runs, by the old ones. */
  readonly runs: Map<number, number>;
  /** New groups, by the old ones. */
  readonly groups: Map<number, number>;
  /** Those that were there already, by their keys. */
  readonly known: Map<number, KnownRunJson>;
  /** By a person: some may not have been tried again. */
  readonly interrupted: boolean;
}

/** A commit of so many holds the daemon for about 0.1 s. */
const shareMost = 100;

/**
 * Tries runs again, in requests of bounded size. The oldest first: what a run came after is older than it, so that its retry can come after
 * theirs. `onShare` hears of what there is after each; what was accepted before a refusal goes on, and is told.
 */
export async function retryShares(
  context: Context,
  client: DaemonClient,
  planned: readonly Planned[],
  fields: Pick<RetryRunsRequest, 'env' | 'set' | 'submitter'>,
  onShare: (runs: ReadonlyMap<number, number>) => Promise<void>,
): Promise<Retried> {
  const token = context.newToken();
  // What is under way is finished, so that all that was accepted is told. A second interrupt ends the command as it stands.
  using left = planned.length > 1 ? leaving(context) : null;
  left?.signal.addEventListener('abort', () => left[Symbol.dispose]());
  const made = {
    runs: new Map<number, number>(),
    groups: new Map<number, number>(),
    known: new Map<number, KnownRunJson>(),
  };
  const oldest = planned.toSorted((a, b) => a.run - b.run);
  try {
    for (let at = 0; at < oldest.length && left?.signal.aborted !== true; at += shareMost) {
      const share = oldest.slice(at, at + shareMost);
      const more = at > 0 ? [] : oldest.slice(shareMost).map(({ run }) => run);
      const answer = await client.retry({
        ...fields,
        token,
        runs: share,
        ...(more.length === 0 ? {} : { more }),
        ...insteadOf(made),
      });
      take(made, share, answer);
      if (at === 0 && answer.warning !== undefined) await say(context, answer.warning);
      for (const line of notAfterLines(share, answer)) await say(context, line);
      await onShare(made.runs);
    }
  } catch (cause) {
    if (made.runs.size > 0) await say(context, `accepted before this: ${rangeWords([...made.runs.values()])}`);
    throw cause;
  }
  return { ...made, interrupted: left?.signal.aborted === true };
}

type Made = Omit<Retried, 'interrupted'>;

function take({ runs, groups, known }: Made, share: readonly Planned[], answer: RetryRunsAnswer): void {
  // Two of one key, far from each other: the first made the run.
  const before = new Set(runs.values());
  for (const one of answer.known ?? []) if (!before.has(one.run)) known.set(one.run, one);
  for (const [at, { run }] of share.entries()) {
    const number = answer.runs[at];
    if (number !== undefined) runs.set(run, number);
  }
  for (const { of, group } of answer.groups ?? []) groups.set(of, group);
}

function insteadOf({ runs, groups }: Made): Pick<RetryRunsRequest, 'instead'> {
  const instead = [
    ...[...runs].map(([run, by]) => ({ run, by })),
    ...[...groups].map(([group, by]) => ({ group, by })),
  ];
  return instead.length === 0 ? {} : { instead };
}

function notAfterLines(share: readonly Planned[], { runs, not_after: told = [] }: RetryRunsAnswer): string[] {
  return told.map(({ run, after }) => {
    const old = share[runs.indexOf(run)]?.run ?? 0;
    const what = afterWords({ after }) ?? '';
    return `run ${old} came after ${what}, which did not succeed or is gone: run ${run} does not wait for it`;
  });
}
