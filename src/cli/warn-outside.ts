import { workOutside } from '../runs/work-outside.ts';
import type { Context } from './context.ts';
import { say } from './say.ts';

/** Says, once, that a command only asks something else to do its work. */
export async function warnOutside(context: Context, commands: readonly (readonly string[])[]): Promise<void> {
  const client = commands.map(workOutside).find((name) => name !== null);
  if (client !== undefined && client !== null)
    await say(context, `${outsideWords(client)}; its own limits have to be told to it`);
}

export const outsideWords = (client: string): string =>
  `${client} has its work done outside of the run, where it is neither limited nor measured`;
