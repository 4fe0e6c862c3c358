import type { Context } from './context.ts';

/** Makes a command's action of its code, which is imported when it runs. */
export type Act = <Args extends readonly unknown[]>(
  command: (context: Context, ...args: Args) => Promise<number>,
) => (...args: Args) => Promise<void>;
