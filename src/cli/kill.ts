import type { KillAnswer } from '../wire/api.ts';
import type { Context } from './context.ts';
import { exitStatus } from './exit-status.ts';
import { openClient } from './open-client.ts';
import { runNumbers } from './run-number.ts';
import { printJson, say } from './say.ts';

export interface KillOptions {
  readonly now?: boolean;
  readonly json?: boolean;
}

/** `orca kill`: the runs end, in whatever state they are, and no further start follows. */
export async function kill(context: Context, ids: readonly string[], options: KillOptions): Promise<number> {
  const runs = runNumbers(ids);
  const client = openClient(context);
  const answers = await client.kill({ runs, by: `orca kill by ${context.user}`, now: options.now === true });
  if (options.json === true) await printJson(context.out, { runs: answers });
  else for (const answer of answers) await say(context, killWords(answer));
  return answers.some(({ result }) => result === 'unknown') ? exitStatus.unknownRun : exitStatus.ok;
}

export function killWords({ run, result, state }: KillAnswer): string {
  switch (result) {
    case 'killing':
      return `run ${run} is being ended`;
    case 'killed':
      return `run ${run} was waiting, and is ended`;
    case 'final':
      return `run ${run} was over already (${state ?? 'ended'})`;
    case 'unknown':
      return `there is no run ${run}; \`orca list --all\` shows the runs that there are`;
  }
}
