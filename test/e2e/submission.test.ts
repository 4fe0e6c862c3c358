import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { DaemonJson, GroupJson, RunJson, SubmitRequest } from '../../src/wire/api.ts';
import { ask, textOf } from './support/http.ts';
import { Orca } from './support/orca.ts';
import { plainSubmission } from './support/plain-submission.ts';
import { until } from './support/until.ts';

const group = async (orca: Orca, handle: string): Promise<GroupJson> => {
  const { status, stdout, stderr } = await orca.run(['status', handle, '--json']);
  if (status !== 0) throw new Error(`status of ${handle} ended with ${status}: ${stderr}`);
  return JSON.parse(stdout) as GroupJson;
};

test('a file of 2,100 lines is one group over three requests, counted and waited for as one', async (t) => {
  const orca = new Orca(t);
  await orca.submit('true');
  await orca.run(['pause']);
  const input = Array.from({ length: 2100 }, (_, at) => `${at}`).join('\n');
  const idFile = join(orca.folder, 'id');
  const made = await orca.run(
    ['submit', '--tag', 'many', '--id-file', idFile, '--each-line', '-', 'test', '{}', '-ne', '7'],
    {
      input,
    },
  );
  assert.equal(made.status, 0, made.stderr);
  assert.match(made.stderr, /^orca: group g2: 2100 runs$/m);
  assert.equal(readFileSync(idFile, 'utf8'), 'g2\n');
  const found = await group(orca, 'g2');
  assert.deepEqual(
    [found.runs.length, found.runs[0], found.runs.at(-1), found.counts],
    [2100, 2, 2101, { queued: 2100 }],
  );
  assert.equal((await orca.status(2101)).group, 2);
  await orca.run(['kill', '--now', 'g2']);
  assert.deepEqual((await group(orca, 'g2')).counts, { killed: 2100 });
  await orca.run(['resume']);
});

test('a file without lines submits nothing, says so, and leaves no handles of an earlier submission', async (t) => {
  const orca = new Orca(t);
  const [lines, id] = [join(orca.folder, 'lines'), join(orca.folder, 'id')];
  for (const [content, options, stdout] of [
    ['', [], ''],
    ['\n\r\n', ['--wait'], ''],
    ['', ['--json'], '{"runs":[],"group":null,"known":[]}\n'],
  ] as const) {
    writeFileSync(lines, content);
    writeFileSync(id, 'g1\n');
    const told = await orca.run(['submit', '--each-line', lines, '--id-file', id, ...options, '--', 'true']);
    assert.deepEqual([told.status, told.stdout, readFileSync(id, 'utf8')], [0, stdout, '']);
    assert.match(told.stderr, /^orca: no line in .*lines: nothing was submitted$/m);
  }
});

test('a resource that is not counted is refused with where those that are can be seen', async (t) => {
  const orca = new Orca(t);
  mkdirSync(join(orca.folder, '.config', 'orca'), { recursive: true });
  writeFileSync(join(orca.folder, '.config', 'orca', 'config.toml'), '[resources]\nlicence = 3\n');
  await orca.submit('--resource', 'licence=2', '--', 'sleep', '60');
  await orca.untilRun(1, ({ state }) => state === 'running', 'running');
  for (const asked of ['nope', 'licence=4']) {
    const refused = await orca.run(['submit', '--resource', asked, 'true']);
    assert.equal(refused.status, 120);
    assert.match(refused.stderr, /`orca status` shows the resources that are counted; `\[resources\]` in config\.toml/);
  }
  assert.match((await orca.run(['status'])).stdout, /^resource licence 1 of 3 free$/m);
  const { daemon } = JSON.parse((await orca.run(['status', '--json'])).stdout) as { daemon: DaemonJson };
  assert.deepEqual(daemon.resources, [{ name: 'licence', count: 3, held: 2 }]);
  const { status, stderr } = await orca.run(['submit', '--gpus', '4096', 'true']);
  assert.deepEqual([status, /`orca doctor` shows which GPUs are seen/.test(stderr)], [120, true], stderr);
});

