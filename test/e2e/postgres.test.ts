import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { postgresMissing, startPostgres } from '../store/postgres.ts';
import { Ledger } from './support/ledger.ts';
import { Orca } from './support/orca.ts';
import { killHard } from './support/processes.ts';

const missing = postgresMissing(process.env['ORCA_TEST_REQUIRE']);

test(
  'a daemon with its store in Postgres runs, retries and recovers as with the embedded one',
  { skip: missing ?? false },
  async (t) => {
    const postgres = await startPostgres();
    const orca = new Orca(t, { ORCA_STORE_URL: await postgres.newSchema(), ORCA_RETRY_DELAY_SECONDS: '0' });
    t.after(() => postgres.stop());

    const first = await orca.run([
      'run',
      '--retries',
      '1',
      '--',
      'sh',
      '-c',
      'test -e again || { touch again; exit 5; }',
    ]);
    assert.equal(first.status, 0);
    const story = await orca.status(1);
    assert.deepEqual(
      story.starts.map(({ verdict, exit_code }) => [verdict, exit_code]),
      [
        ['failed', 5],
        ['succeeded', 0],
      ],
    );

    const long = await orca.submit('--', 'sleep', '2');
    const waiting = orca.run(['wait', String(long)]);
    await orca.untilRun(long, ({ state }) => state === 'running', 'running');
    orca.killDaemon();
    const waited = await waiting;
    assert.equal(waited.status, 0, waited.stderr);
    assert.equal((await orca.status(long)).starts.length, 1);
  },
);

test(
  'what ended while no daemon was there lets go what comes after it, and so on down a chain',
  { skip: missing ?? false },
  async (t) => {
    const postgres = await startPostgres();
    const orca = new Orca(t, { ORCA_STORE_URL: await postgres.newSchema(), ORCA_CAPACITY_CPUS: '4' });
    t.after(() => postgres.stop());
    const ledger = new Ledger(orca.folder);
    const gate = await orca.submit('--lock', 'gate', '--', ...ledger.held('gate'));
    const ends = await orca.submit('--', ...ledger.held('ends'));
    const fails = await orca.submit('--', ...ledger.held('fails', 3));
    const next = await orca.submit('--after', String(ends), '--', 'true');
    let last = fails;
    for (let depth = 0; depth < 5; depth += 1) last = await orca.submit('--after', String(last), '--', 'true');
    // Those behind them take the next daemon a while to read.
    const lines = join(orca.folder, 'lines');
    writeFileSync(lines, 'x\n'.repeat(9000));
    const many = await orca.run(['submit', '--lock', 'gate', '--each-line', lines, '--', 'true']);
    assert.equal(many.status, 0, many.stderr);
    for (const name of ['gate', 'ends', 'fails']) await ledger.begun(name);
    for (const resident of orca.residents()) await killHard(resident);
    await killHard(orca.daemonPid());
    ledger.release('ends', 'fails');
    await ledger.ended('ends');
    await ledger.ended('fails');
    const ended = await Promise.all([next, last].map((run) => orca.run(['wait', '--timeout', '30s', String(run)])));
    await orca.run(['kill', String(gate), `g${last + 1}`]);
    assert.deepEqual(
      ended.map(({ status }) => status),
      [0, 121],
    );
  },
);

test(
  'when the connection breaks in the middle of a commit, a daemon that knows what is stored takes over',
  { skip: missing ?? false },
  async (t) => {
    const postgres = await startPostgres();
    const url = await postgres.newSchema();
    const orca = new Orca(t, { ORCA_STORE_URL: url, ORCA_CAPACITY_CPUS: '1' });
    t.after(() => postgres.stop());
    const ledger = new Ledger(orca.folder);
    const first = await orca.submit('--', ...ledger.held('first'));
    const second = await orca.submit('--', ...ledger.held('second'));
    await ledger.begun('first');
    const before = orca.daemonPid();
    // Once: at the commit that stores the first one's end, and with that the second one's claim.
    await postgres.query(
      url,
      `create sequence cuts;
       create function cut() returns trigger language plpgsql as $$ begin
         if new.state = 'succeeded' and nextval('cuts') = 1 then perform pg_terminate_backend(pg_backend_pid()); end if;
         return null; end $$;
       create constraint trigger cut after update on runs deferrable initially deferred for each row execute function cut()`,
    );
    ledger.release('first', 'second');
    assert.equal((await orca.run(['wait', String(first), String(second)])).status, 0);
    assert.notEqual(orca.daemonPid(), before);
    for (const name of ['first', 'second']) {
      const { begun, ended, doubled } = ledger.read(name);
      assert.deepEqual([begun.length, ended, doubled], [1, 1, 0], name);
    }
  },
);

test('a Postgres that cannot be reached is told in a sentence, and nothing is started', async (t) => {
  const orca = new Orca(t, { ORCA_STORE_URL: 'postgres://nobody@127.0.0.1:1/none' });
  const { status, stderr } = await orca.run(['run', '--', 'true']);
  assert.equal(status, 120);
  assert.match(stderr, /Postgres cannot be reached/);
  assert.doesNotMatch(stderr, /\n\s+at /);
});
