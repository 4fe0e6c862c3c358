import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Command } from 'commander';
import * as z from 'zod';
import { makeProgram } from '../../../src/cli/program.ts';
import { schema, schemaOf } from '../../../src/cli/schema.ts';
import schemas from '../../../src/cli/schemas.json' with { type: 'json' };
import { buildRun } from './build-run.ts';
import { fakeContext, MemoryOutput } from './fake-context.ts';

const here = (): ReturnType<typeof fakeContext> => fakeContext({ state: '/nowhere' });

const leaves = (command: Command, name: string): [string, Command][] =>
  command.commands.length === 0
    ? [[name, command]]
    : command.commands.flatMap((child) => leaves(child, `${name} ${child.name()}`.trim()));

test('there is a schema of every command that has --json, and of no other', async () => {
  const silent = new MemoryOutput();
  const program = await makeProgram({
    out: silent,
    err: silent,
    version: '0.0.0',
    json: false,
    context: () => Promise.reject(new Error('no command is run here')),
    exit: () => undefined,
  });
  const withJson = leaves(program, '')
    .filter(([, command]) => command.options.some(({ long }) => long === '--json'))
    .map(([name]) => name);
  // A command's samples are JSON without being asked for.
  assert.deepEqual(
    Object.keys(schemas.commands).sort(),
    [...withJson, 'error'].sort(),
    'src/cli/printed.ts names them',
  );
});

test('a schema takes what its command prints, and refuses what it does not', () => {
  const run = z.fromJSONSchema(schemaOf('status', schemas.commands.status) as z.core.JSONSchema.BaseSchema);
  assert.equal(run.safeParse(buildRun()).success, true);
  assert.equal(run.safeParse({ ...buildRun(), state: 'sleeping' }).success, false);
  const { argv: _, ...without } = buildRun();
  assert.equal(run.safeParse(without).success, false);
});

test('a schema is whole by itself', async () => {
  const context = here();
  assert.equal(await schema(context, ['config', 'show']), 0);
  const printed = JSON.parse(context.out.text) as { definitions: Record<string, unknown> };
  assert.deepEqual(Object.keys(printed.definitions), ['SettingJson']);
});

test('without a command all are named with what they print', async () => {
  const context = here();
  assert.equal(await schema(context, []), 0);
  assert.match(context.out.text, /^wait +Each run when it has ended\.$/m);
});

test('every schema says what its command prints', async () => {
  const context = here();
  await schema(context, []);
  for (const line of context.out.text.trimEnd().split('\n')) assert.match(line, /^[A-Za-z ]+? {2,}\S/, line);
});

test('the schema of a status takes a group', () => {
  const status = z.fromJSONSchema(schemaOf('status', schemas.commands.status) as z.core.JSONSchema.BaseSchema);
  const group = { group: 2, name: null, argv: ['true'], submitted_at: 5, max_parallel: null, runs: [2, 3] };
  const of = { ...group, counts: { failed: 1, succeeded: 1 }, failed: [3], failures: [] };
  assert.equal(status.safeParse(of).success, true);
  assert.equal(status.safeParse({ ...of, group: 'g2' }).success, false);
});

test('a command without JSON, and one that is not there, are refused with those that have it', async () => {
  for (const word of ['logs', 'bogus'])
    await assert.rejects(schema(here(), [word]), /schema \w+ is refused: no command of that name prints JSON/);
});
