import assert from 'node:assert/strict';
import { chmodSync, existsSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { killGroup, linesOf, Samplers } from './support/sampler.ts';
import { until } from './support/until.ts';

test('one line is there at once, also with a long interval, and --count 1 is that line', async (t) => {
  const samplers = new Samplers(t);
  const { status, stderr } = await samplers.run(['--out', 'x.jsonl', '--seconds', '3600', '--count', '1']);
  assert.deepEqual([status, stderr], [0, '']);
  const [line, ...more] = samplers.lines('x.jsonl');
  assert.equal(more.length, 0);
  assert.ok(line !== undefined && line.v === 1 && line.dt >= 0.15 && Math.abs(line.t - Date.now() / 1000) < 60);
});

test('a run is measured with what descends from it, and its last line comes when it has ended', async (t) => {
  const samplers = new Samplers(t);
  const work = samplers.other('sh', '-c', 'sleep 300 & sleep 300');
  const { ended } = samplers.start(['--out', 'x.jsonl', '--seconds', '0.2', '--pid', String(work.pid)]);
  await until(
    () => (existsSync(samplers.path('x.jsonl')) && samplers.lines('x.jsonl').length >= 3 ? true : null),
    'lines',
  );
  killGroup(work);
  const { status } = await ended;
  assert.equal(status, 0);
  const lines = samplers.lines('x.jsonl');
  assert.ok((lines[1]?.mem.rss ?? 0) > 1e6, 'a shell and two sleeps have some memory');
  assert.equal(lines.at(-1)?.mem.rss, 0);
  assert.ok(
    lines.every(({ mem, cpu }) => mem.used === (mem.total ?? 0) - (mem.available ?? 0) && cpu.busiest >= cpu.user),
  );
});

test('a process that nobody has reaped counts as ended', async (t) => {
  const samplers = new Samplers(t);
  // The shell becomes a sleep, which reaps no child.
  const parent = samplers.other('sh', '-c', 'sleep 0.3 & echo $!; exec sleep 300');
  const pid = await new Promise<string>((resolve) =>
    parent.stdout?.once('data', (text: Buffer) => resolve(text.toString().trim())),
  );
  const { status } = await samplers.run(['--out', 'x.jsonl', '--seconds', '3600', '--pid', pid]);
  assert.equal(status, 0);
  assert.ok(existsSync(`/proc/${pid}/stat`), 'it is a zombie');
});

test('a pid that nobody has leaves one line and status 0', async (t) => {
  const samplers = new Samplers(t);
  const { status, stderr } = await samplers.run(['--out', 'x.jsonl', '--pid', '2147483647']);
  assert.deepEqual([status, stderr, samplers.lines('x.jsonl').length], [0, '', 1]);
});

test('the file of --until brings a last line and the end', async (t) => {
  const samplers = new Samplers(t);
  const { ended } = samplers.start(['--out', 'x.jsonl', '--seconds', '3600', '--until', 'over']);
  await until(() => (existsSync(samplers.path('x.jsonl')) ? true : null), 'the first line');
  writeFileSync(samplers.path('over'), '');
  assert.equal((await ended).status, 0);
  assert.equal(samplers.lines('x.jsonl').length, 2);
});

test('SIGTERM ends it at once and keeps its lines', async (t) => {
  const samplers = new Samplers(t);
  const { child, ended } = samplers.start(['--out', 'x.jsonl', '--seconds', '0.2']);
  await until(
    () => (existsSync(samplers.path('x.jsonl')) && samplers.lines('x.jsonl').length >= 2 ? true : null),
    'lines',
  );
  child.kill('SIGTERM');
  assert.equal((await ended).signal, 'SIGTERM');
  assert.ok(samplers.lines('x.jsonl').length >= 2);
});

test('lines on standard output have their prefix, and nothing else is there', async (t) => {
  const samplers = new Samplers(t);
  const { stdout } = await samplers.run(['--out', '-', '--seconds', '0.1', '--count', '3']);
  assert.ok(
    stdout
      .split('\n')
      .slice(0, -1)
      .every((line) => line.startsWith('orca-sample {"v":1,')),
  );
  assert.equal(linesOf(stdout).length, 3);
});

test('output that cannot be written is told once, and sampling goes on to its normal end', async (t) => {
  const samplers = new Samplers(t);
  for (const out of ['missing/x.jsonl', '/dev/full', '.']) {
    const { status, stderr } = await samplers.run(['--out', out, '--seconds', '0.1', '--count', '4']);
    assert.equal(status, 0, out);
    assert.match(stderr, /^orca: a sample could not be written to [^\n]*\n$/, out);
  }
});

test('a folder that goes away costs lines, and one that comes back gets them again', async (t) => {
  const samplers = new Samplers(t);
  mkdirSync(samplers.path('out'));
  const file = samplers.path('out/x.jsonl');
  const { ended } = samplers.start(['--out', 'out/x.jsonl', '--seconds', '0.1', '--until', 'over']);
  await until(() => (existsSync(file) ? true : null), 'the first line');
  rmSync(samplers.path('out'), { recursive: true });
  mkdirSync(samplers.path('out'));
  await until(() => (existsSync(file) ? true : null), 'a line after the folder came back');
  writeFileSync(samplers.path('over'), '');
  const { status, stderr } = await ended;
  assert.equal(status, 0);
  assert.ok(stderr.split('\n').length <= 2, stderr);
});

test('a folder that becomes read-only costs lines, and the sampler goes on to its end', async (t) => {
  const samplers = new Samplers(t);
  // Root may write anywhere.
  const user = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {};
  const folder = samplers.path('out');
  mkdirSync(folder);
  chmodSync(samplers.folder, 0o755);
  chmodSync(folder, 0o777);
  const args = ['--out', 'out/x.jsonl', '--keep', '2', '--seconds', '0.1', '--until', 'over'];
  const { child, ended } = samplers.start(args, {}, user);
  let said = '';
  child.stderr?.on('data', (part: Buffer) => (said += part.toString()));
  await until(() => (existsSync(samplers.path('out/x.jsonl')) ? true : null), 'the first line');
  chmodSync(folder, 0o555);
  await until(() => (said.includes('permission denied') ? true : null), 'it is told');
  writeFileSync(samplers.path('over'), '');
  const { status, stderr } = await ended;
  assert.equal(status, 0);
  assert.match(stderr, /^orca: a sample could not be written to [^\n]*permission denied[^\n]*\n$/);
  assert.equal(samplers.lines('out/x.jsonl').length, 4);
});

test('an interval that is no number is 5 with a warning, 0 takes no samples, and --seconds wins over both', async (t) => {
  const samplers = new Samplers(t);
  const abc = await samplers.run(['--out', 'x.jsonl', '--count', '1'], { ORCA_SAMPLE_SECONDS: 'abc' });
  assert.equal(abc.status, 0);
  assert.match(abc.stderr, /ORCA_SAMPLE_SECONDS to abc.* 5 is used/);
  const off = await samplers.run(['--out', 'off.jsonl'], { ORCA_SAMPLE_SECONDS: '0' });
  assert.deepEqual([off.status, off.stderr], [0, 'orca: ORCA_SAMPLE_SECONDS is 0: no samples are taken.\n']);
  assert.ok(!existsSync(samplers.path('off.jsonl')));
  const own = ['--out', 'own.jsonl', '--count', '2', '--seconds', '0.1'];
  assert.equal((await samplers.run(own, { ORCA_SAMPLE_SECONDS: '0' })).status, 0);
  assert.equal(samplers.lines('own.jsonl').length, 2);
});

test('settings that are no business of a sampler do not end it', async (t) => {
  const samplers = new Samplers(t);
  const { status, stderr } = await samplers.run(['--out', 'x.jsonl', '--count', '1'], { ORCA_KEEPER: 'nonsense' });
  assert.equal(status, 0);
  assert.match(stderr, /ORCA_KEEPER/);
});

test('options that mean nothing are refused before anything is written', async (t) => {
  const samplers = new Samplers(t);
  const bad = [
    ['--out', 'x', '--seconds', '-1'],
    ['--out', 'x', '--seconds', '0'],
    ['--out', 'x', '--seconds', 'abc'],
    ['--out', 'x', '--count', '0'],
    ['--out', 'x', '--pid', 'me'],
    ['--out', '-', '--keep', '5'],
    ['--out', 's3://bucket'],
    ['--out', 'ftp://host/x'],
    [],
  ];
  const ends = await Promise.all(bad.map((args) => samplers.run(args)));
  for (const [index, { status }] of ends.entries()) assert.equal(status, 120, bad[index]?.join(' '));
  assert.ok(!existsSync(samplers.path('x')));
});

test('--keep bounds a file while it is read, and every line in it is whole', async (t) => {
  const samplers = new Samplers(t);
  const { ended } = samplers.start(['--out', 'x.jsonl', '--seconds', '0.02', '--keep', '5', '--count', '60']);
  let most = 0;
  let over = false;
  void ended.then(() => (over = true));
  await until(() => {
    if (existsSync(samplers.path('x.jsonl'))) most = Math.max(most, samplers.lines('x.jsonl').length);
    return over ? true : null;
  }, 'it is over');
  assert.ok(most >= 5 && most <= 10, String(most));
  assert.ok(statSync(samplers.path('x.jsonl')).size > 0);
});

test('a disk is told once, and one that is not there or goes away is left out', async (t) => {
  const samplers = new Samplers(t);
  mkdirSync(samplers.path('a'));
  const dirs = ['a', '.', 'never'].map((name) => samplers.path(name)).join(',');
  const { ended } = samplers.start(['--out', 'x.jsonl', '--seconds', '0.1', '--dirs', dirs, '--until', 'over']);
  const disks = (): string[] =>
    samplers
      .lines('x.jsonl')
      .at(-1)
      ?.disk.map(({ path }) => path) ?? [];
  await until(() => (existsSync(samplers.path('x.jsonl')) && disks().length === 1 ? true : null), 'one disk');
  assert.deepEqual(disks(), [samplers.path('a')]);
  rmSync(samplers.path('a'), { recursive: true });
  await until(() => (disks()[0] === samplers.folder ? true : null), 'the other folder stands for the disk');
  writeFileSync(samplers.path('over'), '');
  assert.deepEqual((await ended).stderr, '');
});
