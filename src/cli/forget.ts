import type { Context } from './context.ts';
import { exitStatus } from './exit-status.ts';
import { openClient } from './open-client.ts';
import { runNumber } from './run-number.ts';
import { printJson, say } from './say.ts';

/** `orca forget`: later runs of this run's command begin with the memory that they ask for, whatever earlier deaths taught. */
export async function forget(context: Context, id: string, options: { readonly json?: boolean }): Promise<number> {
  const run = runNumber(id);
  const answer = await openClient(context).forget(run);
  if (options.json === true) await printJson(context.out, answer);
  else if (answer.known) await say(context, `what deaths of run ${run}'s command taught of its memory is forgotten`);
  else await say(context, `nothing was known of the memory of run ${run}'s command`);
  return exitStatus.ok;
}
