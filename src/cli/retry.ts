import type { DaemonClient } from '../client/daemon-client.ts';
import { groupHandle, type Handle } from '../runs/handle.ts';
import type { KnownRunJson, RetryRequest, SubmitAnswer } from '../wire/api.ts';
import type { Context } from './context.ts';
import { exitStatus } from './exit-status.ts';
import { handleOf } from './handle.ts';
import { knownWords } from './known-words.ts';
import { openClientToSubmit } from './open-client.ts';
import { PrintedNumbers, rangeWords } from './printed-numbers.ts';
import { environmentOf } from './request-options.ts';
import { checkOver } from './retry-check.ts';
import { say } from './say.ts';
import { submitterOf } from './submitter.ts';
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
  await warnEnvironment(context, { ...env, ...set });
  const shares = await sharesOf(context, client, handles);
  const numbers = new PrintedNumbers(context.out);
  const request = { env, ...(options.env === undefined ? {} : { set }), submitter };
  const told = options.json === true ? null : numbers;
  const answer = await retryAll(context, client, shares, request, told);
  if (options.json === true) await numbers.json(answer);
  numbers.check();
  return exitStatus.ok;
}

/** Runs to be tried again; those of a group make a group again. */
interface Share {
  readonly runs: readonly number[];
  /** The group that they are of; null: they were named one by one. */
  readonly of: number | null;
}

async function sharesOf(context: Context, client: DaemonClient, handles: readonly Handle[]): Promise<Share[]> {
  const named = new Set(handles.flatMap((handle) => ('run' in handle ? [handle.run] : [])));
  // The daemon itself looks at one alone.
  if (handles.length > 1) await checkOver(client, [...named]);
  const shares: Share[] = [{ runs: [...named], of: null }];
  for (const number of new Set(handles.flatMap((handle) => ('group' in handle ? [handle.group] : [])))) {
    const group = await client.group(number);
    if (group.failed.length === 0)
      await say(context, `group ${groupHandle(number)} has no run that is over and did not succeed`);
    shares.push({ runs: group.failed, of: number });
  }
  return shares;
}

async function retryAll(
  context: Context,
  client: DaemonClient,
  shares: readonly Share[],
  request: Omit<RetryRequest, 'token'>,
  told: PrintedNumbers | null,
): Promise<SubmitAnswer> {
  const token = context.newToken();
  const runs: number[] = [];
  const known: KnownRunJson[] = [];
  let group: number | null = null;
  try {
    for (const share of shares) {
      group = null;
      for (const run of share.runs) {
        const grouped = share.of !== null ? { group: group ?? ('new' as const) } : {};
        const answer = await client.retry(run, { ...request, ...grouped, token: `${token}.${run}` });
        runs.push(...answer.runs);
        known.push(...(answer.known ?? []));
        group ??= answer.group ?? null;
        await told?.lines(answer.runs);
      }
      if (share.of === null || group === null || told === null) continue;
      const count = share.runs.length === 1 ? '1 run' : `${share.runs.length} runs`;
      await say(context, `${count} of group ${groupHandle(share.of)} again, as group ${groupHandle(group)}`);
    }
  } catch (cause) {
    if (runs.length > 0) await say(context, `accepted before this: ${rangeWords(runs)}`);
    throw cause;
  }
  for (const one of known) await say(context, knownWords(one, context.clock.now()));
  const together = shares.filter((share) => share.runs.length > 0).length === 1;
  return { runs, group: together ? group : null, known };
}
