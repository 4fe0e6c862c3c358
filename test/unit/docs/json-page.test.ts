import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { apiNumber } from '../../../src/wire/api.ts';
import { finalStates, activeStates } from '../../../src/runs/transitions.ts';
import { page, root } from './page.ts';

const wire = readdirSync(join(root, 'src/wire'))
  .map((file) => page(`src/wire/${file}`))
  .join('\n');

/** The names of the fields of the interfaces in `src/wire/`, as they are written there. */
const fieldsOf = (name: string): readonly string[] => {
  const body = new RegExp(`^export interface ${name}\\b[^{]*\\{\\n(.*?)^\\}`, 'ms').exec(wire)?.[1];
  assert.ok(body !== undefined, `${name} is in src/wire/`);
  return [...body.matchAll(/\breadonly (\w+)\??:/g)].map((match) => match[1] ?? '');
};

const json = page('docs/json.md');
const api = page('docs/api.md');

const shapes = [
  'UsageJson',
  'RunSummaryJson',
  'RunJson',
  'StartJson',
  'KillAnswer',
  'DaemonJson',
  'SettingJson',
  'GroupJson',
  'PauseAnswer',
  'PausedAnswer',
  'PausedJson',
];
const ofMachine = ['MachineJson', 'SampleJson', 'WaitingJson', 'MinuteJson', 'RunningJson', 'QueuedJson'];
for (const name of [...shapes, ...ofMachine]) {
  test(`docs/json.md explains every field of ${name}`, () => {
    for (const field of fieldsOf(name)) assert.match(json, new RegExp(`["\`]${field}["\`]`), `${name}.${field}`);
  });
}

for (const name of [
  'SubmitRequest',
  'MemoryRequest',
  'RetryRequest',
  'KillRequest',
  'ChosenRuns',
  'PauseRequest',
  'ResumeRequest',
  'WaitRequest',
  'ChooseRequest',
  'EventJson',
]) {
  test(`docs/api.md shows every field of ${name}`, () => {
    for (const field of fieldsOf(name)) assert.match(api, new RegExp(`["\`]${field}["\`]`), `${name}.${field}`);
  });
}

test('docs/json.md names every state of runs, and both pages the API number', () => {
  for (const state of [...activeStates, ...finalStates]) assert.ok(json.includes(`\`${state}\``), state);
  assert.ok(json.includes(`API number (now ${apiNumber})`));
  assert.ok(api.includes(`the API number that the client speaks, \`${apiNumber}\``));
});
