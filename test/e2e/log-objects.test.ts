import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import type { DiskUseJson, GcAnswer } from '../../src/wire/api.ts';
import { changeStore, crash } from './support/crash.ts';
import { ask, textOf } from './support/http.ts';
import { Orca } from './support/orca.ts';
import { freePort, s3Environment, startS3, type FakeS3 } from './support/s3.ts';
import { openWay } from './support/slow-way.ts';
import { until } from './support/until.ts';

const prefix = 'team/logs';
const ORCA_LOGS = `s3://samples/${prefix}`;
const key = (run: number, name: string): string => `${prefix}/_command/${run}/${name}`;
const folderOf = (orca: Orca, run: number): string => join(orca.state, 'logs/_command', String(run));
const md5 = (bytes: Buffer): string => createHash('md5').update(bytes).digest('hex');

/** Nothing of a run is on this machine any more. */
const moved = (orca: Orca, run: number): Promise<true> =>
  until(() => (existsSync(folderOf(orca, run)) ? null : true), `the logs of run ${run} are moved`);

const orcaWith = (t: Parameters<typeof startS3>[0], s3: FakeS3, env: NodeJS.ProcessEnv = {}): Orca =>
  new Orca(t, { ORCA_LOGS, ...s3.env, ...env });

const lines = (from: number, to: number): string =>
  Array.from({ length: to - from + 1 }, (_, index) => `${from + index}\n`).join('');

test('what a start wrote is moved when it is over, and is read from there as it was', async (t) => {
  const s3 = await startS3(t);
  const orca = orcaWith(t, s3);
  const both = await orca.submit('--wait', '--', 'sh', '-c', 'printf "a\\0b\\nc"; echo err >&2');
  const quiet = await orca.submit('--wait', '--', 'true');
  await moved(orca, both);
  await moved(orca, quiet);
  assert.deepEqual(s3.keys(), [`${prefix}/.orca`, key(both, '1.stderr'), key(both, '1.stdout')]);
  assert.equal(s3.object(key(both, '1.stdout')), 'a\0b\nc');
  const { starts } = await orca.status(both);
  const folder = `${ORCA_LOGS}/_command/${both}`;
  assert.deepEqual(starts[0]?.logs, { stdout: `${folder}/1.stdout`, stderr: `${folder}/1.stderr`, moving: null });
  const read = await orca.run(['logs', String(both)]);
  assert.deepEqual([read.status, read.stdout, read.stderr], [0, 'a\0b\nc', 'err\n']);
  const nothing = await orca.run(['logs', String(quiet)]);
  assert.deepEqual([nothing.status, nothing.stdout, nothing.stderr], [0, '', '']);
  const use = JSON.parse((await orca.run(['du', '--json'])).stdout) as DiskUseJson;
  assert.deepEqual([use.logs_bytes, use.logs_to, use.log_folders], [0, ORCA_LOGS, 0]);
  assert.match((await orca.run(['doctor'])).stdout, /^ok +logs +moved to s3:\/\/samples\/team\/logs$/m);
});

test('a large log goes in parts, and any part of it is read without the others', async (t) => {
  const s3 = await startS3(t);
  const orca = orcaWith(t, s3);
  const run = await orca.submit('--wait', '--', 'seq', '3000000');
  await moved(orca, run);
  const whole = Buffer.from(lines(1, 3_000_000));
  assert.equal(whole.length > 20_000_000, true);
  assert.equal(md5(s3.bytes(key(run, '1.stdout')) ?? Buffer.alloc(0)), md5(whole));
  assert.equal(md5((await orca.run(['logs', String(run)])).bytes), md5(whole));
  assert.equal((await orca.run(['logs', String(run), '--tail', '2'])).stdout, lines(2_999_999, 3_000_000));
  assert.equal((await orca.run(['logs', String(run), '--tail', '40000'])).stdout, lines(2_960_001, 3_000_000));
  const middle = await ask(orca.state, 'GET', `/api/runs/${run}/logs?offset=${whole.length - 8}`);
  assert.deepEqual([middle.headers['orca-offset'], await textOf(middle)], [String(whole.length - 8), '3000000\n']);
  const behind = await ask(orca.state, 'GET', `/api/runs/${run}/logs?offset=${whole.length + 8}`);
  assert.equal(await textOf(behind), '');
});

