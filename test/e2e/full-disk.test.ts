import assert from 'node:assert/strict';
import { closeSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import type { ErrorJson } from '../../src/wire/api.ts';
import { ask, textOf } from './support/http.ts';
import { Orca } from './support/orca.ts';
import { pidsIn } from './support/pids-in.ts';
import { plainSubmission } from './support/plain-submission.ts';
import { untilGone } from './support/processes.ts';
import { Tmpfs, tmpfsMissing } from './support/tmpfs.ts';
import { until } from './support/until.ts';

const noTmpfs = await tmpfsMissing(process.env['ORCA_TEST_REQUIRE']);

/** Writes until nothing fits any more, to the last byte. */
const fill = (file: string): void => {
  const descriptor = openSync(file, 'a');
  for (const size of [65536, 4096, 1]) {
    try {
      for (;;) writeSync(descriptor, Buffer.alloc(size));
    } catch (error) {
      assert.match(String(error), /ENOSPC/);
    }
  }
  closeSync(descriptor);
};

test(
  'on a full disk submissions are refused, and every accepted run ends truly once there is room',
  { skip: noTmpfs },
  async (t) => {
    const outside = mkdtempSync(join(tmpdir(), 'orca-outside-'));
    const disk = new Tmpfs(join(outside, 'disk'), '3m');
    const filler = join(disk.folder, 'filler');
    // First of all, so that what follows can end.
    t.after(() => rmSync(filler, { force: true }));
    const folder = join(disk.folder, 'orca');
    mkdirSync(folder);
    const orca = new Orca(t, { ORCA_CAPACITY_CPUS: '2', ORCA_RETRY_DELAY_SECONDS: '4' }, folder);
    t.after(async () => {
      await disk.unmount();
      rmSync(outside, { recursive: true, force: true });
    });
    const [go, done, pid] = [join(outside, 'go'), join(outside, 'done'), join(outside, 'pid')];
    const note = (word: string): string[] => ['sh', '-c', `echo ${word} >> '${done}'`];

    // One runs, two wait for the room of both cpus, one waits to be tried again.
    const ends = `echo $$ > '${pid}'; while [ ! -e '${go}' ]; do sleep 0.05; done; echo out; exit 3`;
    const holder = await orca.submit('--', 'sh', '-c', ends);
    const first = await orca.submit('--cpus', '2', '--', ...note('a'));
    const second = await orca.submit('--cpus', '2', '--', ...note('b'));
    const twice = `echo tried >> '${done}'; [ $(grep -c tried '${done}') -eq 2 ]`;
    const tried = await orca.submit('--priority', '1', '--retries', '1', '--', 'sh', '-c', twice);
    const [leader = 0] = await until(() => pidsIn(pid, 1), 'the holder runs');
    const waiting = await orca.untilRun(
      tried,
      ({ starts_count, state }) => starts_count === 1 && state === 'queued',
      'tried once',
    );
    assert.match(waiting.reason ?? '', /before its next start/);

    fill(filler);
    const refused = await orca.run(['submit', '--', ...note('refused')]);
    assert.equal(refused.status, 120);
    assert.match(refused.stderr, /is full/);
    assert.match(refused.stderr, /\n {2}Make room/);
    for (const word of ['raw-1', 'raw-2', 'raw-3']) {
      const answer = await ask(orca.state, 'POST', '/api/runs', { body: plainSubmission(word, note(word)) });
      const { error } = JSON.parse(await textOf(answer)) as ErrorJson;
      assert.deepEqual([answer.status, error.code.replace(/^store|^state/, ''), error.exit], [507, '-full', 120]);
    }
    const { runs } = JSON.parse((await orca.run(['list', '--all', '--json'])).stdout) as { runs: { id: number }[] };
    assert.deepEqual(runs.map(({ id }) => id).sort(), [holder, first, second, tried], 'no refused one is there');

    // The holder ends where nothing can be written, and the other's next start cannot be stored.
    writeFileSync(go, '');
    await untilGone(leader);
    await orca.untilRun(
      tried,
      ({ reason }) => /cannot be started: .* is full/.test(reason ?? ''),
      'telling that the disk is full',
    );

    rmSync(filler);
    const { status, stderr } = await orca.run(['wait', String(holder), String(tried), String(first), String(second)]);
    assert.equal(status, 3, stderr);
    const story = [];
    for (const run of [tried, holder, first, second]) {
      const { state, exit_code, starts_count } = await orca.status(run);
      story.push([state, exit_code, starts_count]);
    }
    assert.deepEqual(story, [
      ['succeeded', 0, 2],
      ['failed', 3, 1],
      ['succeeded', 0, 1],
      ['succeeded', 0, 1],
    ]);
    assert.deepEqual(
      readFileSync(done, 'utf8').trim().split('\n').sort(),
      ['a', 'b', 'tried', 'tried'],
      'each start ran once',
    );
  },
);
