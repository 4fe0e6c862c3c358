import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Command } from 'commander';
import type { Output } from '../../../src/cli/output.ts';
import { makeProgram } from '../../../src/cli/program.ts';
import { sectionsOf } from './page.ts';

const silent: Output = { isTTY: false, columns: 80, write: async () => true };
const program = await makeProgram({
  out: silent,
  err: silent,
  version: '0.0.0',
  json: false,
  context: () => Promise.reject(new Error('no command is run here')),
  exit: () => undefined,
});

/** `orca config show`, not `orca config`: what a person can call. */
const leaves = (command: Command, name: string): [string, Command][] =>
  command.commands.length === 0
    ? [[name, command]]
    : command.commands.flatMap((child) => leaves(child, `${name} ${child.name()}`));

const commands = leaves(program, 'orca');
const sections = sectionsOf('docs/cli.md');

test('docs/cli.md has a section on every command, and on no other', () => {
  assert.deepEqual([...sections.keys()].sort(), commands.map(([name]) => name).sort());
});

for (const [name, command] of commands) {
  test(`docs/cli.md names every option of ${name}, with what it takes`, () => {
    const section = sections.get(name) ?? '';
    for (const { flags } of command.options) {
      // `-f, --follow` is two words there.
      for (const flag of flags.split(', ')) assert.ok(section.includes(`\`${flag}\``), `${name}: ${flag}`);
    }
  });
}

test('docs/cli.md names no option that a command does not have', () => {
  for (const [name, command] of commands) {
    const known = new Set(command.options.flatMap(({ flags }) => flags.split(', ')));
    const rows = (sections.get(name) ?? '').split('\n').filter((line) => line.startsWith('| `-'));
    const named = rows.flatMap((row) =>
      [...(row.split(' | ')[0] ?? '').matchAll(/`([^`]+)`/g)].map((match) => match[1] ?? ''),
    );
    for (const flag of named) assert.ok(known.has(flag), `${name}: ${flag}`);
  }
});
