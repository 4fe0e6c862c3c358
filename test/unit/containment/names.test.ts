import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { cgroupMounts, folderIn } from '../../../src/containment/cgroup-mount.ts';
import { hasWord } from '../../../src/containment/has-word.ts';
import { placeOf } from '../../../src/containment/place.ts';
import { ownerOf, parseRunName, runName } from '../../../src/containment/run-name.ts';

test("a run cgroup's name holds its run, its start and its maker's pid, and gives them back", () => {
  assert.equal(runName({ run: 12, start: 3, owner: 4567 }), 'orca-run-12-3-4567');
  assert.equal(ownerOf('orca-run-12-3-4567'), 4567);
  const number = fc.integer({ min: 1, max: 2 ** 49 });
  fc.assert(
    fc.property(number, number, number, (run, start, owner) => {
      const name = { run, start, owner };
      assert.deepEqual(parseRunName(runName(name)), name);
    }),
  );
});

test('any other name has no owner', () => {
  for (const name of [
    '',
    'orca',
    'orca-run-',
    'orca-run-1-2',
    'orca-run-1-2-x',
    'orca-run-1-2-3-4',
    'orca-run-0-1-3',
    'orca-run-1-2-03',
    'orca-run-1-2--3',
    'orca-run-1-2-3 ',
    'orca-run-1-2-3\n',
    'my-orca-run-1-2-3',
    'orca-run-1-2-3.scope',
    'orca-run-1-2-99999999999999999999',
  ])
    assert.equal(ownerOf(name), null, JSON.stringify(name));
});

test('the base is the own cgroup, the one above the leaf, or the one above the run that orca is in', () => {
  assert.deepEqual(placeOf('/'), { base: '/', inside: 'base' });
  assert.deepEqual(placeOf('/a/b'), { base: '/a/b', inside: 'base' });
  assert.deepEqual(placeOf('/a/orca'), { base: '/a', inside: 'leaf' });
  assert.deepEqual(placeOf('/orca'), { base: '/', inside: 'leaf' });
  assert.deepEqual(placeOf('/a/orca-run-1-2-3'), { base: '/a', inside: 'run' });
  assert.deepEqual(placeOf('/orca-run-1-2-3/x/orca'), { base: '/', inside: 'run' });
  assert.deepEqual(placeOf('/a/orcas'), { base: '/a/orcas', inside: 'base' });
  assert.deepEqual(placeOf('/orca/b'), { base: '/orca/b', inside: 'base' });
});

test('mountinfo gives the cgroup v2 mounts alone, with their tops, escapes and modes', () => {
  const text = [
    '31 23 0:28 / /sys/fs/cgroup rw,relatime - tmpfs tmpfs rw,mode=755',
    '35 31 0:32 / /sys/fs/cgroup/memory rw,relatime - cgroup cgroup rw,memory',
    '41 31 0:38 / /sys/fs/cgroup/unified rw,relatime shared:9 master:1 - cgroup2 cgroup2 rw',
    '42 31 0:38 /docker/ab /mnt/a\\040b ro,nosuid - cgroup2 none rw',
    '43 31 0:38 /../.. /x rw - cgroup2 none ro',
    '44 31 0:38 - cgroup2 none rw',
    '45',
    '',
  ].join('\n');
  assert.deepEqual(cgroupMounts(text), [
    { top: '/', folder: '/sys/fs/cgroup/unified', readOnly: false },
    { top: '/docker/ab', folder: '/mnt/a b', readOnly: true },
    { top: '/../..', folder: '/x', readOnly: true },
  ]);
});

test("a cgroup's folder is below the mount's top, and nowhere when the mount does not show it", () => {
  const whole = { top: '/', folder: '/cg', readOnly: false };
  assert.equal(folderIn(whole, '/'), '/cg');
  assert.equal(folderIn(whole, '/a/b'), '/cg/a/b');
  assert.equal(folderIn(whole, '/../a'), null);
  const part = { top: '/docker/ab', folder: '/cg', readOnly: false };
  assert.equal(folderIn(part, '/docker/ab'), '/cg');
  assert.equal(folderIn(part, '/docker/ab/c'), '/cg/c');
  assert.equal(folderIn(part, '/docker/abc'), null);
  assert.equal(folderIn(part, '/'), null);
  assert.equal(folderIn({ ...part, top: '/..' }, '/'), null);
});

test('a controller is named by its whole word', () => {
  assert.equal(hasWord('cpuset cpu io memory\n', 'memory'), true);
  assert.equal(hasWord('cpuset io\n', 'cpu'), false);
  assert.equal(hasWord('', 'memory'), false);
});

test('no reader of names or mounts throws on any text', () => {
  const piece = fc.constantFrom(' ', '\n', ' - ', 'cgroup2', '/', '..', '\\040', 'orca-run-1-2-3', 'ro', ',', '7');
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.array(piece).map((list) => list.join('')),
  );
  fc.assert(
    fc.property(text, text, (s, t) => {
      for (const mount of cgroupMounts(s)) folderIn(mount, t);
      for (const mount of cgroupMounts(`1 2 0:3 ${s} /x rw - cgroup2 none rw`)) folderIn(mount, t);
      placeOf(s);
      ownerOf(s);
      hasWord(s, t);
    }),
  );
});
