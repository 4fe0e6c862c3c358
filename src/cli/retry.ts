import type { Context } from './context.ts';
import { exitStatus } from './exit-status.ts';
import { openClientToSubmit } from './open-client.ts';
import { environmentOf } from './request-options.ts';
import { runNumber } from './run-number.ts';
import { printJson, printLines } from './say.ts';

/** `orca retry`: a new run of the same command, folder and request, with the caller's environment; prints its number. */
export async function retry(context: Context, id: string, options: { json?: boolean }): Promise<number> {
  const run = runNumber(id);
  const client = openClientToSubmit(context);
  const answer = await client.retry(run, { token: context.newToken(), env: environmentOf(context.env, []) });
  if (options.json === true) await printJson(context.out, answer);
  else await printLines(context.out, answer.runs.map(String));
  return exitStatus.ok;
}
