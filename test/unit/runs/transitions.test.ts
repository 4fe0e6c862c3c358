import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { runStates, type RunState } from '../../../src/runs/states.ts';
import {
  activeStates,
  finalStates,
  isFinal,
  mayRunGo,
  mayStartGo,
  nextRunStates,
  nextStartStates,
  runStatesBefore,
  startStatesBefore,
  type StartState,
} from '../../../src/runs/transitions.ts';

const startStates: readonly StartState[] = ['starting', 'running', 'ended', 'void'];

test('every state is either active or final', () => {
  assert.deepEqual([...activeStates, ...finalStates].sort(), [...runStates].sort());
  assert.deepEqual(runStates.filter(isFinal), finalStates);
});

test('no sequence of changes ever leaves a final state', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...runStates), { maxLength: 30 }), (wanted) => {
      let state: RunState = 'queued';
      let final: RunState | null = null;
      for (const to of wanted) {
        if (mayRunGo(state, to)) state = to;
        if (final !== null) assert.equal(state, final);
        if (isFinal(state)) final = state;
      }
    }),
  );
});

test('every final state can be reached, and from every active state a person can end the run', () => {
  const reached = new Set<RunState>(['queued']);
  for (const state of reached) for (const next of nextRunStates(state)) reached.add(next);
  assert.deepEqual([...reached].sort(), [...runStates].sort());
  for (const state of activeStates) assert.ok(mayRunGo(state, 'killed'), state);
});

test('a queued run never runs without a claim, and never succeeds without running', () => {
  assert.equal(mayRunGo('queued', 'running'), false);
  assert.equal(mayRunGo('queued', 'succeeded'), false);
  assert.equal(mayRunGo('running', 'starting'), false);
  assert.ok(mayRunGo('starting', 'queued'), 'a void start goes back to the queue');
  assert.ok(mayRunGo('running', 'queued'), 'a retry goes back to the queue');
});

test('no state follows itself', () => {
  for (const state of runStates) assert.equal(mayRunGo(state, state), false, state);
  for (const state of startStates) assert.equal(mayStartGo(state, state), false, state);
});

test('a start that was running cannot be void, and one that is over stays as it is', () => {
  assert.equal(mayStartGo('running', 'void'), false);
  assert.deepEqual(nextStartStates('ended'), []);
  assert.deepEqual(nextStartStates('void'), []);
  assert.ok(mayStartGo('starting', 'ended'), 'a command that could not be executed ends without running');
});

test('the states before a state are those that may go to it', () => {
  for (const to of runStates) {
    assert.deepEqual(
      runStatesBefore(to),
      [...activeStates].filter((from) => nextRunStates(from).includes(to)),
    );
  }
  for (const to of startStates) {
    assert.deepEqual(
      startStatesBefore(to),
      startStates.filter((from) => nextStartStates(from).includes(to)),
    );
  }
});
