import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readRemembered, rememberedText } from '../../../src/scheduler/remembered.ts';
import { runId } from '../../../src/units/brands.ts';

const remembered = {
  passes: {
    of: new Map([
      ['ada', 0.25],
      ['__proto__', 1],
      ['', 2],
    ]),
    active: new Set(['ada']),
  },
  heads: [
    { run: runId(7), priority: -1, order: 3, since: new Map([['room', 12] as const, ['lock:db', 9] as const]) },
    { run: runId(8), priority: 0, order: 4, since: new Map() },
  ],
  turn: 40,
};
const turns = new Map([[runId(3), 11]]);

test('what the queue remembers is the same after its way to the next daemon', () => {
  assert.deepEqual(readRemembered(rememberedText({ remembered, turns })), { remembered, turns });
});

test('what is damaged, or is something else, is forgotten', () => {
  const whole = JSON.parse(rememberedText({ remembered, turns })) as Record<string, unknown>;
  for (const odd of ['', '{', 'null', '[]', '{}']) assert.equal(readRemembered(odd), null, odd);
  for (const key of Object.keys(whole)) {
    for (const value of [undefined, null, 'x', -1, [[1]], [{}], ['a', null]])
      assert.equal(readRemembered(JSON.stringify({ ...whole, [key]: value })), null, `${key} ${JSON.stringify(value)}`);
  }
});
