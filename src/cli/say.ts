import { visibleJson, visibleText } from '../units/visible-text.ts';
import type { Context } from './context.ts';
import type { Output } from './output.ts';
import type { Printed } from './printed.ts';

/** One line to the person, with orca's name before it; nothing in it can move the cursor. */
export async function say(context: Pick<Context, 'err'>, sentence: string): Promise<void> {
  await context.err.write(`orca: ${visibleText(sentence)}\n`);
}

/** False, as of an Output's write: nobody reads it. */
export function printJson(out: Output, value: Printed[keyof Printed]): Promise<boolean> {
  return out.write(`${visibleJson(value)}\n`);
}

export function printLines(out: Output, lines: readonly string[]): Promise<boolean> {
  return out.write(lines.length > 0 ? `${lines.join('\n')}\n` : '');
}
