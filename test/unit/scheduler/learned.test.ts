import assert from 'node:assert/strict';
import { test } from 'node:test';
import { keepSuccess, LearnedCommands } from '../../../src/scheduler/learned.ts';
import { Queue } from '../../../src/admission/queue.ts';
import { bytes, millis, runId } from '../../../src/units/brands.ts';
import { waiting } from '../admission/builders.ts';

const success = { peakBytes: bytes(100 * 1048576), durationMs: millis(1000) };

test('a success is learned, and the queued runs of its command are sized by it', () => {
  const learned = new LearnedCommands();
  const queue = new Queue((command) => learned.get(command) !== null);
  queue.add(waiting(1, { command: 'make' }));
  assert.equal(learned.get('make'), null);
  keepSuccess({ learned, queue }, 'make', success);
  assert.equal(learned.get('make')?.memory, 112 * 1048576);
  assert.equal(queue.get(runId(1))?.shape.command, 'make');
});

test('of very many commands the first that were learned are forgotten, and one that is learned again is young', () => {
  const learned = new LearnedCommands();
  for (let command = 0; command < 10_000; command += 1) learned.add(String(command), success);
  learned.add('0', success);
  learned.add('new', success);
  assert.deepEqual(
    ['0', '1', '2', 'new'].map((command) => learned.get(command) !== null),
    [true, false, true, true],
  );
});

test('what the store tells replaces what was known, and nothing told is nothing known', () => {
  const learned = new LearnedCommands();
  learned.put('make', [success]);
  learned.put('make', []);
  assert.equal(learned.get('make'), null);
});
