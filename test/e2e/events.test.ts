import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import type { EventJson } from '../../src/wire/api.ts';
import { Orca } from './support/orca.ts';
import { submitAll } from './support/submit-all.ts';
import { until } from './support/until.ts';

type Line = Partial<EventJson> & { readonly last?: number };
const linesOf = (text: string): Line[] =>
  text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Line);

const kindsOf = (text: string): (string | undefined)[] =>
  linesOf(text)
    .filter(({ last }) => last === undefined)
    .map(({ kind }) => kind);

const eventsOf = async (orca: Orca, ...args: string[]): Promise<Line[]> =>
  linesOf((await orca.run(['events', '--json', ...args])).stdout);

test('what happened is told in its order, with the number where to go on', async (t) => {
  const orca = new Orca(t);
  await orca.run(['run', '--', 'sh', '-c', 'exit 3']);
  const told = await orca.run(['events']);
  assert.equal(told.status, 0);
  assert.match(
    told.stdout,
    /^ +1  \S+ \S+  run 1     submitted    sh -c 'exit 3'\n[^]* {2}run 1     finished     failed: exit code 3\n$/,
  );
  const last = /the last event is (\d+); `orca events --since \1` goes on/.exec(told.stderr)?.[1] ?? assert.fail();
  assert.deepEqual(await eventsOf(orca, '--since', last), [{ last: Number(last) }]);
  await orca.run(['run', '--', 'true']);
  const more = (await orca.run(['events', '--json', '--since', last])).stdout;
  assert.deepEqual([kindsOf(more)[0], kindsOf(more).at(-1)], ['submitted', 'finished']);
});

test('events can be asked for by run, group, kind and time', async (t) => {
  const orca = new Orca(t);
  const single = await orca.submit('--', 'true');
  const { runs, group } = await submitAll(orca, [['true'], ['true']], { group: 'new' });
  await orca.run(['wait', String(single), ...runs.map(String)]);
  const whose = async (...args: string[]) =>
    new Set((await eventsOf(orca, ...args)).flatMap(({ run }) => (run == null ? [] : [run])));
  assert.deepEqual(await whose('--run', String(single)), new Set([single]));
  assert.deepEqual(await whose('--run', `g${group ?? 0}`), new Set(runs));
  assert.deepEqual(await whose('--run', `g${group ?? 0}`, '--run', String(single)), new Set([single, ...runs]));
  const finished = await eventsOf(orca, '--kind', 'finished');
  assert.deepEqual(new Set(finished.map(({ kind }) => kind)), new Set(['finished', undefined]));
  assert.deepEqual(await whose('--since', '10m'), new Set([single, ...runs]));
  assert.deepEqual(await whose('--since', '2100-01-01'), new Set());
  // What the filter left out is behind whoever goes on.
  assert.equal(finished.at(-1)?.last, (await eventsOf(orca)).at(-1)?.last);
});