test('of a log that was over its cap its ends are moved, with the line between them, and offsets stay those of the output', async (t) => {
  const s3 = await startS3(t);
  const orca = orcaWith(t, s3);
  const capped = await submitCapped(orca);
  await moved(orca, capped);
  const log = (await orca.run(['logs', String(capped)])).stdout;
  assert.equal(log, s3.object(key(capped, '1.stdout')));
  assert.match(
    log,
    /^1\n2\n[^]*\norca: 5\.6 MB are not kept here, from byte \d+ to byte \d+ \(ORCA_LOG_MAX_MB\)\n[^]*\n1000000\n$/,
  );
  const size = lines(1, 1_000_000).length;
  const last = await ask(orca.state, 'GET', `/api/runs/${capped}/logs?offset=${size - 8}`);
  assert.equal(await textOf(last), '1000000\n');
  assert.equal((await orca.run(['logs', String(capped), '--tail', '2'])).stdout, lines(999_999, 1_000_000));
});

test('who reads a log that was over its cap while it is moved gets it all, once', async (t) => {
  const port = await freePort();
  const orca = new Orca(t, { ORCA_LOGS, ...s3Environment(port) });
  // More than pipes and sockets take in on the way.
  const capped = await submitCapped(orca, { of: 3_000_000, maxMb: 8 });
  const reading = orca.startShell(
    `orca logs ${capped} | { head -c 1000; until [ -e moved ]; do touch begun; sleep 0.05; done; cat; }`,
  );
  await until(() => (existsSync(join(orca.folder, 'begun')) ? true : null), 'it is being read');
  const s3 = await startS3(t, port);
  await moved(orca, capped);
  writeFileSync(join(orca.folder, 'moved'), '');
  assert.equal((await reading.ended).stdout, s3.object(key(capped, '1.stdout')));
});

const submitCapped = async (orca: Orca, { of, maxMb } = { of: 1_000_000, maxMb: 1 }): Promise<number> => {
  const env = { ORCA_LOG_MAX_MB: String(maxMb) };
  const { stdout } = await orca.run(['submit', '--wait', '--', 'seq', String(of)], { env });
  return Number(stdout.trim());
};

test('the times of a log and its samples go with it', async (t) => {
  const s3 = await startS3(t);
  const orca = orcaWith(t, s3, { ORCA_SAMPLE_SECONDS: '0.5' });
  const run = await orca.submit('--', 'sh', '-c', 'for i in 1 2 3; do echo $i; sleep 2; done');
  const ended = await orca.untilRun(run, ({ state }) => state === 'succeeded', 'over');
  await moved(orca, run);
  assert.deepEqual(
    s3.keys().filter((name) => name.startsWith(key(run, ''))),
    ['1.stdout', '1.stdout.times', 'metrics/local.jsonl'].map((name) => key(run, name)),
  );
  const moment = new Date((ended.started_at ?? 0) + 4000).toISOString();
  assert.equal((await orca.run(['logs', String(run), '--since', moment])).stdout, '3\n');
  const samples = (await orca.run(['metrics', String(run), '--json'])).stdout;
  assert.equal(samples, s3.object(key(run, 'metrics/local.jsonl')));
});

test('each start of a run that is tried again is moved, and its driver.log when the run is over', async (t) => {
  const s3 = await startS3(t);
  const orca = orcaWith(t, s3, { ORCA_RETRY_DELAY_SECONDS: '1', ORCA_LOG_STAGE: undefined, TMPDIR: undefined });
  const words = ['--placement', 'control', '--retries', '1', '--', 'sh', '-c', 'echo out; echo err >&2; exit 3'];
  const run = await orca.submit(...words);
  await orca.untilRun(run, ({ state }) => state === 'failed', 'over');
  await moved(orca, run);
  const names = ['1.stderr', '1.stdout', '2.stderr', '2.stdout', 'driver.log'];
  const found = s3.keys().filter((name) => name.startsWith(key(run, '')) && !name.includes('metrics'));
  assert.deepEqual(
    found,
    names.map((name) => key(run, name)),
  );
  assert.equal(s3.object(key(run, 'driver.log')), 'out\nerr\nout\nerr\n');
  assert.equal((await orca.run(['logs', String(run), '--start', '1', '--stdout'])).stdout, 'out\n');
});

