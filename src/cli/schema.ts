import { OrcaError } from '../errors/orca-error.ts';
import { visibleText } from '../units/visible-text.ts';
import type { Context } from './context.ts';
import { exitStatus } from './exit-status.ts';
import { printLines } from './say.ts';
import schemas from './schemas.json' with { type: 'json' };
import { tableLines } from './table.ts';

type Json = { readonly [key: string]: unknown };
const commands: Readonly<Record<string, Json>> = schemas.commands;
const definitions: Readonly<Record<string, Json>> = schemas.definitions;

/** `orca schema [COMMAND]`: the JSON Schema of what a command prints with `--json`; without one, which commands there are. */
export async function schema(context: Context, words: readonly string[]): Promise<number> {
  if (words.length === 0) {
    const rows = Object.entries(commands).map(([name, { description }]) => [name, sentence(description)]);
    await printLines(
      context.out,
      tableLines([{ head: 'COMMAND' }, { head: 'PRINTS' }], rows, Number.POSITIVE_INFINITY),
    );
    return exitStatus.ok;
  }
  const name = words.join(' ');
  const found = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (found === undefined) {
    const hint = `Write one of: ${Object.keys(commands).join(', ')}.`;
    const why = 'no command of that name prints JSON';
    throw new OrcaError('option-invalid', { option: 'schema', value: visibleText(name), why, hint });
  }
  await context.out.write(`${JSON.stringify(schemaOf(name, found), null, 2)}\n`);
  return exitStatus.ok;
}

/** Whole by itself: with the definitions that it leads to, and no others. */
export function schemaOf(name: string, command: Json): Json {
  const needed = new Map<string, Json>();
  const collect = (value: unknown): void => {
    if (Array.isArray(value)) return value.forEach(collect);
    if (typeof value !== 'object' || value === null) return;
    for (const [key, inner] of Object.entries(value)) {
      const reference = key === '$ref' && typeof inner === 'string' ? decodeURIComponent(inner) : null;
      const target = reference?.slice('#/definitions/'.length);
      const definition = target === undefined ? undefined : definitions[target];
      if (target === undefined || definition === undefined) collect(inner);
      else if (!needed.has(target)) {
        needed.set(target, definition);
        collect(definition);
      }
    }
  };
  collect(command);
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: `orca ${name} --json`,
    allOf: [command],
    definitions: Object.fromEntries(needed),
  };
}

const sentence = (description: unknown): string => (typeof description === 'string' ? description : '');
