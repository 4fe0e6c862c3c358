import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventLine, eventWords } from '../../../src/cli/event-words.ts';
import { goneWords } from '../../../src/cli/events.ts';

const cases: [string, Record<string, unknown>, string][] = [
  ['submitted', { argv: ['sh', '-c', 'exit 3'] }, "sh -c 'exit 3'"],
  ['running', { start: 2, pid: 4711 }, 'start 2, pid 4711'],
  ['start-ended', { start: 1, verdict: 'failed', evidence: null, text: 'exit code 3' }, 'start 1: exit code 3'],
  ['start-ended', { start: 1, verdict: 'failed', text: null }, 'start 1: failed'],
  ['start-void', { start: 1 }, 'start 1 was never begun'],
  ['finished', { state: 'succeeded', text: 'ended well' }, 'succeeded'],
  ['finished', { state: 'failed', text: 'exit code 3' }, 'failed: exit code 3'],
  ['kill-asked', { by: 'orca kill by ada', now: false }, 'orca kill by ada'],
  ['kill-asked', { by: 'orca kill by ada', now: true }, 'orca kill by ada, without grace'],
  ['memory-kill', { start: 1, killed: 1 }, 'the kernel killed 1 process of start 1 for memory; it goes on'],
  ['paused', { by: 'ada', reason: 'the backup runs' }, 'by ada: the backup runs'],
  ['paused', { by: 'ada', reason: null }, 'by ada'],
  ['resumed', { by: 'ada' }, 'by ada'],
  ['down', {}, 'nothing is started until `orca up`'],
  ['of-later', {}, ''],
  ['of-later', { some: ['thing'] }, '{"some":["thing"]}'],
  ['running', { other: 'shape' }, '{"other":"shape"}'],
];

test('the facts of an event become words, and those of an unknown kind are shown as they are', () => {
  for (const [kind, data, words] of cases) assert.equal(eventWords({ kind, data }), words, kind);
});

test('an event is a line with its number, its moment in UTC, and nothing that moves a cursor', () => {
  const at = Date.UTC(2026, 10, 30, 8, 12, 3, 999);
  assert.equal(
    eventLine({ id: 417, run: 12, at, kind: 'finished', data: { state: 'failed', text: 'exit\x1b[2J code 3' } }),
    '  417  2026-11-30 08:12:03  run 12    finished     failed: exit\\x1b[2J code 3',
  );
  assert.equal(eventLine({ id: 2, run: null, at, kind: 'x', data: {} }), '    2  2026-11-30 08:12:03  -         x');
});

test('events that were asked for and are gone are told', () => {
  const words = 'events before 123 are gone, but for those of runs that are not over';
  for (const since of [null, 0, 121]) assert.equal(goneWords({ since, at: null }, 122), words, String(since));
  assert.equal(goneWords({ since: 122, at: null }, 122), null);
  assert.equal(goneWords({ since: null, at: 5 }, 122), null);
  assert.equal(goneWords({ since: 0, at: null }, 0), null);
});
