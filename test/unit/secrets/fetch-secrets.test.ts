import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { fetchSecrets, type SecretSources } from '../../../src/secrets/fetch-secrets.ts';
import { untilGone } from '../../e2e/support/processes.ts';
import { until } from '../../e2e/support/until.ts';

const nobodyStops = new AbortController().signal;

const sources = (parts: Partial<SecretSources>): SecretSources => ({
  command: [],
  endpoint: '',
  env: { PATH: process.env['PATH'] },
  kept: new Map(),
  timeoutMs: 30_000,
  ...parts,
});

const fetchOne = async (id: string, parts: Partial<SecretSources>, signal = nobodyStops): Promise<string> =>
  (await fetchSecrets({ DB: id }, sources(parts), signal))[0]?.value ?? '';

const folderOf = (t: TestContext): string => {
  const folder = mkdtempSync(join(tmpdir(), 'orca-secrets-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
};

/** A command of these lines of shell. */
const script = (lines: string): string[] => ['/bin/sh', '-c', lines, 'fetch'];

test('a secret loses its trailing newlines and nothing else', async () => {
  const cases = [
    ['x\\n', 'x'],
    ['x\\n\\n\\n', 'x'],
    [' x \\n', ' x '],
    ['\\na\\n\\nb\\n', '\na\n\nb'],
    ['x\\r\\n', 'x\r'],
    ['\\n', ''],
    ['', ''],
  ];
  for (const [printed, value] of cases)
    assert.equal(await fetchOne('any', { command: script(`printf '${printed}'`) }), value, printed);
});

test('with a fetch command every id goes to it as its last argument, and no shell reads it', async () => {
  const kept = new Map([['TOKEN', 'not this']]);
  const ids = { A: 'env:TOKEN', B: 'file:/etc/hostname', C: 'prod/$(id) `id`; *' };
  const secrets = await fetchSecrets(ids, sources({ command: script('printf "%s|" "$@"'), kept }), nobodyStops);
  assert.deepEqual(
    secrets.map(({ name, value }) => [name, value]),
    Object.entries(ids).map(([name, id]) => [name, `${id}|`]),
  );
});

test('a command that fails is told by its exit code, never by what it printed', async (t) => {
  const command = script('echo hunter2; echo hunter2 >&2; exit 3');
  await assert.rejects(fetchOne('prod/db', { command }), {
    message:
      'prod/db (for DB): the command of ORCA_SECRET_FETCH ended with exit code 3; run it by hand to see what it says',
  });
  const text = join(folderOf(t), 'text');
  writeFileSync(text, '');
  for (const [program, how] of [
    ['/no/such/program', 'ended with exit code 127, as one that is not there'],
    [text, 'ended with exit code 126, as one that cannot be executed'],
  ] as const)
    await assert.rejects(fetchOne('prod/db', { command: [program] }), {
      message: `prod/db (for DB): the command of ORCA_SECRET_FETCH ${how}; run it by hand to see what it says`,
    });
});

test('a command that takes too long is ended with all that it started', async (t) => {
  const pids = join(folderOf(t), 'pids');
  const command = script(`sleep 100 & echo $! $$ >${pids}; wait`);
  await assert.rejects(
    fetchOne('prod/db', { command, timeoutMs: 500 }),
    /prod\/db \(for DB\): it did not come within 0.5 s$/,
  );
  const [sleeper, shell] = readFileSync(pids, 'utf8').trim().split(' ');
  await until(() => (existsSync(`/proc/${sleeper}`) || existsSync(`/proc/${shell}`) ? null : true), 'both are gone');
});

test('the value of a command that is over is taken, whoever still holds its output, and what it left is ended', async (t) => {
  const pids = join(folderOf(t), 'pids');
  const command = script(`sleep 100 & echo $! >${pids}; echo "the value of $1"`);
  assert.equal(await fetchOne('prod/db', { command }), 'the value of prod/db');
  await untilGone(Number(readFileSync(pids, 'utf8')), 'what it left');
  // Out of its group it lives on, and keeps nobody waiting.
  const away = script(`setsid sleep 100 & echo $! >${pids}; echo here`);
  assert.equal(await fetchOne('prod/db', { command: away }), 'here');
  process.kill(Number(readFileSync(pids, 'utf8')), 'SIGKILL');
});

test('what passes on a value in the background has a moment for it after its command is over', async () => {
  assert.equal(await fetchOne('prod/db', { command: script('(sleep 0.2; echo late) &') }), 'late');
  await assert.rejects(fetchOne('prod/db', { command: script('sleep 100 &') }), {
    message:
      'prod/db (for DB): the command of ORCA_SECRET_FETCH ended well and printed nothing; what it left behind was ended',
  });
});

test('a command that waits for all that it has waits for nothing of ours', async () => {
  const command = ['perl', '-e', '1 while wait() > 0; print "none"'];
  assert.equal(await fetchOne('prod/db', { command }), 'none');
});

test('a command that is not wanted any more is ended at once', async (t) => {
  const pids = join(folderOf(t), 'pids');
  const stop = new AbortController();
  const fetching = fetchOne('prod/db', { command: script(`echo $$ >${pids}; exec sleep 100`) }, stop.signal);
  const refused = assert.rejects(fetching, /^SecretFailure: prod\/db \(for DB\): it (is|was) not waited for/);
  const pid = await until(() => (existsSync(pids) ? readFileSync(pids, 'utf8').trim() || null : null), 'it runs');
  stop.abort();
  await refused;
  await until(() => (existsSync(`/proc/${pid}`) ? null : true), 'it is gone');
});

test('more than 64 KB is no secret, wherever it comes from', async (t) => {
  const file = join(folderOf(t), 'large');
  const most = 'x'.repeat(65_536);
  writeFileSync(file, most);
  assert.equal((await fetchOne(`file:${file}`, {})).length, 65_536);
  writeFileSync(file, `${most}y`);
  await assert.rejects(fetchOne(`file:${file}`, {}), /its value is longer than 64 KB$/);
  await assert.rejects(fetchOne('any', { command: ['/bin/cat', '/dev/zero'] }), /its value is longer than 64 KB$/);
});

test('a file is read whole; what is no file, or cannot be read, is told and not waited for', async (t) => {
  const folder = folderOf(t);
  const file = join(folder, 'a b');
  writeFileSync(file, 'from a file\n');
  assert.equal(await fetchOne(`file:${file}`, {}), 'from a file');
  await assert.rejects(
    fetchOne(`file:${folder}/none`, {}),
    /file:.*none \(for DB\): the file cannot be read \(ENOENT\)$/,
  );
  execFileSync('mkfifo', [join(folder, 'pipe')]);
  for (const id of [`file:${folder}`, `file:${folder}/pipe`, 'file:/dev/zero'])
    await assert.rejects(fetchOne(id, {}), /that is no ordinary file$/, id);
});

test("env:NAME is what the submitter's variable held; without it the text says what to do", async () => {
  assert.equal(await fetchOne('env:TOKEN', { kept: new Map([['TOKEN', 'mine\n']]) }), 'mine');
  await assert.rejects(fetchOne('env:TOKEN', { env: { TOKEN: "the daemon's" } }), /orca retry/);
});

test('a value that no variable can hold is refused without a byte of it', async () => {
  for (const printed of ['hunter2\\0more', 'hunter2\\377'])
    await assert.rejects(fetchOne('any', { command: script(`printf '${printed}'`) }), (error: Error) => {
      assert.match(error.message, /its value (holds a zero byte|is binary)/);
      assert.ok(!error.message.includes('hunter2'));
      return true;
    });
});

test('one that fails ends the fetching of the others', async (t) => {
  const pids = join(folderOf(t), 'pids');
  const command = script(
    `[ "$1" = slow ] || { until [ -s ${pids} ]; do sleep 0.01; done; exit 1; }; echo $$ >${pids}; exec sleep 100`,
  );
  await assert.rejects(
    fetchSecrets({ A: 'slow', B: 'bad' }, sources({ command }), nobodyStops),
    /^SecretFailure: bad \(for B\)/,
  );
  const pid = readFileSync(pids, 'utf8').trim();
  await until(() => (existsSync(`/proc/${pid}`) ? null : true), 'the slow one is gone');
});
