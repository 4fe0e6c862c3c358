import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { realCgroupFs } from '../../../src/containment/cgroup-fs.ts';
import { findOtherRuns } from '../../../src/containment/other-runs.ts';

let box = '';
beforeEach(() => {
  box = mkdtempSync(join(tmpdir(), 'orca-others-'));
});
afterEach(() => {
  rmSync(box, { recursive: true });
});

const put = (file: string, text: string): void => {
  mkdirSync(dirname(join(box, file)), { recursive: true });
  writeFileSync(join(box, file), text);
};
interface Files {
  readonly high?: string;
  readonly max?: string;
  readonly current?: string;
  readonly populated?: string;
}
const run = (path: string, { high = '1000', max = '1250', current = '70', populated = '1' }: Files = {}): string => {
  put(`${path}/memory.high`, `${high}\n`);
  put(`${path}/memory.max`, `${max}\n`);
  put(`${path}/memory.current`, `${current}\n`);
  put(`${path}/memory.pressure`, 'some avg10=12.50 avg60=0.00 avg300=0.00 total=0\n');
  put(`${path}/cgroup.events`, `populated ${populated}\nfrozen 0\n`);
  return join(box, path);
};
const found = (isOwn: (folder: string) => boolean = () => false): string[] =>
  findOtherRuns(box, isOwn).map(({ folder }) => folder.slice(box.length + 1));

test('runs of other daemons are found wherever their base is, with their limit, their use and their user', () => {
  const folder = run('user.slice/user-1000.slice/user@1000.service/app.slice/orca-a.service/orca-run-7-1-412');
  run('system.slice/orca-b.service/orca-run-3-2-99');
  put('system.slice/cron.service/cgroup.procs', '');
  const uid = process.getuid?.() ?? null;
  assert.deepEqual(
    findOtherRuns(box, () => false).find((one) => one.folder === folder),
    { folder, uid, limitBytes: 1000, currentBytes: 70, someAvg10: 12.5 },
  );
  assert.equal(found().length, 2);
});

test('this store’s own are left out', () => {
  const own = run('base/orca-run-1-1-50');
  run('base/orca-run-1-1-51');
  assert.deepEqual(
    found((folder) => folder === own),
    ['base/orca-run-1-1-51'],
  );
});

test('the smaller limit counts, and without one there is only the use', () => {
  const limits = (files: Files): number | null | undefined => {
    run('a/orca-run-1-1-50', files);
    return findOtherRuns(box, () => false)[0]?.limitBytes;
  };
  assert.equal(limits({ high: '2000', max: '1250' }), 1250);
  assert.equal(limits({ high: 'max', max: '1250' }), 1250);
  assert.equal(limits({ high: '900', max: 'max' }), 900);
  assert.equal(limits({ high: 'max', max: 'max' }), null);
  assert.equal(limits({ high: 'garbage', max: '' }), null);
});

test('what is empty, is called otherwise, or lies in a run is none', () => {
  run('a/orca-run-1-1-50', { populated: '0' });
  run('a/orca-run-0-1-50');
  run('a/orca-run-1-1');
  run('a/orca');
  put('a/orca-run-2-1-50/orca-run-3-1-50/memory.max', '5');
  assert.deepEqual(found(), []);
});

test('files that cannot be read leave what is not known open', () => {
  put('a/orca-run-1-1-50/cgroup.events', 'populated 1\n');
  const uid = process.getuid?.() ?? null;
  assert.deepEqual(
    findOtherRuns(box, () => false),
    [{ folder: join(box, 'a/orca-run-1-1-50'), uid, limitBytes: null, currentBytes: null, someAvg10: null }],
  );
  assert.deepEqual(
    findOtherRuns(join(box, 'missing'), () => false),
    [],
  );
});

test('the walk has an end, however deep the folders lie', () => {
  const deep = Array.from({ length: 40 }, (_, at) => `d${at}`).join('/');
  run(`${deep}/orca-run-1-1-50`);
  run('orca-run-2-1-50');
  assert.deepEqual(found(), ['orca-run-2-1-50']);
});

test('a cgroup is made so that other users’ daemons can read it, whatever this one’s umask is', (t) => {
  const before = process.umask(0o077);
  t.after(() => process.umask(before));
  assert.equal(realCgroupFs.mkdir(join(box, 'orca-run-1-1-50')), null);
  assert.equal(statSync(join(box, 'orca-run-1-1-50')).mode & 0o777, 0o755);
  assert.equal(realCgroupFs.mkdir(join(box, 'orca-run-1-1-50')), 'EEXIST');
});