test('whoever follows over deaths of the daemon hears every event once', async (t) => {
  const orca = new Orca(t);
  await orca.run(['run', '--', 'true']);
  const following = orca.start(['events', '--follow', '--json']);
  let text = '';
  following.child.stdout?.on('data', (piece: Buffer) => (text += piece.toString()));
  const heard = async (run: number): Promise<void> =>
    void (await until(() => (finishedIn(text).includes(run) ? true : null), `run ${run} is told`));
  const finishedIn = (lines: string): (number | null | undefined)[] =>
    linesOf(lines.slice(0, lines.lastIndexOf('\n') + 1)).flatMap(({ kind, run }) => (kind === 'finished' ? [run] : []));
  // It follows from some moment on: what is heard of first is not the first run.
  const first = await until(async () => {
    const run = await orca.submit('--', 'true');
    await orca.run(['wait', String(run)]);
    return finishedIn(text).includes(run) ? run : null;
  }, 'it follows');
  for (const round of [1, 2, 3]) {
    const run = await orca.submit('--', 'true');
    orca.killDaemon();
    const other = await orca.submit('--', 'true');
    assert.equal((await orca.run(['wait', String(run), String(other)])).status, 0, `round ${round}`);
    await heard(run);
    await heard(other);
  }
  following.child.kill('SIGINT');
  const left = await following.ended;
  assert.equal(left.status, 130);
  const told = linesOf(left.stdout).map(({ id }) => id ?? 0);
  const since = Number(/--since (\d+)` goes on from here/.exec(left.stderr)?.[1]);
  assert.equal(told.at(-1), since);
  const all = await eventsOf(orca, '--since', String((told[0] ?? 0) - 1));
  assert.deepEqual(
    told,
    all.flatMap(({ id }) => (id !== undefined && id <= since ? [id] : [])),
  );
  assert.ok(finishedIn(left.stdout).includes(first));
});

test('events that were deleted are told as gone, and those of runs that are not over are still there', async (t) => {
  const orca = new Orca(t);
  await orca.run(['run', '--', 'true']);
  const going = await orca.submit('--', 'sleep', '60');
  await orca.untilRun(going, ({ state }) => state === 'running', 'running');
  const last = (await eventsOf(orca)).at(-1)?.last ?? assert.fail();
  await orca.run(['down']);
  const store = new DatabaseSync(join(orca.state, 'orca.db'));
  const over = store.prepare('select max(id) as id from events where run = 1').get()?.['id'];
  store.prepare('update events set at = 1000 where id <= ?').run(last);
  store.close();
  await orca.run(['up']);
  const gone = `orca: events before ${Number(over) + 1} are gone, but for those of runs that are not over\n`;
  const told = await until(async () => {
    const asked = await orca.run(['events', '--json']);
    return asked.stderr === gone ? asked : null;
  }, 'the old events are deleted and told as gone');
  assert.deepEqual(new Set(linesOf(told.stdout).flatMap(({ run }) => (run == null ? [] : [run]))), new Set([going]));
  assert.equal((await orca.run(['events', '--since', String(over)])).stderr.includes('are gone'), false);
});

test('where to go on is the last event also when nothing is from then on', async (t) => {
  const orca = new Orca(t);
  await orca.run(['run', '--', 'true']);
  const { last = 0 } = (await eventsOf(orca)).at(-1) ?? assert.fail();
  assert.ok(last > 0);
  // Not 0: whoever goes on from there would hear all of them again.
  assert.deepEqual(await eventsOf(orca, '--since', '2100-01-01'), [{ last }]);
  assert.deepEqual(await eventsOf(orca, '--since', '2100-01-01', '--kind', 'finished'), [{ last }]);
  const ahead = await orca.run(['events', '--json', '--since', '99999999']);
  assert.deepEqual(linesOf(ahead.stdout), [{ last }]);
  assert.match(ahead.stderr, new RegExp(`there is no event 99999999 yet: the last one is ${last}`));
  const following = orca.start(['events', '--follow', '--since', '99999999']);
  let said = '';
  following.child.stderr?.on('data', (piece: Buffer) => (said += piece.toString()));
  await until(() => (said.includes('is told\n') ? true : null), 'it follows');
  following.child.kill('SIGINT');
  assert.match((await following.ended).stderr, new RegExp(`events --follow --since ${last}` + '`'));
});

test('an unknown run, group and kind, and what is no time, are refused', async (t) => {
  const orca = new Orca(t);
  assert.equal((await orca.run(['events', '--run', 'g7'])).status, 127);
  const unknown = await orca.run(['events', '--run', '7']);
  assert.equal(unknown.status, 127);
  assert.match(unknown.stderr, /There is no run 7\./);
  assert.equal((await orca.run(['events', '--since', 'yesterday'])).status, 120);
  for (const follow of [[], ['--follow']]) {
    const mistyped = await orca.run(['events', ...follow, '--kind', 'started,finishd']);
    assert.equal(mistyped.status, 120);
    assert.match(mistyped.stderr, /There is no kind of event started\..*submitted, running/s);
  }
});
