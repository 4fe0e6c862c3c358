import { visibleText } from '../units/visible-text.ts';
import type { Context } from './context.ts';
import type { Output } from './output.ts';

/** One line to the person, with orca's name before it; nothing in it can move the cursor. */
export async function say(context: Pick<Context, 'err'>, sentence: string): Promise<void> {
  await context.err.write(`orca: ${visibleText(sentence)}\n`);
}

export async function printJson(out: Output, value: unknown): Promise<void> {
  await out.write(`${JSON.stringify(value)}\n`);
}

export async function printLines(out: Output, lines: readonly string[]): Promise<void> {
  if (lines.length > 0) await out.write(`${lines.join('\n')}\n`);
}
