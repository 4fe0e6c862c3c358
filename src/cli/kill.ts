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
  const answers = await client.kill({ ...chosen, by: `orca kill by ${doerOf(context)}`, now: options.now === true });
  if (options.json === true) await printJson(context.out, { runs: answers });
  else for (const line of killLines(chosen, answers)) await say(context, line);
  return answers.some(({ result }) => result === 'unknown') ? exitStatus.unknownRun : exitStatus.ok;
}

/** A line for each run that was named, one for all others. */
export function killLines(chosen: Chosen, answers: readonly KillAnswer[]): string[] {
  const named = new Set(chosen.runs);
  const lines = answers.filter(({ run }) => named.has(run)).map(killWords);
  const of = handlesWords(chosen);
  if (of === '') return lines;
  const count = (result: KillAnswer['result']): number =>
    answers.filter((answer) => answer.result === result && !named.has(answer.run)).length;
  const [waited, going] = [count('killed'), count('killing')];
  const parts = [
    ...(waited === 0 ? [] : [`${waited === 1 ? '1 that waited is' : `${waited} that waited are`} ended`]),
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
