import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { defaultFolders } from '../../../src/sample/default-folders.ts';
import { machineName, metricsLocation, parseLocation } from '../../../src/sample/location.ts';

test('lines go to standard output, a file or an object', () => {
  assert.deepEqual(parseLocation('-'), { kind: 'stdout' });
  assert.deepEqual(parseLocation('/a/b.jsonl'), { kind: 'file', path: '/a/b.jsonl' });
  assert.deepEqual(parseLocation('odd:name'), { kind: 'file', path: 'odd:name' });
  assert.deepEqual(parseLocation('s3://bucket.x/a/b c.jsonl'), {
    kind: 'object',
    bucket: 'bucket.x',
    key: 'a/b c.jsonl',
  });
});

test('a place that nothing can be written to is none', () => {
  for (const text of ['', 's3://', 's3://b', 's3://b/', 's3://b/folder/', 's3:///k', 'gs://b/k', 'https://x/y', 'a\0b'])
    assert.equal(parseLocation(text), null, text);
});

test("a run's metrics lie in its folder of the logs, and nowhere without one", () => {
  assert.equal(metricsLocation('/logs', 'etl', 7, 'worker-a'), '/logs/etl/7/metrics/worker-a.jsonl');
  assert.equal(metricsLocation('', 'etl', 7, 'local'), '');
});

test("a worker's name in a file's name has only letters, digits, dots, dashes and underscores", () => {
  assert.equal(machineName('box-1.eu_2'), 'worker-box-1.eu_2');
  assert.equal(machineName('a/b c\nd:é'), 'worker-a_b_c_d__');
  fc.assert(fc.property(fc.string({ unit: 'binary' }), (name) => /^worker-[A-Za-z0-9._-]*$/.test(machineName(name))));
});

test('the folders that are told by default are the temporary one and those of dista', () => {
  assert.deepEqual(defaultFolders({}), ['/tmp']);
  assert.deepEqual(defaultFolders({ TMPDIR: '', DISTA_SPILL_DIR: '' }), ['/tmp']);
  assert.deepEqual(defaultFolders({ TMPDIR: '/t', DISTA_SPILL_DIR: '/spill', DISTA_STORE_DIR: '/store' }), [
    '/t',
    '/spill',
    '/store',
  ]);
});