test('no object has anything of a secret, and nothing that is not masked yet is moved', async (t) => {
  const s3 = await startS3(t);
  const orca = orcaWith(t, s3);
  const secret = join(orca.folder, 'secret');
  writeFileSync(secret, 'correct-horse\n');
  const words = ['--secret', `DB=file:${secret}`, '--', 'sh', '-c', 'echo "it is $DB"; echo "$DB" >&2'];
  const run = await orca.submit('--wait', ...words);
  await moved(orca, run);
  assert.equal(s3.object(key(run, '1.stdout')), 'it is ***\n');
  assert.equal(s3.object(key(run, 'driver.log')), 'it is ***\n***\n');
  for (const name of s3.keys()) assert.ok(!(s3.object(name) ?? '').includes('correct-horse'), name);
  // A secret that cannot be had any more keeps its run's output in the stage.
  const go = join(orca.folder, 'go');
  const wait = `echo "it is $DB"; while [ ! -e '${go}' ]; do sleep 0.1; done`;
  const held = await orca.submit('--secret', `DB=file:${secret}`, '--', 'sh', '-c', wait);
  await orca.untilRun(held, ({ state }) => state === 'running', 'running');
  await orca.run(['down']);
  rmSync(secret);
  writeFileSync(go, '');
  await until(
    () => (orca.keeperPid(held) !== null && existsSync(join(orca.state, `starts/${held}.1/exit`)) ? true : null),
    'it is over',
  );
  await orca.run(['up']);
  await orca.untilRun(held, ({ state }) => state === 'succeeded', 'over');
  const later = await orca.submit('--wait', '--', 'echo', 'later');
  await moved(orca, later);
  assert.deepEqual(
    s3.keys().filter((name) => name.startsWith(key(held, ''))),
    [],
  );
  writeFileSync(secret, 'correct-horse\n');
  await moved(orca, held);
  assert.equal(s3.object(key(held, '1.stdout')), 'it is ***\n');
});

