import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parsePlacement, poolOf, poolProblem, runnerOf, runnerReason } from '../../../src/runs/placement.ts';

test('pool names of 0 or 33 characters, with a capital, a dot or a space are refused with the rule', () => {
  const rule = "a pool's name has 1 to 32 characters of a-z, 0-9, - and _";
  for (const pool of ['', 'a'.repeat(33), 'Big', 'a.b', 'a b', 'ä', 'a\n']) {
    assert.equal(poolProblem(pool), rule, JSON.stringify(pool));
    assert.deepEqual(parsePlacement(`worker:${pool}`), { placement: null, why: rule });
  }
  for (const pool of ['a', '0', 'a'.repeat(32), 'gpu-2_b', '-']) {
    assert.equal(poolProblem(pool), null, pool);
    assert.deepEqual(parsePlacement(`worker:${pool}`), { placement: `worker:${pool}`, why: null });
    assert.equal(poolOf(`worker:${pool}`), pool);
  }
});

test('default is stored as null, the others by their names, and anything else is refused with what there is', () => {
  assert.deepEqual(parsePlacement('default'), { placement: null, why: null });
  for (const word of ['control', 'ec2', 'slurm', 'kube'])
    assert.deepEqual(parsePlacement(word), { placement: word, why: null });
  for (const word of ['', 'Control', 'local', 'worker', 'ec2:x', 'control ', 'toString'])
    assert.match(
      parsePlacement(word).why ?? '',
      /^it is one of default, control, worker:<pool>, ec2, slurm, kube$/,
      word,
    );
});

test('only worker:<pool> has a pool', () => {
  for (const placement of [null, 'control', 'ec2', 'workers:a']) assert.equal(poolOf(placement), null);
});

test('default means the runner that is set; what has no runner here waits and says for which', () => {
  assert.equal(runnerOf(null, 'local'), 'local');
  assert.equal(runnerOf(null, 'control'), 'control');
  assert.equal(runnerOf('control', 'local'), 'control');
  assert.equal(runnerOf('worker:a', 'local'), 'worker');
  for (const placement of [null, 'control']) assert.equal(runnerReason(placement, 'local'), null);
  assert.equal(runnerReason('ec2', 'local'), 'waits for the runner ec2: this orca has none');
  assert.equal(runnerReason('worker:gpu', 'control'), 'waits for a worker of the pool gpu: this orca has no workers');
});
