import { ConnectionLost } from '../client/connection-lost.ts';
import { chosenOf, namesNone, type TagOption } from './chosen.ts';
import type { Context } from './context.ts';
import { exitStatus } from './exit-status.ts';
import { leaving } from './leaving.ts';
import { openClient } from './open-client.ts';
import { refusedOption } from './option-word.ts';
import { comeBackWords, pauseLines, pauseStatus, resumeLines } from './pause-words.ts';
import { refuseInside } from './refuse-inside.ts';
import { printJson, say } from './say.ts';
import { doerOf } from './submitter.ts';

export interface PauseOptions extends TagOption {
  readonly reason?: string;
  readonly drain?: boolean;
  readonly json?: boolean;
}

/** `orca pause`: nothing more is started, of all that waits or of the runs that are named, until `orca resume`. What runs goes on. */
export async function pause(context: Context, handles: readonly string[], options: PauseOptions): Promise<number> {
  const chosen = chosenOf(handles, options);
  const reason = reasonOf(options);
  const client = openClient(context);
  const request = { ...chosen, by: doerOf(context), reason };
  if (options.drain === true && namesNone(chosen)) refuseInside(context, client);
  const answer = await client.pause(request);
  const json = options.json === true;
  if (!json) for (const line of pauseLines(chosen, answer, context.clock.now())) await say(context, line);
  const status = pauseStatus(chosen, answer, 'pause');
  if (options.drain !== true || status !== exitStatus.ok) {
    if (json) await printJson(context.out, answer);
    return status;
  }
  using left = leaving(context);
  try {
    const drained = await client.pause({ ...request, drain: true }, left.signal);
    const isOff = namesNone(chosen) && drained.queue === null;
    // What the first one did is told, and not that the second found it so.
    if (json) await printJson(context.out, { ...drained, runs: answer.runs });
    else if (isOff) for (const line of pauseLines(chosen, drained, context.clock.now())) await say(context, line);
    else await say(context, 'nothing of it runs any more');
    return isOff ? exitStatus.waitBroke : exitStatus.ok;
  } catch (cause) {
    if (!left.signal.aborted || !(cause instanceof ConnectionLost)) throw cause;
    await say(context, comeBackWords(handles, options));
    return exitStatus.interrupted;
  }
}

const longestReason = 1000;

function reasonOf({ reason }: PauseOptions): string | null {
  if (reason === undefined || reason.length <= longestReason) return reason ?? null;
  const why = `it has more than ${longestReason} characters`;
  throw refusedOption('--reason', reason, why, "Write for example --reason 'the disk is changed'.");
}

/** `orca resume`: what was held back may start again. */
export async function resume(
  context: Context,
  handles: readonly string[],
  options: TagOption & { readonly json?: boolean },
): Promise<number> {
  const chosen = chosenOf(handles, options);
  const answer = await openClient(context).resume({ ...chosen, by: doerOf(context) });
  if (options.json === true) await printJson(context.out, answer);
  else for (const line of resumeLines(chosen, answer, context.clock.now())) await say(context, line);
  return pauseStatus(chosen, answer, 'resume');
}
