import { isUtf8 } from 'node:buffer';
import { visibleText } from '../units/visible-text.ts';
import { fields } from './check-arguments.ts';
import type { Context } from './context.ts';
import { say } from './say.ts';

const named = 3;

/** Says which variables reach the run changed: Node reads the environment as UTF-8, and those held something else. */
export async function warnEnvironment(context: Context, env: Readonly<Record<string, string>>): Promise<void> {
  const suspects = Object.entries(env).filter(([name, value]) => `${name}${value}`.includes('\uFFFD'));
  if (suspects.length === 0) return;
  const changed = changedVariables(context.rawEnvironment() ?? new Uint8Array(), new Map(suspects));
  if (changed.length === 0) return;
  const more = changed.length > named ? ` and ${changed.length - named} more` : '';
  const which = `${changed.slice(0, named).join(', ')}${more}`;
  const are = changed.length === 1 ? 'is not valid UTF-8: it is' : 'are not valid UTF-8: they are';
  await say(context, `of the environment, ${which} ${are} passed on changed`);
}

/** The names, made visible, of those of `suspects` whose bytes are no text; one that `--env` gave anew is as it was given. */
export function changedVariables(raw: Uint8Array, suspects: ReadonlyMap<string, string>): string[] {
  return fields(raw)
    .filter((entry) => !isUtf8(entry))
    .flatMap((entry) => {
      const equals = entry.indexOf(61);
      if (equals < 0) return [];
      const [name, value] = [entry.subarray(0, equals), Buffer.from(entry.subarray(equals + 1))];
      const sent = suspects.get(Buffer.from(name).toString());
      return sent === value.toString() ? [visibleText(name)] : [];
    });
}