test('an output that was taken into its log by hand while no daemon lived is moved by the next one as soon as it is there', async (t) => {
  const s3 = await startS3(t);
  const orca = orcaWith(t, s3);
  const [secret, go] = [join(orca.folder, 'secret'), join(orca.folder, 'go')];
  writeFileSync(secret, 'correct-horse\n');
  const script = `echo "it is $DB"; until [ -e '${go}' ]; do sleep 0.1; done`;
  const run = await orca.submit('--secret', `DB=file:${secret}`, '--', 'sh', '-c', script);
  await orca.untilRun(run, ({ state }) => state === 'running', 'running');
  await orca.run(['down']);
  // Its value is lost for good.
  writeFileSync(secret, 'battery-staple\n');
  writeFileSync(go, '');
  await until(() => existsSync(join(orca.state, `starts/${run}.1/exit`)) || null, 'it is over');
  await orca.run(['up']);
  await orca.untilRun(run, ({ state }) => state === 'succeeded', 'over');
  const said = await orca.run(['logs', String(run)]);
  const byHand = [...said.stderr.matchAll(/`(ORCA_SECRETS=[^`]*)`/g)].map(([, command = '']) => command);
  assert.equal(byHand.length, 1, said.stderr);
  await orca.run(['down']);
  const other = (byHand[0] ?? '').replaceAll('.stdout', '.stderr');
  for (const command of [byHand[0] ?? '', other]) {
    const kept = await orca.shell(command.replace('DB=…', 'DB=correct-horse'));
    assert.equal(kept.status, 0, kept.stderr);
  }
  assert.deepEqual(
    s3.keys().filter((name) => name.startsWith(key(run, ''))),
    [],
  );
  await orca.run(['up']);
  await moved(orca, run);
  assert.equal(s3.object(key(run, '1.stdout')), 'it is ***\n');
  assert.equal(s3.object(key(run, 'driver.log')), 'it is ***\n');
});

test('while the storage is away the files stay and are read, which is said once, and they go when it is there', async (t) => {
  const port = await freePort();
  const orca = new Orca(t, { ORCA_LOGS, ...s3Environment(port) });
  const first = await orca.submit('--wait', '--', 'echo', 'first');
  const trouble = await until(async () => (await orca.daemon()).logs?.troubles[0] ?? null, 'it does not work');
  assert.match(trouble.why, /ECONNREFUSED/);
  const second = await orca.submit('--wait', '--', 'echo', 'second');
  await until(async () => (await orca.daemon()).logs?.troubles[0]?.runs === 2 || null, 'both wait');
  const { starts } = await orca.status(first);
  assert.deepEqual(starts[0]?.logs, {
    stdout: join(folderOf(orca, first), '1.stdout'),
    stderr: join(folderOf(orca, first), '1.stderr'),
    moving: { to: `${ORCA_LOGS}/_command/${first}`, why: trouble.why },
  });
  assert.match((await orca.run(['doctor'])).stdout, /^warn +logs +those of 2 runs have waited here .*ECONNREFUSED/m);
  assert.match(
    (await orca.run(['explain', String(second)])).stdout,
    /the logs of start 1 are still on this machine: .*ECONNREFUSED/,
  );
  assert.equal((await orca.run(['logs', String(first)])).stdout, 'first\n');
  await orca.run(['down', '--drain']);
  await orca.run(['up']);
  await until(
    async () => (await orca.daemon()).logs?.troubles[0] ?? null,
    'it does not work for the next daemon either',
  );
  const s3 = await startS3(t, port);
  for (const run of [first, second]) await moved(orca, run);
  assert.equal(s3.object(key(first, '1.stdout')), 'first\n');
  assert.equal(s3.object(key(second, '1.stdout')), 'second\n');
  assert.deepEqual((await orca.daemon()).logs?.troubles, []);
  const said = readFileSync(join(orca.state, 'daemon.log'), 'utf8').match(/logs could not be moved/g);
  assert.equal(said?.length, 2, 'once by each daemon');
});

test('a daemon that is killed in the middle of an upload loses and doubles no byte', async (t) => {
  const s3 = await startS3(t);
  const way = await openWay(t, s3.port);
  const orca = new Orca(t, { ORCA_LOGS, ...s3Environment(way.port) });
  const warm = await orca.submit('--wait', '--', 'echo', 'warm');
  await moved(orca, warm);
  way.shutAfter(12_000_000);
  const run = await orca.submit('--wait', '--', 'seq', '3000000');
  for (const more of [3_000_000, 20_000_000, null]) {
    await until(() => (way.isShut() ? true : null), 'a part of it has arrived');
    await crash(orca);
    assert.equal(s3.bytes(key(run, '1.stdout')), null, 'nobody sees a part of it');
    assert.equal(readFileSync(join(folderOf(orca, run), '1.stdout')).length, 22_888_896);
    way.shutAfter(more);
    await orca.run(['up']);
  }
  await moved(orca, run);
  const whole = md5(Buffer.from(lines(1, 3_000_000)));
  assert.equal(md5(s3.bytes(key(run, '1.stdout')) ?? Buffer.alloc(0)), whole);
  assert.equal(md5((await orca.run(['logs', String(run)])).bytes), whole);
});

test('a daemon that was killed when the store knew of an object and the file was still there cleans up after it', async (t) => {
  const s3 = await startS3(t);
  const orca = orcaWith(t, s3);
  const run = await orca.submit('--wait', '--', 'echo', 'hello');
  await moved(orca, run);
  await orca.run(['down']);
  mkdirSync(folderOf(orca, run), { recursive: true });
  writeFileSync(join(folderOf(orca, run), '1.stdout'), 'hello\n');
  await orca.run(['up']);
  await moved(orca, run);
  assert.equal((await orca.run(['logs', String(run)])).stdout, 'hello\n');
});

test('what is deleted here is deleted there, and a run whose objects cannot be deleted stays and is told', async (t) => {
  const port = await freePort();
  const folder = mkdtempSync(join(tmpdir(), 'orca-s3-'));
  const s3 = await startS3(t, port, folder);
  const orca = orcaWith(t, s3);
  const runs = [];
  for (const text of ['one', 'two']) runs.push(await orca.submit('--wait', '--', 'echo', text));
  await orca.run(['down', '--drain']);
  // A number that begins as another one does.
  changeStore(orca, "update counters set last = 11 where name = 'run'");
  await orca.run(['up']);
  runs.push(await orca.submit('--wait', '--', 'echo', 'twelve'));
  for (const run of runs) await moved(orca, run);
  const would = JSON.parse((await orca.run(['gc', '--keep', '2', '--dry-run', '--json'])).stdout) as GcAnswer;
  assert.deepEqual([would.runs, would.bytes], [1, 4]);
  await s3.stop();
  const failed = await orca.run(['gc', '--keep', '1']);
  assert.match(failed.stdout, /^deleted nothing\n2 runs stay: what they wrote could not be deleted/);
  assert.equal((await orca.run(['status', '1'])).status, 0);
  assert.match(readFileSync(join(orca.state, 'daemon.log'), 'utf8'), /"run":1,.*could not be deleted/);
  const again = await startS3(t, port, folder);
  await orca.run(['restart']);
  assert.match((await orca.run(['gc', '--keep', '1'])).stdout, /^deleted 2 runs: /);
  assert.deepEqual(again.keys(), [`${prefix}/.orca`, key(12, '1.stdout')]);
});

test('an object that somebody deleted is told as gone, and a storage that is away as that', async (t) => {
  const s3 = await startS3(t);
  const orca = orcaWith(t, s3);
  const run = await orca.submit('--wait', '--', 'echo', 'hello');
  await moved(orca, run);
  s3.remove(key(run, '1.stdout'));
  const gone = await orca.run(['logs', String(run)]);
  assert.deepEqual([gone.status, gone.stdout], [120, '']);
  assert.match(gone.stderr, /What run 1 wrote is not at s3:\/\/samples\/team\/logs\/_command\/1\/1\.stdout any more/);
  await s3.stop();
  const away = await orca.run(['logs', String(run)]);
  assert.equal(away.status, 120);
  assert.match(away.stderr, /cannot be read now: .*ECONNREFUSED/);
});

test('who follows a log that was moved is told once that the storage is away, and gets it when that is back', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'orca-s3-'));
  const s3 = await startS3(t, await freePort(), folder);
  const orca = orcaWith(t, s3);
  const run = await orca.submit('--wait', '--', 'sh', '-c', 'echo hello; echo err >&2');
  await moved(orca, run);
  await s3.stop();
  const following = orca.start(['logs', '-f', String(run)]);
  let said = '';
  following.child.stderr?.on('data', (piece: Buffer) => (said += piece.toString()));
  await until(() => said.includes('It is tried again.') || null, 'it is told');
  await startS3(t, s3.port, folder);
  const { status, stdout, stderr } = await following.ended;
  assert.deepEqual([status, stdout], [0, 'hello\n']);
  const once =
    /^orca: What run 1 wrote lies at s3:\/\/samples\/\S+, which cannot be read now: .*ECONNREFUSED.*\. It is tried again\.\nerr\n$/;
  assert.match(stderr, once);
});

test('a place that another store uses is left alone: its runs have the same numbers', async (t) => {
  const s3 = await startS3(t);
  const first = orcaWith(t, s3);
  await first.submit('--wait', '--', 'echo', 'mine');
  await moved(first, 1);
  const other = orcaWith(t, s3);
  await other.submit('--wait', '--', 'echo', 'yours');
  const trouble = await until(async () => (await other.daemon()).logs?.troubles[0] ?? null, 'it is refused');
  assert.match(
    trouble.why,
    /^s3:\/\/samples\/team\/logs is another orca's \(.* on .*\): give this one a prefix of its own$/,
  );
  assert.equal(s3.object(key(1, '1.stdout')), 'mine\n');
  assert.equal((await other.run(['logs', '1'])).stdout, 'yours\n');
  // With another place for what comes, what was to go to the first one still waits.
  await other.run(['down']);
  const env = { ORCA_LOGS: 's3://samples/others' };
  await other.run(['up'], { env });
  const { stdout } = await other.run(['submit', '--wait', '--', 'echo', 'later'], { env });
  await moved(other, Number(stdout));
  assert.equal(s3.object(`others/_command/${stdout.trim()}/1.stdout`), 'later\n');
  assert.equal((await other.run(['logs', '1'])).stdout, 'yours\n');
});

test('an ORCA_LOGS that is a folder again changes nothing for logs that were moved, or wait for it', async (t) => {
  const port = await freePort();
  const orca = new Orca(t, { ORCA_LOGS, ...s3Environment(port) });
  const run = await orca.submit('--wait', '--', 'echo', 'hello');
  await orca.run(['down']);
  const env = { ORCA_LOGS: undefined };
  await orca.run(['up'], { env });
  const stays = Number((await orca.run(['submit', '--wait', '--', 'echo', 'here'], { env })).stdout);
  const s3 = await startS3(t, port);
  await moved(orca, run);
  assert.equal(s3.object(key(run, '1.stdout')), 'hello\n');
  assert.equal((await orca.run(['logs', String(run)], { env })).stdout, 'hello\n');
  assert.equal((await orca.run(['logs', String(stays)], { env })).stdout, 'here\n');
  assert.deepEqual(readdirSync(join(orca.state, 'logs/_command')), [String(stays)]);
});

test('of logs that cannot be moved the place is told that they go to, not that of later runs', async (t) => {
  const orca = new Orca(t, { ORCA_LOGS, ...s3Environment(await freePort()) });
  await orca.submit('--wait', '--', 'echo', 'hello');
  await orca.run(['down']);
  const env = { ORCA_LOGS: 's3://later/logs' };
  await orca.run(['up'], { env });
  const trouble = await until(async () => (await orca.daemon()).logs?.troubles[0] ?? null, 'it does not work');
  assert.equal(trouble.to, ORCA_LOGS);
  const { stdout } = await orca.run(['doctor'], { env });
  assert.ok(stdout.includes(`since they cannot be moved to ${ORCA_LOGS}: `), stdout);
});

test('a place that is away holds up nothing that goes to another, and is said once, and once when it is back', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'orca-s3-'));
  const s3 = await startS3(t, await freePort(), folder);
  const orca = orcaWith(t, s3);
  // The bucket of what was to be moved first is not there.
  const gone = { ORCA_LOGS: 's3://missing/logs' };
  const first = Number((await orca.run(['submit', '--wait', '--', 'echo', 'first'], { env: gone })).stdout);
  await until(async () => (await orca.daemon()).logs?.troubles[0] ?? null, 'it does not work');
  await orca.run(['down']);
  await orca.run(['up']);
  await until(
    async () => (await orca.daemon()).logs?.troubles[0] ?? null,
    'it does not work for the next daemon either',
  );
  const later: number[] = [];
  for (let at = 0; at < 4; at += 1) {
    const run = await orca.submit('--wait', '--', 'echo', 'later');
    await moved(orca, run);
    later.push(run);
  }
  const [trouble] = (await orca.daemon()).logs?.troubles ?? [];
  assert.deepEqual([trouble?.to, trouble?.runs], ['s3://missing/logs', 1]);
  assert.match((await orca.run(['doctor'])).stdout, /^ok +logs +moved to s3:\/\/samples\/team\/logs$/m);
  assert.match(
    (await orca.run(['doctor'])).stdout,
    /^warn +logs +those of 1 run have .* to s3:\/\/missing\/logs: NoSuchB/m,
  );
  assert.match(
    (await orca.run(['status'])).stdout,
    /^logs +those of 1 run are here and cannot be moved to s3:\/\/missing/m,
  );
  assert.match(
    (await orca.run(['explain', String(first)])).stdout,
    /start 1 are still on this machine: .*NoSuchBucket/,
  );
  const log = (): string => readFileSync(join(orca.state, 'daemon.log'), 'utf8');
  assert.equal(log().match(/logs could not be moved/g)?.length, 2, 'once by each daemon');
  assert.doesNotMatch(log(), /logs can be moved again/);
  mkdirSync(join(folder, 'missing'));
  await moved(orca, first);
  await until(() => log().match(/logs can be moved again/g), 'said');
  assert.equal(s3.object(key(later[0] ?? 0, '1.stdout')), 'later\n');
});

test('an address that cannot be one is an error before anything is started', async (t) => {
  const orca = new Orca(t);
  for (const [address, why] of [
    ['s3://', /it names no bucket/],
    ['s3:///logs', /it names no bucket/],
    ['s3://UPPER/logs', /no name of a bucket/],
    ['s3://bucket/../../etc', /holds \.\., which is no folder there/],
    ['s3://bucket/a b?c', /holds other characters/],
    ['gs://bucket/logs', /something else than s3:\/\//],
  ] as const) {
    const { status, stderr } = await orca.run(['run', '--', 'true'], { env: { ORCA_LOGS: address } });
    assert.equal(status, 120, address);
    assert.match(stderr, why);
    assert.equal(existsSync(orca.state), false);
  }
});
