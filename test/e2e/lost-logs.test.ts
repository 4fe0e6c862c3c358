import assert from 'node:assert/strict';
import { existsSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { Orca } from './support/orca.ts';
import { Tmpfs, tmpfsMissing } from './support/tmpfs.ts';
import { until } from './support/until.ts';

const noTmpfs = await tmpfsMissing(process.env['ORCA_TEST_REQUIRE']);

const lost = (words: string): RegExp =>
  new RegExp(`logs/_command/\\d+ has its ${words} no more, which is lost: deleted, moved or replaced while it ran`);

/** A run that writes, waits for `go`, and writes again. */
const script = (go: string): string => `echo one; echo err >&2; until [ -e '${go}' ]; do sleep 0.05; done; echo two`;

test('a log that is deleted while its run goes on is told as lost by all that tell of the run', async (t) => {
  const orca = new Orca(t);
  const go = join(orca.folder, 'go');
  const run = await orca.submit('--', 'sh', '-c', script(go));
  const { starts } = await orca.untilRun(run, ({ state }) => state === 'running', 'running');
  const { stdout, stderr } = starts[0]?.logs ?? { stdout: '', stderr: '' };
  await until(() => (existsSync(stderr) && statSync(stderr).size > 0) || null, 'written to');
  rmSync(stdout);
  writeFileSync(go, '');
  const waited = await orca.run(['wait', String(run)]);
  assert.equal(waited.status, 0);
  assert.match(waited.stderr, lost('standard output'));
  const shown = await orca.run(['logs', String(run)]);
  assert.equal(shown.stdout, '');
  assert.match(shown.stderr, /^err\n/);
  for (const args of [['logs'], ['logs', '-f'], ['status'], ['explain']]) {
    const told = await orca.run([...args, String(run)]);
    assert.match(told.stdout + told.stderr, lost('standard output'), args.join(' '));
  }
  assert.equal((await orca.status(run)).starts[0]?.lost_output, 'log-removed');
  assert.match(readFileSync(join(orca.state, 'daemon.log'), 'utf8'), /output of a start is lost: /);
});

test('a log that is replaced is told as lost; one that is only read, or written to by others, is not', async (t) => {
  const orca = new Orca(t);
  const go = join(orca.folder, 'go');
  const [replaced, kept] = [
    await orca.submit('--cpus', '0.1', '--', 'sh', '-c', script(go)),
    await orca.submit('--cpus', '0.1', '--', 'sh', '-c', script(go)),
  ];
  const logOf = async (run: number): Promise<string> => {
    const found = ({ starts }: Awaited<ReturnType<Orca['status']>>): boolean =>
      existsSync(`${starts[0]?.logs.stdout ?? ''}.times`);
    return (await orca.untilRun(run, found, 'looked at')).starts[0]?.logs.stdout ?? '';
  };
  const log = await logOf(replaced);
  writeFileSync(`${log}.new`, 'one\nedited\n');
  renameSync(`${log}.new`, log);
  writeFileSync(await logOf(kept), 'by hand\n', { flag: 'a' });
  writeFileSync(go, '');
  const { stderr } = await orca.run(['wait', String(replaced), String(kept)]);
  assert.match(stderr, lost('standard output'));
  assert.equal((await orca.status(kept)).starts[0]?.lost_output, null);
  assert.equal((await orca.run(['logs', String(kept)])).stderr, 'err\n');
});

test('what was deleted while no daemon lived is told by the next one', async (t) => {
  const orca = new Orca(t);
  const go = join(orca.folder, 'go');
  const run = await orca.submit('--', 'sh', '-c', script(go));
  const { starts } = await orca.untilRun(run, ({ state }) => state === 'running', 'running');
  await orca.run(['down']);
  rmSync(join(starts[0]?.logs.stdout ?? '', '..'), { recursive: true });
  writeFileSync(go, '');
  await until(() => existsSync(join(orca.state, `starts/${run}.1/exit`)) || null, 'over');
  await orca.run(['up']);
  const { stderr } = await orca.run(['wait', String(run)]);
  assert.match(stderr, lost('standard output and standard error'));
});

test(
  'a run whose logs had no room any more when it was over is told to have lost some of its output, perhaps',
  { skip: noTmpfs },
  async (t) => {
    let full: Tmpfs | null = null;
    t.after(async () => {
      await full?.unmount();
    });
    const orca = new Orca(t);
    const logs = join(orca.folder, 'full');
    full = new Tmpfs(logs, '2m');
    await orca.run(['up'], { env: { ORCA_LOGS: logs } });
    const run = await orca.submit('--', 'sh', '-c', 'cat /dev/zero; echo lost >&2; exit 0');
    const told = await orca.run(['wait', String(run)]);
    assert.equal(told.status, 0);
    assert.match(told.stderr, /the disk of \S+full\/_command\/1 was full then: of its output some may be lost/);
    assert.equal((await orca.status(run)).starts[0]?.lost_output, 'log-full');
  },
);
