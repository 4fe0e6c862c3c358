import type { DaemonClient } from '../client/daemon-client.ts';
import type { KillAnswer } from '../wire/api.ts';
import { handlesWords, someChosen, type Chosen, type TagOption } from './chosen.ts';
import type { Context } from './context.ts';
import { exitStatus } from './exit-status.ts';
import { openClient } from './open-client.ts';
import { printJson, say } from './say.ts';
import { doerOf } from './submitter.ts';

export interface KillOptions extends TagOption {
  readonly now?: boolean;
  readonly json?: boolean;
}

/** `orca kill`: the runs end, in whatever state they are, and no further start follows. */
export async function kill(context: Context, handles: readonly string[], options: KillOptions): Promise<number> {
  const chosen = someChosen(handles, options, 'kill');
  const client = openClient(context);
  const runs = [...new Set([...chosen.runs, ...(await unfinishedOf(client, chosen))])];
  const answers = await client.kill({
    ...chosen,
    runs,
    by: `orca kill by ${doerOf(context)}`,
    now: options.now === true,
  });
  if (options.json === true) await printJson(context.out, { runs: answers });
  else for (const line of killLines(chosen, answers)) await say(context, line);
  return answers.some(({ result }) => result === 'unknown') ? exitStatus.unknownRun : exitStatus.ok;
}

/** So many numbers a request takes. */
const mostNumbers = 100_000;

/**
 * What the groups and tags stand for now. Asked for by number too, each of those is in the answer, also where the daemon dies in the middle and the next one
 * finds a part of them ended.
 */
async function unfinishedOf(client: DaemonClient, { runs, groups, tags }: Chosen): Promise<readonly number[]> {
  if (groups.length + tags.length === 0) return [];
  const unfinished = await client.choose({ groups, tags });
  return runs.length + unfinished.length > mostNumbers ? [] : unfinished;
}

/** A line for each run that was named, one for all others. */
export function killLines(chosen: Chosen, answers: readonly KillAnswer[]): string[] {
  const named = new Set(chosen.runs);
  const lines = answers.filter(({ run }) => named.has(run)).map(killWords);
  const of = handlesWords(chosen);
  if (of === '') return lines;
  const others = answers.filter(({ run }) => !named.has(run));
  const count = (result: KillAnswer['result']): number => others.filter((answer) => answer.result === result).length;
  const [waited, going] = [count('killed'), count('killing')];
  // By this kill, before the daemon that began it died.
  const over = others.filter(({ result, state }) => result === 'final' && state === 'killed').length;
  const ended = waited + over;
  const who = over === 0 ? ' that waited' : '';
  const parts = [
    ...(ended === 0 ? [] : [`${ended}${who} ${ended === 1 ? 'is' : 'are'} ended`]),
    ...(going === 0 ? [] : [`${going} ${going === 1 ? 'is' : 'are'} being ended`]),
  ];
  return [
    ...lines,
    parts.length === 0
      ? `nothing${lines.length > 0 ? ' else' : ''} of ${of} waits or runs`
      : `${of}: ${parts.join(', ')}`,
  ];
}

export function killWords({ run, result, state }: KillAnswer): string {
  switch (result) {
    case 'killing':
      return `run ${run} is being ended`;
    case 'killed':
      return `run ${run} was waiting, and is ended`;
    case 'final':
      return `run ${run} was over already (${state ?? 'ended'})`;
    case 'goes-on':
      return `run ${run} goes on: another client asked for it by its key`;
    case 'unknown':
      return `there is no run ${run}; \`orca list --all\` shows the runs that there are`;
  }
}
