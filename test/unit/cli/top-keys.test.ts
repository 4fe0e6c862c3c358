import assert from 'node:assert/strict';
import { test } from 'node:test';
import { keysOf, pressed, type TopEffect } from '../../../src/cli/top-keys.ts';
import { LogLines } from '../../../src/cli/top-follow.ts';
import {
  chosenIndex,
  firstState,
  shownRuns,
  topOf,
  type PagesView,
  type TopState,
} from '../../../src/cli/top-state.ts';
import { buildMachine, buildQueued, buildRunning } from './build-machine.ts';

const size = { columns: 80, rows: 24 };
const mb = 1048576;
const machine = buildMachine({
  running: [
    buildRunning(1, { rss_bytes: 5 * mb }),
    buildRunning(2, { rss_bytes: 9 * mb }),
    buildRunning(3, { rss_bytes: null }),
  ],
  queued: [buildQueued(4), buildQueued(5)],
});
const listed: TopState = { ...firstState, machine };

/** All keys, one after the other; the effects that they had. */
const typed = (state: TopState, text: string): { state: TopState; effects: TopEffect[] } => {
  const effects: TopEffect[] = [];
  let now = state;
  for (const key of keysOf(text)) {
    const next = pressed(now, key, size);
    now = next.state;
    if (next.effect !== null) effects.push(next.effect);
  }
  return { state: now, effects };
};
const chosen = (text: string): number | undefined => {
  const { state } = typed(listed, text);
  return shownRuns(state)[chosenIndex(state)]?.id;
};

test('a terminal’s bytes are keys by name, several in one reading too', () => {
  assert.deepEqual(keysOf('\u001b[A\u001bOBq\r\u001b[6~x\u0003\u001b'), [
    'up',
    'down',
    'q',
    'enter',
    'page-down',
    'x',
    'interrupt',
    'back',
  ]);
  assert.deepEqual(keysOf('\u001b[1;5C').length, 1);
  assert.deepEqual(keysOf('\u001b[200~k\u001b[201~').length, 3);
  assert.deepEqual(keysOf('é字'), ['é', '字']);
  assert.deepEqual(keysOf(''), []);
});

test('arrows go through what runs and what waits, and stop at the ends', () => {
  assert.equal(chosen(''), 1);
  assert.equal(chosen('\u001b[B\u001b[B\u001b[B'), 4);
  assert.equal(chosen('\u001b[A'), 1);
  assert.equal(chosen('\u001b[F\u001b[B'), 5);
  assert.equal(chosen('\u001b[6~\u001b[5~'), 1);
});

test('a run stays chosen when the order changes, and when it is gone the first one is', () => {
  assert.equal(chosen('\u001b[Bs'), 2);
  assert.equal(chosen('s'), 2);
  const { state } = typed(listed, '\u001b[B');
  const without = { ...state, machine: buildMachine({ running: [buildRunning(3)] }) };
  assert.equal(chosenIndex(without), 0);
  assert.equal(chosenIndex({ ...without, machine: buildMachine() }), -1);
});

test('only y ends a run, and it ends the one that was asked about', () => {
  assert.deepEqual(typed(listed, '\u001b[Bky').effects, [{ kind: 'end', run: 2 }]);
  for (const other of ['n', '\r', '\u001b[B', 'q', 'k', ' ']) {
    const { state, effects } = typed(listed, `k${other}`);
    assert.deepEqual([effects, state.ending, state.notice], [[], null, 'run 1 goes on']);
  }
  const asked = typed(listed, 'k').state;
  const gone = { ...asked, machine: buildMachine({ running: [buildRunning(3)] }) };
  assert.deepEqual(pressed(gone, 'y', size).effect, { kind: 'end', run: 1 });
});

test('keys on a list without runs do nothing but leave', () => {
  const empty = { ...firstState, machine: buildMachine() };
  assert.deepEqual(typed(empty, 'kl\ro\u001b[B\u001b[Fs').effects, []);
  assert.deepEqual(typed(empty, 'q').effects, [{ kind: 'quit' }]);
  assert.deepEqual(typed(firstState, 'ky\u0003').effects, [{ kind: 'quit' }]);
});

test('q leaves a story or log for the list, and the list for good; Ctrl-C leaves at once', () => {
  assert.deepEqual(typed(listed, '\rqq').effects, [{ kind: 'open', run: 1 }, { kind: 'leave' }, { kind: 'quit' }]);
  assert.deepEqual(typed(listed, 'l\u0003').effects, [{ kind: 'follow', run: 1 }, { kind: 'quit' }]);
  assert.deepEqual(typed(listed, 'k\u0003').effects, [{ kind: 'quit' }]);
});

const view = (changes: Partial<PagesView>): TopState => ({
  ...listed,
  view: {
    kind: 'logs',
    run: 1,
    title: '',
    lines: Array.from({ length: 100 }, (_, index) => `${index}`),
    top: null,
    ...changes,
  },
});
const topAfter = (state: TopState, text: string): number | null | undefined => {
  const { view: after } = typed(state, text).state;
  return after.kind === 'list' ? undefined : after.top;
};

test('a log is followed until it is scrolled, and again at its end', () => {
  assert.equal(topAfter(view({}), '\u001b[A'), 77);
  assert.equal(topAfter(view({}), '\u001b[A\u001b[B'), null);
  assert.equal(topAfter(view({}), '\u001b[H'), 0);
  assert.equal(topAfter(view({}), '\u001b[H\u001b[F'), null);
  assert.equal(topAfter(view({ kind: 'story', top: 0 }), '\u001b[6~\u001b[6~\u001b[6~\u001b[6~\u001b[6~'), 78);
  assert.equal(topAfter(view({ kind: 'story', top: 0 }), '\u001b[5~'), 0);
});

test('what is followed shows its last lines, fewer than a screen from the first on', () => {
  const { view: pages } = view({});
  assert.ok(pages.kind !== 'list');
  assert.equal(topOf(pages, 22), 78);
  assert.equal(topOf({ ...pages, lines: ['a'] }, 22), 0);
});

test('lines of a log are whole lines of one stream, visible, with what was overwritten left out', () => {
  const lines = new LogLines();
  lines.add('stdout', 'one\ntw');
  lines.add('stderr', 'err\u001b[31m\t!\n10 %\r20 %');
  assert.deepEqual(lines.all(), ['one', 'err\\x1b[31m    !', 'tw', '20 %']);
  lines.add('stdout', 'o\r\n');
  lines.add('stderr', '\r30 %\n');
  assert.deepEqual(lines.all(), ['one', 'err\\x1b[31m    !', 'two', '30 %']);
  lines.add('stdout', 'x\n'.repeat(20_000));
  assert.equal(lines.all().length, 5000);
});
