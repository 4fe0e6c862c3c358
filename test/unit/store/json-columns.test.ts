import assert from 'node:assert/strict';
import { test } from 'node:test';
import { noExtras } from '../../../src/runs/extras.ts';
import { noNeeds } from '../../../src/runs/needs.ts';
import { usualOomRules } from '../../../src/runs/oom-rules.ts';
import { factsOf, gpusOf, pausedOf, readBack, unknownSecrets } from '../../../src/store/json-columns.ts';
import { millis } from '../../../src/units/brands.ts';

const nothing = { argv: '["true"]', settings: '{}', oom: null, needs: null, extras: null, secrets: null };
type Column = keyof typeof nothing;

const needs = { gpus: 1, locks: ['db'], resources: { licence: 2 }, after: [{ run: 3, any: true }], max_parallel: 4 };
const extras = {
  tags: ['night'],
  inputs: [{ path: '/in', bytes: null }],
  retry_on: { codes: [3], verdicts: ['lost'] },
  memory_env: ['java'],
  capture: 'none',
  cpus_asked: true,
  key_window_ms: 0,
};
const oom = { retry: 'never', exit_codes: [134], text: 'heap' };

test('what was stored is read back as it was', () => {
  const row = {
    argv: '["sort","-u"]',
    settings: '{"ORCA_NICE":"5"}',
    oom: JSON.stringify(oom),
    needs: JSON.stringify(needs),
    extras: JSON.stringify(extras),
    secrets: '{"TOKEN":"env:T"}',
  };
  assert.deepEqual(readBack(row), {
    argv: ['sort', '-u'],
    settings: { ORCA_NICE: '5' },
    oom,
    needs,
    extras,
    secrets: { TOKEN: 'env:T' },
    damage: null,
  });
});

test('what was never said reads as usual, and what a later program adds is no damage', () => {
  const usual = { oom: usualOomRules, needs: noNeeds, extras: noExtras, secrets: {}, damage: null };
  assert.deepEqual(readBack(nothing), { argv: ['true'], settings: {}, ...usual });
  const later = readBack({ ...nothing, needs: JSON.stringify({ ...needs, colour: 'red' }), extras: '{"mood":1}' });
  assert.equal(later.damage, null);
  assert.deepEqual(later.needs.locks, ['db']);
  assert.deepEqual(readBack({ ...nothing, extras: '{"tags":["a"]}' }).extras, { ...noExtras, tags: ['a'] });
});

const damaged: readonly (readonly [Column, string, string])[] = [
  ['argv', '', 'argv is empty'],
  ['argv', '["true"', 'argv is not JSON'],
  ['argv', 'null', 'argv is not a list'],
  ['argv', '[]', 'argv has no command'],
  ['argv', '["a",1]', 'argv an item is not a text'],
  ['settings', '[]', 'settings is not an object'],
  ['settings', '{"ORCA_NICE":5}', 'settings ORCA_NICE is not a text'],
  ['oom', '{}', 'oom retry is not one of proved, reported, never'],
  ['oom', '{"retry":"never","exit_codes":7,"text":null}', 'oom exit_codes is not a list'],
  ['needs', '{"gpus":1}', 'needs locks is not a list'],
  ['needs', 'null', 'needs is not an object'],
  ['needs', JSON.stringify({ ...needs, gpus: -1 }), 'needs gpus is not a whole number'],
  ['needs', JSON.stringify({ ...needs, locks: [null] }), 'needs locks an item is not a text'],
  ['needs', JSON.stringify({ ...needs, resources: { licence: '2' } }), 'needs resources licence is not a whole number'],
  ['needs', JSON.stringify({ ...needs, after: [{ any: true }] }), 'needs after an item group is not a whole number'],
  ['needs', JSON.stringify({ ...needs, max_parallel: 'two' }), 'needs max_parallel is not a whole number'],
  ['extras', '"tags"', 'extras is not an object'],
  ['extras', '{"tags":"a"}', 'extras tags is not a list'],
  ['extras', '{"inputs":[{"path":"/in"}]}', 'extras inputs an item bytes is not a whole number'],
  [
    'extras',
    '{"retry_on":{"codes":[1],"verdicts":["bored"]}}',
    'extras retry_on verdicts an item is not one of failed, timed-out, lost',
  ],
  ['extras', '{"memory_env":{}}', 'extras memory_env is not a list'],
  ['extras', '{"capture":"some"}', 'extras capture is not one of all, minimal, none'],
  ['extras', '{"cpus_asked":1}', 'extras cpus_asked is not true or false'],
  ['extras', '{"key_window_ms":"1h"}', 'extras key_window_ms is not a whole number'],
  ['secrets', '{"TOKEN":null}', 'secrets TOKEN is not a text'],
];

test('a column that cannot be read says so, and the others are read all the same', () => {
  for (const [column, json, said] of damaged) {
    const read = readBack({ ...nothing, argv: '["sort"]', needs: JSON.stringify(needs), [column]: json });
    assert.equal(read.damage, said);
    if (column !== 'argv') assert.deepEqual(read.argv, ['sort'], said);
    assert.deepEqual(read.needs, column === 'needs' ? noNeeds : needs, said);
  }
  const both = readBack({ ...nothing, settings: 'x', needs: '7' });
  assert.equal(both.damage, 'settings is not JSON, needs is not an object');
});

test('where it cannot be read which secrets a run has it never seems to have none', () => {
  assert.equal(readBack({ ...nothing, secrets: '{' }).secrets, unknownSecrets);
  assert.ok(Object.keys(unknownSecrets).length > 0);
});

test('what is held back stays so, also where nobody knows by whom', () => {
  const paused = { by: 'ada', reason: null, at: millis(5) };
  assert.deepEqual(pausedOf(JSON.stringify(paused)), paused);
  assert.equal(pausedOf(null), null);
  for (const odd of ['', '{', 'null', '{"by":"ada"}', '{"by":"ada","reason":null,"at":"noon"}'])
    assert.equal(pausedOf(odd)?.by, 'somebody', odd);
});

test('the facts of an event that cannot be read are none, and say so', () => {
  assert.deepEqual(factsOf('{"start":1}'), { start: 1 });
  assert.deepEqual(factsOf('{"start":'), { unreadable: 'is not JSON' });
  for (const odd of ['null', '3', '[1]']) assert.deepEqual(factsOf(odd), { unreadable: 'is not an object' });
});

test('the devices of a stored start are read, and anything else there is none', () => {
  assert.deepEqual(gpusOf('["GPU-a","1"]'), ['GPU-a', '1']);
  assert.deepEqual(gpusOf(null), []);
  for (const odd of ['{}', '3', 'null', '[1]', 'garbage', '']) assert.deepEqual(gpusOf(odd), [], odd);
});