test('what failed of a group is counted, told first, and tried again as a group', async (t) => {
  const orca = new Orca(t);
  const flag = join(orca.folder, 'flag');
  const command = ['sh', '-c', `[ $1 = ok ] || [ -e '${flag}' ]`, 'sh'];
  const first = await orca.run(['submit', '--wait', '--each-line', '-', '--', ...command], {
    input: 'ok\nbad\nok\nworse\n',
  });
  assert.equal(first.status, 1);
  const { counts, failed, failures } = await group(orca, 'g1');
  assert.deepEqual([counts, failed, failures.map(({ id }) => id)], [{ succeeded: 2, failed: 2 }, [2, 4], [2, 4]]);
  const shown = await orca.run(['status', 'g1']);
  assert.match(shown.stdout, /^runs +1 to 4: 2 succeeded, 2 failed$/m);
  assert.match(shown.stdout, /^run 2 failed: exit code 1/m);

  writeFileSync(flag, '');
  const again = await orca.run(['retry', 'g1']);
  assert.deepEqual([again.status, again.stdout], [0, '5\n6\n']);
  assert.match(again.stderr, /2 runs of group g1 again, as group g5/);
  assert.equal((await orca.run(['wait', '5', '6'])).status, 0);
  assert.deepEqual((await group(orca, 'g5')).counts, { succeeded: 2 });
  assert.match((await orca.run(['retry', 'g5'])).stderr, /group g5 has no run that is over and did not succeed/);
});

test('one of several that is not over is refused before any is queued again, also far behind the others', async (t) => {
  const orca = new Orca(t);
  const lines = Array.from({ length: 120 }, (_, index) => `${index}`).join('\n');
  assert.equal((await orca.run(['submit', '--wait', '--each-line', '-', '--', 'false'], { input: lines })).status, 1);
  const waits = await orca.submit('--after', String(await orca.submit('--', 'sleep', '600')), '--', 'true');
  const refused = await orca.run(['retry', 'g1', String(waits)]);
  assert.deepEqual([refused.status, refused.stdout], [120, '']);
  assert.match(refused.stderr, new RegExp(`[Rr]un ${waits} is `));
  assert.equal(await orca.submit('--', 'true'), waits + 1);
});

test('many are retried once and in order, though the daemon is killed meanwhile', async (t) => {
  const orca = new Orca(t);
  const lines = Array.from({ length: 400 }, (_, index) => `${index}`).join('\n');
  await orca.run(['pause']);
  const first = await orca.run(['submit', '--each-line', '-', '--', 'echo'], { input: lines });
  assert.equal(first.status, 0);
  await orca.run(['kill', 'g1']);
  const retrying = orca.start(['retry', 'g1']);
  await new Promise((resolve) => retrying.child.stdout?.once('data', resolve));
  orca.killDaemon();
  const { status, stdout, stderr } = await retrying.ended;
  assert.deepEqual([status, stderr.match(/as group (g\d+)/)?.[1]], [0, 'g401']);
  const numbers = stdout.trim().split('\n').map(Number);
  const { counts } = await group(orca, 'g401');
  assert.deepEqual(counts, { queued: 400 });
  assert.equal(new Set(numbers).size, 400);
  for (const [at, run] of [
    [0, numbers[0]],
    [199, numbers[199]],
    [399, numbers[399]],
  ])
    assert.equal((await orca.status(run ?? 0)).argv.at(-1), String(at));
});

test('a retry comes after what is retried with it, waits for what is not over, and says what it does not wait for', async (t) => {
  const orca = new Orca(t);
  const hold = ['sh', '-c', 'until [ -e go ]; do sleep 0.05; done', 'sh'];
  const [first, unfinished] = [await orca.submit('--', ...hold), await orca.submit('--', ...hold)];
  const second = await orca.submit('--after', `${first}`, '--after', `${unfinished}:any`, '--', 'true');
  await orca.run(['kill', '--now', String(first), String(second)]);
  await orca.run(['wait', String(first), String(second)]);
  const both = await orca.run(['retry', String(second), String(first)]);
  assert.deepEqual([both.status, both.stderr], [0, '']);
  const [laterAgain = 0, firstAgain = 0] = both.stdout.split('\n').map(Number);
  assert.deepEqual((await orca.status(laterAgain)).after, [
    { run: firstAgain, any: false },
    { run: unfinished, any: true },
  ]);
  const alone = await orca.run(['retry', String(second)]);
  assert.match(alone.stderr, new RegExp(`run ${second} came after run ${first}, which did not succeed or is gone`));
  assert.deepEqual((await orca.status(Number(alone.stdout))).after, [{ run: unfinished, any: true }]);
  writeFileSync(join(orca.folder, 'go'), '');
  assert.equal((await orca.run(['wait', String(laterAgain), alone.stdout.trim()])).status, 0);
});

