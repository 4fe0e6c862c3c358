import { workOutside } from '../runs/work-outside.ts';
import type { Context } from './context.ts';
import { say } from './say.ts';

/** Says, once, that a command only asks something else to do its work. */
export async function warnOutside(context: Context, commands: Iterable<readonly string[]>): Promise<void> {
  for (const command of commands) {
    const client = workOutside(command);
    if (client === null) continue;
    await say(context, `${outsideWords(client)}; its own limits have to be told to it`);
    return;
  }
}

export const outsideWords = (client: string): string =>
  `${client} has its work done outside of the run, where it is neither limited nor measured`;
