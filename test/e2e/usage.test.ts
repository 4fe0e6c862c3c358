import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, test } from 'node:test';
import type { RunJson, StartJson } from '../../src/wire/api.ts';
import { compileHog } from './support/hog.ts';
import { Orca } from './support/orca.ts';
import { killHard } from './support/processes.ts';
import { until } from './support/until.ts';

const orca = new Orca({ after }, { ORCA_USAGE_INTERVAL_MS: '50' });
const hog = compileHog(orca.folder);
const mib = 1048576;

const last = ({ starts }: RunJson): StartJson => starts.at(-1) ?? assert.fail('it has a start');
const peakMb = ({ peak_rss_bytes: peak }: StartJson | RunJson): number => (peak ?? 0) / mib;

test('six concurrent children of 120 MB are a peak of about 720 MB, which only the samples can know', async () => {
  const { stdout } = await orca.run(['run', '--json', '--', hog, 'children', '6', '120', '1000']);
  const start = last(JSON.parse(stdout) as RunJson);
  assert.ok(peakMb(start) >= 720 && peakMb(start) < 750, `measured ${peakMb(start)} MB`);
  assert.deepEqual([start.peak_source, start.cpu_source, start.gap], ['samples', 'wait4', false]);
  assert.match((await orca.run(['status', '1'])).stdout, /start 1 usage {3}peak by samples, CPU by wait4\n/);
});

test('a run that is over before anyone looks has what wait4 tells of it', async (t) => {
  const seldom = new Orca(t, { ORCA_USAGE_INTERVAL_MS: '10000' });
  const unseen = await until(async () => {
    const start = last(JSON.parse((await seldom.run(['run', '--json', '--', 'true'])).stdout) as RunJson);
    return start.peak_cpus === null ? start : null;
  }, 'a run of `true` is over at the first look');
  assert.ok((unseen.peak_rss_bytes ?? 0) > 0 && unseen.cpu_seconds !== null);
  assert.deepEqual([unseen.peak_source, unseen.cpu_source], ['wait4', 'wait4']);
});

/** What the store has of a start that goes on, in MB. */
const keptMb = (run: number): number => {
  const store = new DatabaseSync(join(orca.state, 'orca.db'), { readOnly: true, timeout: 10_000 });
  const row = store.prepare('select peak_rss_bytes as peak from starts where run = ?').get(run);
  store.close();
  return Number(row?.['peak'] ?? 0) / mib;
};

const endings: [how: string, end: (run: number) => Promise<unknown>][] = [
  [
    'killed, some time later,',
    async (run) => {
      await until(() => (keptMb(run) >= 240 ? true : null), 'the peak is stored');
      await killHard(orca.daemonPid());
    },
  ],
  ['restarted at once', () => orca.run(['restart'])],
];

for (const [how, end] of endings) {
  test(`a daemon that is ${how} leaves the peak that it saw to the next one, and a record that says of the gap`, async () => {
    const go = join(orca.folder, `go ${how}`);
    const script = '"$0" children 3 80 1000; while [ ! -e "$1" ]; do sleep 0.05; done';
    const run = await orca.submit('--', 'sh', '-c', script, hog, go);
    const before = await orca.untilRun(run, (seen) => peakMb(seen) >= 240, 'at its peak');
    assert.deepEqual([last(before).gap, last(before).peak_source], [false, 'samples']);
    const daemon = orca.daemonPid();
    await end(run);
    const running = await orca.untilRun(run, () => orca.daemonPid() !== daemon, 'known to another daemon');
    assert.equal(last(running).gap, true);
    assert.ok(peakMb(last(running)) >= 240, `${peakMb(last(running))} MB are known while it runs`);
    writeFileSync(go, '');
    assert.equal((await orca.run(['wait', String(run)])).status, 0);
    const ended = await orca.status(run);
    assert.ok(peakMb(ended) >= 240 && peakMb(last(ended)) >= 240, `${peakMb(ended)} MB are known at the end`);
    assert.deepEqual([last(ended).gap, last(ended).peak_source], [true, 'samples']);
    const said = (await orca.run(['status', String(run)])).stdout;
    assert.match(said, /for a while no daemon was there to measure it: it may have used more/);
  });
}
