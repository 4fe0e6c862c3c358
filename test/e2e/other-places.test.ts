import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { crash } from './support/crash.ts';
import { Orca } from './support/orca.ts';
import { until } from './support/until.ts';

/** What runs while the place of its logs, or the stage, becomes another one. */
const script = (go: string): string[] => [
  'sh',
  '-c',
  `echo "one $DB"; until [ -e '${go}' ]; do sleep 0.05; done; echo "two $DB"; seq "\${LINES_MORE:-1}" >&2`,
];

test('a change of ORCA_LOGS while runs go on changes nothing for their logs: masked, cut, with samples, and where they were', async (t) => {
  const orca = new Orca(t, { ORCA_USAGE_INTERVAL_MS: '250', ORCA_SAMPLE_SECONDS: '1' });
  const [go, secret] = [join(orca.folder, 'go'), join(orca.folder, 'secret')];
  writeFileSync(secret, 'zq7%Vx-value\n');
  const first = { ORCA_LOGS: join(orca.folder, 'first'), ORCA_LOG_MAX_MB: '1', LINES_MORE: '300000' };
  const submit = async (...options: string[]): Promise<number> =>
    Number((await orca.run(['submit', ...options, '--', ...script(go)], { env: first })).stdout);
  const plain = await submit();
  const masked = await submit('--secret', `DB=file:${secret}`);
  const samples = join(first.ORCA_LOGS, '_command', String(plain), 'metrics/local.jsonl');
  await until(() => existsSync(samples) || null, 'samples are taken');
  await orca.run(['down'], { env: first });
  const env = { ORCA_LOGS: join(orca.folder, 'second') };
  await orca.run(['up'], { env });
  writeFileSync(go, '');
  await orca.run(['wait', String(plain), String(masked)], { env });
  const shown = await orca.run(['logs', '--stdout', String(masked)], { env });
  assert.deepEqual([shown.stdout, shown.stderr], ['one ***\ntwo ***\n', '']);
  const folder = join(first.ORCA_LOGS, '_command', String(masked));
  assert.equal(readFileSync(join(folder, '1.stdout'), 'utf8'), 'one ***\ntwo ***\n');
  assert.match(readFileSync(join(folder, 'driver.log'), 'utf8'), /^one \*\*\*\ntwo \*\*\*\n1\n2\n/);
  const cut = join(first.ORCA_LOGS, '_command', String(plain), '1.stderr');
  await until(() => (/ \d+ \d+\n$/.test(readFileSync(`${cut}.gone`, 'latin1')) ? true : null), 'it is cut');
  assert.ok(statSync(cut).size <= 1048576);
  const lines = (await orca.run(['metrics', String(plain), '--json'], { env })).stdout.trim().split('\n').length;
  assert.equal(lines, readFileSync(samples, 'utf8').trim().split('\n').length);
  assert.equal(existsSync(env.ORCA_LOGS), false);
});

test('the samples of a run whose starts have their logs in several places are shown one after the other', async (t) => {
  const orca = new Orca(t, { ORCA_USAGE_INTERVAL_MS: '250', ORCA_SAMPLE_SECONDS: '1' });
  const places = ['first', 'second'].map((name) => join(orca.folder, name));
  const goes = (start: number): string => join(orca.folder, `go${start}`);
  const waits = `[ -e '${goes(1)}' ] && n=2 || n=1; until [ -e "${orca.folder}/go$n" ]; do sleep 0.05; done; exit $((2 - n))`;
  const samplesIn = (place: string): string => join(place, '_command/1/metrics/local.jsonl');
  for (const [at, place] of places.entries()) {
    const env = { ORCA_LOGS: place };
    if (at === 0) await orca.run(['submit', '--retries', '1', '--', 'sh', '-c', waits], { env });
    else await orca.run(['up'], { env });
    await until(() => existsSync(samplesIn(place)) || null, 'samples are taken');
    if (at === 0) await orca.run(['down'], { env });
    writeFileSync(goes(at + 1), '');
  }
  assert.equal((await orca.run(['wait', '1'])).status, 0);
  const shown = (await orca.run(['metrics', '1', '--json'])).stdout;
  assert.equal(shown, places.map((place) => readFileSync(samplesIn(place), 'utf8')).join(''));
});

