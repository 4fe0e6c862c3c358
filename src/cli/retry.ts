import type { DaemonClient } from '../client/daemon-client.ts';
import { groupHandle } from '../runs/handle.ts';
import type { KnownRunJson, RetryAnswer, RetryRequest, SubmitAnswer } from '../wire/api.ts';
import type { Context } from './context.ts';
import { exitStatus } from './exit-status.ts';
import { handleOf } from './handle.ts';
import { knownWords } from './known-words.ts';
import { afterWords } from './needs-words.ts';
import { openClientToSubmit } from './open-client.ts';
import { PrintedNumbers, rangeWords } from './printed-numbers.ts';
import { environmentOf } from './request-options.ts';
import { retryPlan, type Planned } from './retry-plan.ts';
import { say } from './say.ts';
import { submitterOf } from './submitter.ts';
import { warnDifferences } from './warn-differences.ts';
import { warnEnvironment } from './warn-environment.ts';

interface RetryOptions {
  readonly env?: readonly string[];
  readonly as?: string;
  readonly json?: boolean;
}

/** `orca retry`: new runs of the same commands, folders and requests, with the caller's environment; prints their numbers. */
export async function retry(context: Context, ids: readonly string[], options: RetryOptions): Promise<number> {
  const handles = ids.map(handleOf);
  const client = openClientToSubmit(context);
  const env = environmentOf(context.env, []);
  const set = options.env === undefined ? {} : environmentOf({}, options.env);
  const submitter = submitterOf(context, options.as);
  await warnDifferences(context, client);
  await warnEnvironment(context, { ...env, ...set });
  const { planned, groups } = await retryPlan(context, client, handles);
  const numbers = new PrintedNumbers(context.out);
  const request = { env, ...(options.env === undefined ? {} : { set }), submitter };
  const told = options.json === true ? null : numbers;
  const made = await retryAll(context, client, planned, request, told);
  if (told !== null)
    for (const group of groups) await say(context, againWords(group, planned, made.groups.get(group) ?? null));
  for (const one of made.known) await say(context, knownWords(one, context.clock.now()));
  const runs = planned.flatMap(({ run }) => made.runs.get(run) ?? []);
  const together = groups.length === 1 && planned.every(({ of }) => of !== null);
  const group = together ? (made.groups.get(groups[0] ?? 0) ?? null) : null;
  const answer: SubmitAnswer = { runs, group, known: made.known };
  if (options.json === true) await numbers.json(answer);
  numbers.check();
  return exitStatus.ok;
}

interface Made {
  /** New runs, by the old ones. */
  readonly runs: Map<number, number>;
  readonly groups: Map<number, number>;
  readonly known: KnownRunJson[];
}

/**
 * The oldest first: what a run came after is older than it, so that its retry can come after theirs. The numbers are printed in the order of
 * what was typed, each as soon as those before it are known.
 */
async function retryAll(
  context: Context,
  client: DaemonClient,
  planned: readonly Planned[],
  request: Omit<RetryRequest, 'token'>,
  told: PrintedNumbers | null,
): Promise<Made> {
  const token = context.newToken();
  const made: Made = { runs: new Map(), groups: new Map(), known: [] };
  let printed = 0;
  try {
    for (const one of planned.toSorted((a, b) => a.run - b.run)) {
      const grouped = one.of === null ? {} : { group: made.groups.get(one.of) ?? ('new' as const) };
      const answer = await client.retry(one.run, {
        ...request,
        ...grouped,
        ...insteadOf(one, made),
        token: `${token}.${one.run}`,
      });
      take(made, one, answer);
      if (answer.warning !== undefined) await say(context, answer.warning);
      if ((answer.not_after ?? []).length > 0) await say(context, notAfterWords(one, answer));
      for (let next = planned[printed]; told !== null && next !== undefined; next = planned[printed]) {
        const run = made.runs.get(next.run);
        if (run === undefined) break;
        await told.lines([run]);
        printed += 1;
      }
    }
  } catch (cause) {
    if (made.runs.size > 0) await say(context, `accepted before this: ${rangeWords([...made.runs.values()])}`);
    throw cause;
  }
  return made;
}

function take({ runs, groups, known }: Made, { run, of }: Planned, answer: RetryAnswer): void {
  const [number] = answer.runs;
  if (number !== undefined) runs.set(run, number);
  if (of !== null && answer.group != null && !groups.has(of)) groups.set(of, answer.group);
  known.push(...(answer.known ?? []));
}

/** Of what the run came after, that which was tried again before it. */
function insteadOf({ after }: Planned, made: Made): Pick<RetryRequest, 'instead'> {
  const instead = after.flatMap((one) => {
    const by = 'run' in one ? made.runs.get(one.run) : made.groups.get(one.group);
    return by === undefined ? [] : [{ ...('run' in one ? { run: one.run } : { group: one.group }), by }];
  });
  return instead.length === 0 ? {} : { instead };
}

function notAfterWords({ run }: Planned, { runs, not_after: after = [] }: RetryAnswer): string {
  const what = afterWords({ after }) ?? '';
  return `run ${run} came after ${what}, which did not succeed or is gone: run ${runs[0] ?? 0} does not wait for it`;
}

function againWords(group: number, planned: readonly Planned[], again: number | null): string {
  const count = planned.filter(({ of }) => of === group).length;
  const as = again === null ? '' : `, as group ${groupHandle(again)}`;
  return `${count === 1 ? '1 run' : `${count} runs`} of group ${groupHandle(group)} again${as}`;
}
