import { groupHandle } from '../runs/handle.ts';
import type { RetryRunsRequest } from '../wire/api.ts';
import type { Context } from './context.ts';
import { exitStatus } from './exit-status.ts';
import { handleOf } from './handle.ts';
import { knownOfManyWords, knownWords } from './known-words.ts';
import { openClientToSubmit } from './open-client.ts';
import { PrintedNumbers } from './printed-numbers.ts';
import { reportError } from './report-error.ts';
import { environmentOf } from './request-options.ts';
import { retryPlan, type Planned } from './retry-plan.ts';
import { retryShares, type Retried } from './retry-shares.ts';
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
  const json = options.json === true;
  const handles = ids.map(handleOf);
  const client = openClientToSubmit(context);
  const env = environmentOf(context.env, []);
  const set = options.env === undefined ? {} : environmentOf({}, options.env);
  const submitter = submitterOf(context, options.as);
  await warnDifferences(context, client);
  await warnEnvironment(context, { ...env, ...set });
  const planned = await retryPlan(context, client, handles);
  const numbers = new PrintedNumbers(context.out);
  const fields: Pick<RetryRunsRequest, 'env' | 'set' | 'submitter'> = {
    env,
    ...(options.env === undefined ? {} : { set }),
    submitter,
  };
  const retried = await retryShares(
    context,
    client,
    planned,
    fields,
    json ? async () => {} : printer(planned, numbers),
  );
  if (retried.interrupted) return stopped(context, planned, retried, numbers);
  const groups = [...retried.groups];
  // Of one alone the JSON tells it.
  if (!json || groups.length > 1)
    for (const [old, group] of groups) await say(context, againWords(old, group, planned, retried));
  const known = [...retried.known.values()];
  const [first] = known;
  if (first !== undefined)
    await say(
      context,
      planned.length === 1 ? knownWords(first, context.clock.now()) : knownOfManyWords(known, planned.length),
    );
  const group = groups.length === 1 ? (groups[0]?.[1] ?? null) : null;
  if (json) await numbers.json({ runs: newRuns(planned, retried.runs), group, known });
  numbers.check();
  return exitStatus.ok;
}

/** Prints new numbers in the order of what was typed, each as soon as those before it are known. */
function printer(
  planned: readonly Planned[],
  numbers: PrintedNumbers,
): (runs: ReadonlyMap<number, number>) => Promise<void> {
  let printed = 0;
  return async (runs) => {
    const from = printed;
    while (printed < planned.length && runs.has(planned[printed]?.run ?? 0)) printed += 1;
    await numbers.lines(newRuns(planned.slice(from, printed), runs));
  };
}

const newRuns = (planned: readonly Planned[], runs: ReadonlyMap<number, number>): number[] =>
  planned.flatMap(({ run }) => runs.get(run) ?? []);

/** Some are queued again, and go on; those that were there by their keys would be there anyway. */
async function stopped(
  context: Context,
  planned: readonly Planned[],
  { runs, groups, known }: Retried,
  numbers: PrintedNumbers,
): Promise<number> {
  const queued = planned.flatMap(({ run, of }) => {
    const again = runs.get(run);
    return again === undefined || known.has(again) ? [] : [{ again, of }];
  });
  const handles = [...groups.values()].map(groupHandle);
  const alone = queued.flatMap(({ again, of }) => (of === null ? [again] : []));
  const as = handles.length === 0 ? '' : `, as ${handles.length === 1 ? 'group' : 'groups'} ${handles.join(', ')}`;
  await say(
    context,
    queued.length === 0
      ? 'interrupted before anything was queued again'
      : `interrupted: ${queued.length} of ${planned.length} runs are queued again${as}, and go on; ` +
          `\`orca kill ${[...handles, ...alone].join(' ')}\` ends them`,
  );
  if (numbers.fault !== null) await reportError(numbers.fault, { err: context.err, json: false, trace: false });
  return exitStatus.interrupted;
}

/** Those that were there by their keys are in no group of this, and told of themselves. */
function againWords(old: number, group: number, planned: readonly Planned[], { runs, known }: Retried): string {
  const count = planned.filter(({ run, of }) => of === old && !known.has(runs.get(run) ?? 0)).length;
  return `${count === 1 ? '1 run' : `${count} runs`} of group ${groupHandle(old)} again, as group ${groupHandle(group)}`;
}
