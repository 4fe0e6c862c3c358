import { parseDuration } from '../units/parse-duration.ts';
import type { Context } from './context.ts';
import { openClient } from './open-client.ts';
import { runNumbers } from './run-number.ts';
import { waitFor } from './wait-for.ts';

export interface WaitCommandOptions {
  readonly timeout?: string;
  readonly json?: boolean;
}

/** `orca wait`: until the runs are final. It owns none of them: leaving it changes nothing. */
export async function wait(context: Context, ids: readonly string[], options: WaitCommandOptions): Promise<number> {
  const runs = runNumbers(ids);
  const timeoutMs = options.timeout === undefined ? null : parseDuration(options.timeout);
  return waitFor(context, openClient(context), runs, { json: options.json === true, timeoutMs });
}