test('a run comes after the success, or any end, of runs and groups', async (t) => {
  const orca = new Orca(t);
  const go = join(orca.folder, 'go');
  const waits = ['sh', '-c', `until [ -e '${go}' ]; do sleep 0.05; done; exit $1`, 'sh'];
  const good = await orca.submit('--cpus', '0.1', '--', ...waits, '0');
  const bad = await orca.submit('--cpus', '0.1', '--', ...waits, '3');
  const lines = await orca.run(['submit', '--cpus', '0.1', '--each-line', '-', '--', ...waits], { input: '0\n0\n' });
  assert.equal(lines.status, 0);
  const afterAll = await orca.submit('--after', `${good},g3`, '--after', `${bad}:any`, 'true');
  const afterBad = await orca.submit('--after', `${bad}`, 'true');
  for (const run of [afterAll, afterBad]) assert.match((await orca.status(run)).reason ?? '', /after/);
  assert.match((await orca.run(['status', `${afterAll}`])).stdout, /^after +run 1, group g3, run 2 however it ends$/m);
  writeFileSync(go, '');
  assert.equal((await orca.run(['wait', `${afterAll}`])).status, 0);
  const refused = await orca.untilRun(afterBad, ({ ended_at }) => ended_at !== null, 'over, since it can never start');
  assert.notEqual(refused.state, 'succeeded');
  assert.match(refused.text ?? '', /Run 2 failed/);

  // Over by now: what is as wanted is dropped, what is not is refused.
  const late = await orca.submit('--after', `${good},g3,${bad}:any`, 'true');
  assert.deepEqual((await orca.status(late)).after, []);
  for (const [after, sentence, status] of [
    [`${bad}`, /Run 2 failed, so what comes after its success could never start\./, 120],
    ['999', /There is no run 999\./, 127],
    ['g999', /There is no group g999\./, 127],
  ] as const) {
    const told = await orca.run(['submit', '--after', after, 'true']);
    assert.deepEqual([told.status, told.stdout], [status, '']);
    assert.match(told.stderr, sentence);
  }
});

test('--retry-on tries again what it names: codes and time limits, and no other failure', async (t) => {
  const orca = new Orca(t, { ORCA_RETRY_DELAY_SECONDS: '0.01' });
  const starts = async (...args: string[]): Promise<[number, RunJson['state']]> => {
    const { stdout } = await orca.run(['run', '--json', ...args]);
    const { starts_count, state } = JSON.parse(stdout) as RunJson;
    return [starts_count, state];
  };
  assert.deepEqual(await starts('--retries', '2', '--retry-on', '75', '--', 'sh', '-c', 'exit 75'), [3, 'failed']);
  assert.deepEqual(await starts('--retries', '2', '--retry-on', '75', '--', 'sh', '-c', 'exit 76'), [1, 'failed']);
  assert.deepEqual(await starts('--retries', '1', '--retry-on', '75', '--', 'sh', '-c', 'kill -9 $$'), [1, 'failed']);
  const slow = ['--timeout', '200ms', '--', 'sleep', '60'];
  assert.deepEqual(await starts('--retries', '1', '--retry-on', '75,timed-out', ...slow), [2, 'timed-out']);
  assert.deepEqual(await starts('--retries', '1', ...slow), [1, 'timed-out']);
  const { text } = await orca.status(2);
  assert.match(text ?? '', /It is not tried again: `--retry-on` does not name that\./);
});

test('the file of an id is there before the wait, so that who was killed finds the run again', async (t) => {
  const orca = new Orca(t);
  const idFile = join(orca.folder, 'id');
  const going = orca.start(['submit', '--wait', '--id-file', idFile, '--', 'sleep', '600']);
  await until(() => (existsSync(idFile) ? true : null), 'the file is there');
  going.child.kill('SIGKILL');
  await going.ended;
  assert.equal(readFileSync(idFile, 'utf8'), '1\n');
  await orca.run(['kill', '--now', readFileSync(idFile, 'utf8').trim()]);
  assert.equal((await orca.run(['wait', '1'])).status, 125);
});

