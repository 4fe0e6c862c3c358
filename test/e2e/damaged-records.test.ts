import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changeStore, crash } from './support/crash.ts';
import { Ledger } from './support/ledger.ts';
import { Orca } from './support/orca.ts';

const oneAtATime = { ORCA_CAPACITY_CPUS: '1' };

interface Listed {
  readonly id: number;
  readonly state: string;
  readonly reason: string | null;
  readonly waiting: { readonly kind: string } | null;
}

const list = async (orca: Orca): Promise<Listed[]> => {
  const { status, stdout, stderr } = await orca.run(['list', '--all', '--json']);
  assert.equal(status, 0, stderr);
  return (JSON.parse(stdout) as { runs: Listed[] }).runs;
};

test('runs whose records are damaged are set aside with a reason, by a new daemon too, and all others go on', async (t) => {
  const orca = new Orca(t, oneAtATime);
  const ledger = new Ledger(orca.folder);
  const running = await orca.submit('--', ...ledger.held('running', 4));
  const columns = ['argv', 'settings', 'oom', 'needs', 'extras', 'secrets'] as const;
  const damaged: number[] = [];
  for (const column of columns) damaged.push(await orca.submit('--priority', '5', '--', ...ledger.held(column)));
  const last = await orca.submit('--', ...ledger.held('last', 7));
  await ledger.begun('running');
  await crash(orca);
  changeStore(
    orca,
    ...columns.map((column, at) => `update runs set ${column} = '{"half":' where id = ${damaged[at] ?? 0}`),
    `update runs set extras = '[1]', oom = '3' where id = ${running}`,
    `update events set data = 'lost' where run = ${last}`,
  );
  ledger.release('running', 'last', ...columns);

  assert.equal((await orca.run(['wait', String(running)])).status, 4, 'what ran is adopted and its end is its own');
  assert.equal((await orca.run(['wait', String(last)])).status, 7);
  const aside = (await list(orca)).filter(({ id }) => damaged.includes(id)).sort((a, b) => a.id - b.id);
  for (const [at, run] of aside.entries()) {
    assert.deepEqual([run.state, run.waiting?.kind], ['queued', 'damaged']);
    assert.match(
      run.reason ?? '',
      new RegExp(`damaged \\(${columns[at] ?? ''} is not JSON\\).*\`orca kill ${run.id}\``),
    );
  }
  assert.equal(aside.length, columns.length);
  for (const column of columns)
    assert.equal(ledger.read(column).begun.length, 0, `the run without ${column} is not started`);

  const doctor = await orca.run(['doctor']);
  assert.match(doctor.stdout, /warn +runs +the record of 6 runs in the store is damaged/);
  const [first = 0] = damaged;
  assert.match(
    (await orca.run(['status', String(first)])).stdout,
    /damaged +its record in the store: argv is not JSON/,
  );
  assert.match(
    (await orca.run(['explain', String(first)])).stdout,
    /is not started: its record in the store is damaged/,
  );
  assert.equal((await orca.run(['explain', String(last)])).status, 0);
  assert.match((await orca.run(['events', '--run', String(last)])).stdout, /"unreadable":"is not JSON"/);

  assert.equal((await orca.run(['kill', ...damaged.map(String)])).status, 0);
  assert.equal((await orca.run(['wait', String(first)])).status, 125);
  assert.doesNotMatch((await orca.run(['doctor'])).stdout, /is damaged/);
  const again = await orca.run(['retry', String(first)]);
  assert.equal(again.status, 120);
  assert.match(again.stderr, /argv is not JSON/);
  assert.equal((await orca.run(['gc', '--keep', '0'])).status, 0);
  assert.deepEqual(await list(orca), []);
});

test('a record that is damaged while its run waits is found when its turn comes, and the next one goes', async (t) => {
  const orca = new Orca(t, oneAtATime);
  const ledger = new Ledger(orca.folder);
  const gate = await orca.submit('--', ...ledger.held('gate'));
  const [bad, good] = [await orca.submit('--', ...ledger.held('bad')), await orca.submit('--', 'true')];
  await ledger.begun('gate');
  changeStore(orca, `update runs set needs = '{"gpus":"two"}' where id = ${bad}`);
  ledger.release('gate', 'bad');
  assert.equal((await orca.run(['wait', String(gate), String(good)])).status, 0);
  const { state, reason } = await orca.status(bad);
  assert.equal(state, 'queued');
  assert.match(reason ?? '', /damaged \(needs gpus is not a whole number\)/);
  assert.equal(ledger.read('bad').begun.length, 0);
});

test('a pause that cannot be read holds the queue until somebody resumes it', async (t) => {
  const orca = new Orca(t, oneAtATime);
  await orca.run(['pause', '--reason', 'backup']);
  const run = await orca.submit('--', 'true');
  const alone = await orca.submit('--', 'true');
  await orca.run(['pause', String(alone)]);
  await crash(orca);
  changeStore(
    orca,
    `update meta set value = '?' where key = 'paused'`,
    `update runs set paused = '[]' where id = ${alone}`,
  );
  const { reason } = await orca.status(run);
  assert.match(
    reason ?? '',
    /^the queue is paused by somebody: what the store has of it cannot be read; `orca resume`/,
  );
  assert.equal((await orca.run(['resume'])).status, 0);
  assert.equal((await orca.run(['wait', String(run)])).status, 0);
  assert.match((await orca.status(alone)).reason ?? '', /is paused by somebody/);
  assert.equal((await orca.run(['resume', String(alone)])).status, 0);
  assert.equal((await orca.run(['wait', String(alone)])).status, 0);
});
