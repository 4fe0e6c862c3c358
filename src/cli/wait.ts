import type { DaemonClient } from '../client/daemon-client.ts';
import { parseDuration } from '../units/parse-duration.ts';
import { handlesWords, someChosen, type Chosen, type TagOption } from './chosen.ts';
import { shellWord } from '../units/shell-words.ts';
import type { Context } from './context.ts';
import { exitStatus } from './exit-status.ts';
import { openClient } from './open-client.ts';
import { say } from './say.ts';
import { OrcaError } from '../errors/orca-error.ts';
import { waitFor } from './wait-for.ts';
import { waitNext } from './wait-next.ts';
import { wholeNumber } from './whole-number.ts';

export interface WaitCommandOptions extends TagOption {
  readonly next?: boolean;
  readonly since?: string;
  readonly timeout?: string;
  readonly json?: boolean;
}

/** `orca wait`: until the runs are final, or with `--next` the first of them. It owns none of them: leaving it changes nothing. */
export async function wait(context: Context, handles: readonly string[], options: WaitCommandOptions): Promise<number> {
  const chosen = someChosen(handles, options, 'wait');
  const timeoutMs = options.timeout === undefined ? null : parseDuration(options.timeout);
  const since = options.since === undefined ? null : wholeNumber('--since', options.since, 0, Number.MAX_SAFE_INTEGER);
  if (since !== null && options.next !== true)
    throw new OrcaError('usage-invalid', { why: '--since says from where --next goes on', help: 'orca help wait' });
  const client = openClient(context);
  const runs = await runsOf(client, chosen, since !== null);
  if (runs.length === 0) {
    await say(context, `nothing of ${handlesWords(chosen)} waits or runs${overWords(chosen)}`);
    return exitStatus.ok;
  }
  const how = { json: options.json === true, timeoutMs };
  return options.next === true
    ? waitNext(context, client, runs, { ...how, since, handles, options })
    : waitFor(context, client, runs, how);
}

/** What is over is not waited for, also where it went badly. */
const overWords = ({ tags }: Chosen): string =>
  tags.length === 0
    ? ''
    : `; \`orca list --all ${tags.map((tag) => `--tag ${shellWord(tag)}`).join(' ')}\` shows what is over`;

/** A group stands for all of its runs, a tag for those that are not over, unless it is asked what ended since. */
async function runsOf(client: DaemonClient, { runs, groups, tags }: Chosen, over: boolean): Promise<number[]> {
  const grouped = groups.length === 0 ? [] : await client.choose({ groups, over: true });
  const tagged = tags.length === 0 ? [] : await client.choose({ tags, over });
  return [...new Set([...runs, ...grouped, ...tagged])];
}
