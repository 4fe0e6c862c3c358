import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { ErrorJson } from '../../src/wire/api.ts';
import { ask, textOf } from './support/http.ts';
import { pidsIn } from './support/pids-in.ts';
import { plainSubmission } from './support/plain-submission.ts';
import { untilGone } from './support/processes.ts';
import { smallDisk } from './support/small-disk.ts';
import { tmpfsMissing } from './support/tmpfs.ts';
import { until } from './support/until.ts';

const noTmpfs = await tmpfsMissing(process.env['ORCA_TEST_REQUIRE']);

test(
  'on a full disk submissions are refused, and every accepted run ends truly once there is room',
  { skip: noTmpfs },
  async (t) => {
    const env = { ORCA_CAPACITY_CPUS: '2', ORCA_RETRY_DELAY_SECONDS: '4' };
    const { orca, outside, fill, makeRoom } = smallDisk(t, '3m', env);
    const [go, done, pid] = [join(outside, 'go'), join(outside, 'done'), join(outside, 'pid')];
    const note = (word: string): string[] => ['sh', '-c', `echo ${word} >> '${done}'`];

    // Two run, two wait for the room of both cpus, one waits to be tried again.
    const small = ['--cpus', '0.5', '--memory', '50MB', '--', 'sh', '-c'];
    const loop = (until: string): string => `echo $$ >> '${pid}'; while ${until}; do sleep 0.05; done; exit 3`;
    const holder = await orca.submit(...small, loop(`[ ! -e '${go}' ]`));
    const endless = await orca.submit(...small, loop(':'));
    const first = await orca.submit('--cpus', '2', '--', ...note('a'));
    const second = await orca.submit('--cpus', '2', '--', ...note('b'));
    const twice = `echo tried >> '${done}'; [ $(grep -c tried '${done}') -eq 2 ]`;
    const tried = await orca.submit('--priority', '1', '--retries', '1', '--', 'sh', '-c', twice);
    await until(() => pidsIn(pid, 2), 'both run');
    const waiting = await orca.untilRun(
      tried,
      ({ starts_count, state }) => starts_count === 1 && state === 'queued',
      'tried once',
    );
    assert.match(waiting.reason ?? '', /its next start is due/);

    fill();
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
    assert.deepEqual(
      runs.map(({ id }) => id).sort((a, b) => a - b),
      [holder, endless, first, second, tried],
      'no refused one is there',
    );

    // What runs can be ended; the other ends by itself, where nothing can be written; the third's next start cannot be stored.
    assert.match((await orca.run(['kill', String(endless)])).stderr, /is being ended/);
    writeFileSync(go, '');
    for (const leader of pidsIn(pid, 2) ?? []) await untilGone(leader);
    await orca.untilRun(
      tried,
      ({ reason }) => /cannot be started: .* is full/.test(reason ?? ''),
      'telling that the disk is full',
    );

    // What is over says so, and a kill that comes now, recorded or refused, changes nothing of how it ended.
    const over = await orca.untilRun(holder, ({ end_unstored }) => end_unstored, 'over, and that not stored');
    assert.match(over.reason ?? '', /its end cannot be stored yet: .* is full.* what was accepted before is kept\.$/);
    await orca.run(['kill', String(holder)]);

    // A daemon that crashed is there again all the same. What it opens anew may have room within its own files from here on.
    const crashed = orca.daemonPid();
    orca.killDaemon();
    assert.equal((await orca.status(holder)).id, holder);
    assert.notEqual(orca.daemonPid(), crashed);

    makeRoom();
    const { status, stderr } = await orca.run(['wait', ...[holder, endless, tried, first, second].map(String)]);
    assert.equal(status, 3, stderr);
    const story = [];
    for (const run of [tried, holder, endless, first, second]) {
      const { state, exit_code, starts_count } = await orca.status(run);
      story.push([state, exit_code, starts_count]);
    }
    assert.deepEqual(story, [
      ['succeeded', 0, 2],
      ['failed', 3, 1],
      ['killed', null, 1],
      ['succeeded', 0, 1],
      ['succeeded', 0, 1],
    ]);
    assert.deepEqual(
      readFileSync(done, 'utf8').trim().split('\n').sort(),
      ['a', 'b', 'tried', 'tried'],
      'each start ran once',
    );
    assert.deepEqual(
      readdirSync(orca.state).filter((name) => name.startsWith('daemon.json.')),
      [],
      'no draft is left',
    );
  },
);

test(
  'with thousands of runs queued a full disk stops the starts, and neither ends the daemon nor fills its log',
  { skip: noTmpfs },
  async (t) => {
    const { orca, outside, leave, makeRoom } = smallDisk(t, '24m', { ORCA_CAPACITY_CPUS: '2' });
    const lines = join(outside, 'lines');
    writeFileSync(lines, 'x\n'.repeat(9000));
    await orca.run(['pause']);
    const submitted = await orca.run(['submit', '--each-line', lines, '--', 'true']);
    assert.equal(submitted.status, 0, submitted.stderr);
    const daemon = orca.daemonPid();
    leave(160 * 1024);
    await orca.run(['resume']);
    const held = await orca.untilRun(9000, ({ reason }) => /cannot be started: .* is full/.test(reason ?? ''), 'held');
    assert.deepEqual([held.state, held.waiting?.kind], ['queued', 'trouble']);
    assert.equal(orca.daemonPid(), daemon, 'the daemon has stayed');
    const tried = readFileSync(join(orca.state, 'daemon.log'), 'utf8').match(/could not be claimed/g) ?? [];
    assert.ok(tried.length < 100, `${tried.length} claims were tried in vain`);
    makeRoom();
    await orca.untilRun(1, ({ state }) => state === 'succeeded', 'started once there is room');
    const killed = await orca.run(['kill', 'g1']);
    assert.ok(killed.status === 0, killed.stderr);
  },
);

test(
  'a kill while secrets are fetched and the disk is full ends the run, and not the daemon',
  { skip: noTmpfs },
  async (t) => {
    const { orca, outside, fill, makeRoom } = smallDisk(t, '3m');
    const [fetch, fetched, ran] = [join(outside, 'fetch'), join(outside, 'fetched'), join(outside, 'ran')];
    writeFileSync(fetch, `#!/bin/sh\necho fetched >> '${fetched}'\nexec sleep 60\n`, { mode: 0o755 });
    await orca.run(['up'], { env: { ORCA_SECRET_FETCH: fetch } });
    const run = await orca.submit('--secret', 'DB=anything', '--', 'touch', ran);
    await until(() => (existsSync(fetched) ? true : null), 'the secret is being fetched');
    const daemon = orca.daemonPid();
    fill();
    const { stderr } = await orca.run(['kill', String(run)]);
    assert.match(stderr, /is being ended/);
    assert.equal((await orca.status(run)).id, run);
    assert.equal(orca.daemonPid(), daemon, 'the daemon has stayed');
    makeRoom();
    const { text, kill } = await orca.untilRun(run, ({ state }) => state === 'killed', 'killed');
    assert.match(text ?? '', /^killed before it was started/);
    assert.notEqual(kill, null);
    assert.deepEqual([readFileSync(fetched, 'utf8'), existsSync(ran)], ['fetched\n', false]);
  },
);
