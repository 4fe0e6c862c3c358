import type { Context } from './context.ts';
import { exitStatus } from './exit-status.ts';
import { openClientToSubmit } from './open-client.ts';
import { PrintedNumbers } from './printed-numbers.ts';
import { environmentOf } from './request-options.ts';
import { runNumber } from './run-number.ts';
import { submitterOf } from './submitter.ts';
import { warnEnvironment } from './warn-environment.ts';

interface RetryOptions {
  readonly env?: readonly string[];
  readonly as?: string;
  readonly json?: boolean;
}

/** `orca retry`: a new run of the same command, folder and request, with the caller's environment; prints its number. */
export async function retry(context: Context, id: string, options: RetryOptions): Promise<number> {
  const run = runNumber(id);
  const client = openClientToSubmit(context);
  const env = environmentOf(context.env, []);
  const set = options.env === undefined ? {} : environmentOf({}, options.env);
  const submitter = submitterOf(context, options.as);
  await warnEnvironment(context, { ...env, ...set });
  const answer = await client.retry(run, {
    token: context.newToken(),
    env,
    ...(options.env === undefined ? {} : { set }),
    submitter,
  });
  const numbers = new PrintedNumbers(context.out);
  await (options.json === true ? numbers.json(answer) : numbers.lines(answer.runs));
  numbers.check();
  return exitStatus.ok;
}
