import { AnsweredError } from '../client/answered-error.ts';
import { readEvents } from '../client/read-events.ts';
import type { DaemonClient } from '../client/daemon-client.ts';
import type { AfterRequest, EventJson, RunJson } from '../wire/api.ts';
import type { Context } from './context.ts';
import { explainLines, storyOf } from './explain-words.ts';
import { exitStatus } from './exit-status.ts';
import { openClient } from './open-client.ts';
import { runNumber } from './run-number.ts';
import { printJson, printLines } from './say.ts';

/** `orca explain RUN`: why it waited, started as it did, died, was made bigger, and what comes next. */
export async function explain(context: Context, id: string, options: { json?: boolean }): Promise<number> {
  const number = runNumber(id);
  const client = openClient(context);
  const run = await client.run(number);
  const events = [
    ...(await eventsOf(client, { runs: [number], queue: false })),
    ...(await eventsOf(client, { runs: [], queue: true })),
  ];
  events.sort((a, b) => a.id - b.id);
  const unmet = await unmetOf(client, run);
  const now = context.clock.now();
  if (options.json === true)
    await printJson(context.out, { run: number, state: run.state, story: storyOf(run, events, now, unmet) });
  else await printLines(context.out, explainLines(run, events, now, unmet));
  return exitStatus.ok;
}

/** Those of a run, or those of none: of the queue and the daemon. */
async function eventsOf(
  client: DaemonClient,
  whose: { readonly runs: readonly number[]; readonly queue: boolean },
): Promise<EventJson[]> {
  const found: EventJson[] = [];
  const request = { since: null, at: null, groups: [], kinds: [], follow: false, ...whose };
  for await (const news of readEvents(client, request, new AbortController().signal))
    if (news.type === 'event') found.push(news.event);
  return found;
}

/** Of what a run that was never started came after, that which did not succeed, and had to; what is deleted by now can be tried again by nobody. */
async function unmetOf(client: DaemonClient, { evidence, after }: RunJson): Promise<RunJson['after']> {
  if (evidence !== 'dependency') return after;
  const unmet: AfterRequest[] = [];
  for (const one of after) if (!one.any && !(await hasSucceeded(client, one))) unmet.push(one);
  return unmet;
}

async function hasSucceeded(client: DaemonClient, one: AfterRequest): Promise<boolean> {
  try {
    if ('run' in one) return (await client.run(one.run)).state === 'succeeded';
    return (await client.group(one.group)).failed.length === 0;
  } catch (cause) {
    if (cause instanceof AnsweredError && ['run-unknown', 'group-unknown'].includes(cause.code)) return true;
    throw cause;
  }
}