test('what a daemon with another stage left there is shown, gets into its log, and goes with its run', async (t) => {
  const orca = new Orca(t);
  const [go, secret] = [join(orca.folder, 'go'), join(orca.folder, 'secret')];
  writeFileSync(secret, 'zq7%Vx-value\n');
  const [one, two, three] = ['one', 'two', 'three'].map((name) => join(orca.folder, name));
  assert.ok(one !== undefined && two !== undefined && three !== undefined);
  for (const folder of [one, two, three]) mkdirSync(folder);
  const stageIn = (tmp: string): string[] =>
    readdirSync(join(tmp, 'orca-logs')).filter((name) => !name.includes('.times'));
  await orca.run(['up'], { env: { TMPDIR: one } });
  const goes = await orca.submit('--secret', `DB=file:${secret}`, '--', ...script(go));
  const lost = Number(
    (await orca.run(['submit', '--secret', 'DB=env:MY', '--', ...script(go)], { env: { MY: 'zq7%Vx-mine' } })).stdout,
  );
  for (const run of [goes, lost]) await orca.untilRun(run, ({ state }) => state === 'running', 'running');
  await until(() => (stageIn(one).length === 6 ? true : null), 'both write');
  await crash(orca);
  await orca.run(['up'], { env: { TMPDIR: two } });
  assert.equal((await orca.run(['logs', '--stdout', String(goes)])).stdout, 'one ***\n');
  await crash(orca);
  writeFileSync(go, '');
  await until(
    () => (stageIn(one).some((name) => readFileSync(join(one, 'orca-logs', name), 'utf8') === '1\n') ? true : null),
    'over',
  );
  await orca.run(['up'], { env: { TMPDIR: three } });
  await orca.run(['wait', String(goes), String(lost)]);
  const shown = await orca.run(['logs', '--stdout', String(goes)]);
  assert.deepEqual([shown.stdout, shown.stderr], ['one ***\ntwo ***\n', '']);
  const { text } = await orca.status(goes);
  assert.equal(text, 'ended well');
  const waits = await orca.run(['logs', '--stdout', String(lost)]);
  assert.ok(waits.stderr.includes(join(one, 'orca-logs')), waits.stderr);
  assert.equal(stageIn(one).length, 3);
  assert.equal((await orca.run(['gc', '--keep', '0'])).status, 0);
  assert.deepEqual(stageIn(one), []);
});

test('state folders with the same ORCA_LOGS share no folder of a run: neither sees, counts or deletes what the other has', async (t) => {
  const one = new Orca(t);
  const ORCA_LOGS = join(one.folder, 'logs');
  const env = { ORCA_LOGS };
  const others = [new Orca(t, env), new Orca(t, env)];
  const again = ['--retries', '1', '--', 'sh', '-c', 'echo "$1"; exit 1', 'sh'];
  assert.equal((await one.run(['run', ...again, 'first'], { env })).status, 1);
  await Promise.all(others.map((orca, at) => orca.run(['run', ...again, `other ${at}`])));
  const names = ['1', '1.2', '1.3'];
  assert.deepEqual(readdirSync(join(ORCA_LOGS, '_command')).sort(), names);
  for (const name of names)
    for (const start of [1, 2])
      assert.match(readFileSync(join(ORCA_LOGS, '_command', name, `${start}.stdout`), 'utf8'), /^(first|other \d)\n$/);
  for (const [at, orca] of others.entries())
    assert.equal((await orca.run(['logs', '--stdout', '1'])).stdout, `other ${at}\n`);
  for (const orca of others) await orca.run(['gc', '--keep', '0']);
  assert.deepEqual(readdirSync(join(ORCA_LOGS, '_command')), ['1']);
  assert.equal((await one.run(['logs', '--stdout', '1'], { env })).stdout, 'first\n');
});

test('what a state folder that was deleted left in the stage gets into no log of the next one in its place', async (t) => {
  const orca = new Orca(t);
  const stage = join(orca.folder, 'stage');
  const env = { ORCA_LOG_STAGE: stage };
  const secret = (value: string) => ({ env: { ...env, MY: value } });
  const script = 'echo "x $DB"; touch begun; until [ -e go ]; do sleep 0.05; done';
  await orca.run(['submit', '--secret', 'DB=env:MY', '--', 'sh', '-c', script], secret('zq7%Vx-old-value'));
  await until(() => existsSync(join(orca.folder, 'begun')) || null, 'it has printed');
  await crash(orca);
  writeFileSync(join(orca.folder, 'go'), '');
  await until(() => existsSync(join(orca.state, 'starts/1.1/exit')) || null, 'it is over');
  rmSync(orca.state, { recursive: true });
  const plain = await orca.run(['run', '--', 'echo', 'plain'], { env });
  assert.equal(plain.stdout, 'plain\n');
  const next = await orca.run(['run', '--secret', 'DB=env:MY', '--', 'sh', '-c', 'echo "y $DB"'], secret('zq7%Vx-new'));
  assert.equal(next.stdout, 'y ***\n');
  await orca.run(['restart'], { env });
  const shown = await Promise.all(['1', '2', '3'].map((run) => orca.run(['logs', run], { env })));
  assert.deepEqual(
    shown.map(({ stdout }) => stdout).filter((text) => text !== ''),
    ['plain\n', 'y ***\n'],
  );
  const logs = join(orca.state, 'logs/_command');
  for (const name of readdirSync(logs, { recursive: true, encoding: 'utf8' }).filter((one) => /\.(std|log)/.test(one)))
    assert.ok(!readFileSync(join(logs, name), 'utf8').includes('zq7'), name);
});