test('a file that cannot be written is refused before there is a run, or a daemon', async (t) => {
  const orca = new Orca(t);
  mkdirSync(join(orca.folder, 'folder'));
  for (const file of ['folder', 'missing/id', '/dev/null', '/proc/id']) {
    for (const command of ['run', 'submit']) {
      const told = await orca.run([command, '--id-file', file, 'true']);
      assert.equal(told.status, 120, `${command} ${file}`);
      assert.match(told.stderr, /^orca: The file .* cannot be written: /);
    }
  }
  assert.equal(orca.daemonPid(), null);
  assert.deepEqual(readdirSync(join(orca.folder, 'folder')), []);
});

test('submit --wait tells people how it ended with the end of its output, and programs the record', async (t) => {
  const orca = new Orca(t);
  const command = ['sh', '-c', 'echo working; echo broken >&2; exit 4'];
  const people = await orca.run(['submit', '--wait', '--', ...command]);
  assert.deepEqual([people.status, people.stdout], [4, '1\n']);
  assert.match(people.stderr, /broken/);
  assert.match(people.stderr, /run 1: failed: exit code 4/);
  const json = await orca.run(['submit', '--wait', '--json', '--', ...command]);
  assert.equal(json.status, 4);
  const record = JSON.parse(json.stdout) as RunJson;
  assert.deepEqual([record.id, record.state, record.exit_code, record.starts.length], [2, 'failed', 4, 1]);
});

test('no hostile text in any of the options reaches a terminal, a shell or the store', async (t) => {
  const orca = new Orca(t);
  const texts = ['\u001B[2J\u001B[31m', 'a\nb', '\u202Egnp.exe', '$(touch pwned)\u0007', 'x'.repeat(10_000)];
  const options = [
    '--lock',
    '--resource',
    '--tag',
    '--key',
    '--after',
    '--gpus',
    '--max-parallel',
    '--key-window',
    '--retry-on',
  ];
  for (const option of options) {
    for (const text of texts) {
      const { status, stdout, stderr } = await orca.run(['submit', option, text, '--', 'true']);
      assert.deepEqual([status, stdout], [120, ''], `${option} ${JSON.stringify(text)}`);
      assert.match(stderr, /^orca: [^\n]+\n[^\n]*\n?$/, 'a sentence and a hint');
      // eslint-disable-next-line no-control-regex
      assert.doesNotMatch(stderr, /[\u0000-\u0009\u000B-\u001F\u007F\u202E]/);
      assert.ok(stderr.length < 600, `${option}: a long text is told in short`);
    }
  }
  assert.equal(orca.daemonPid(), null);
  // What is only odd is kept as it is.
  const odd = `'"; drop table runs; -- $(touch pwned) %s {} é`;
  const run = await orca.submit('--lock', odd, '--tag', odd, '--key', odd, '--', 'true');
  const { locks, tags, key } = await orca.status(run);
  assert.deepEqual([locks, tags, key], [[odd], [odd], odd]);
  assert.ok(!existsSync(join(orca.folder, 'pwned')));
});

test('past orca’s own client no NUL byte, nothing too long and no handle as a name gets in', async (t) => {
  const orca = new Orca(t);
  await orca.run(['up']);
  const plain = plainSubmission('t', ['true']);
  const long = 'x'.repeat(10_000);
  const changes: readonly Partial<SubmitRequest>[] = [
    ...['a\0b', '', long].flatMap((text) => [
      { locks: [text] },
      { resources: { [text]: 1 } },
      { tags: [text] },
      { keys: [text] },
      { submitter: text },
    ]),
    { name: 'g12' },
    { name: '12' },
    { keys: ['one', 'too many'] },
    { key_window_ms: -1 },
    { after: [{ run: 0, any: true }] },
    { group: 0 },
    { max_parallel: 0 },
    { retry_on: { codes: [0], verdicts: [] } },
  ];
  for (const change of changes) {
    const answer = await ask(orca.state, 'POST', '/api/runs', { body: { ...plain, ...change } });
    assert.equal(answer.status, 400, JSON.stringify(change).slice(0, 100));
    assert.ok((await textOf(answer)).length < 1000);
  }
  assert.equal(await orca.submit('true'), 1, 'none of them made a run');
});
