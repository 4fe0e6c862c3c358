import assert from 'node:assert/strict';
import { test } from 'node:test';
import { postgresMissing, startPostgres } from '../store/postgres.ts';
import { Orca } from './support/orca.ts';

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

test('a Postgres that cannot be reached is told in a sentence, and nothing is started', async (t) => {
  const orca = new Orca(t, { ORCA_STORE_URL: 'postgres://nobody@127.0.0.1:1/none' });
  const { status, stderr } = await orca.run(['run', '--', 'true']);
  assert.equal(status, 120);
  assert.match(stderr, /Postgres cannot be reached/);
  assert.doesNotMatch(stderr, /\n\s+at /);
});
