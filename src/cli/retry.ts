import type { Context } from './context.ts';
import { exitStatus } from './exit-status.ts';
import { openClientToSubmit } from './open-client.ts';
import { PrintedNumbers } from './printed-numbers.ts';
import { environmentOf } from './request-options.ts';
import { runNumber } from './run-number.ts';
import { warnEnvironment } from './warn-environment.ts';

/** `orca retry`: a new run of the same command, folder and request, with the caller's environment; prints its number. */
export async function retry(context: Context, id: string, options: { json?: boolean }): Promise<number> {
  const run = runNumber(id);
  const client = openClientToSubmit(context);
  const env = environmentOf(context.env, []);
  await warnEnvironment(context, env);
  const answer = await client.retry(run, { token: context.newToken(), env });
  const numbers = new PrintedNumbers(context.out);
  await (options.json === true ? numbers.json(answer) : numbers.lines(answer.runs));
  numbers.check();
  return exitStatus.ok;
}
