import assert from 'node:assert/strict';
import { test } from 'node:test';
import { noNeeds, type After } from '../../../src/runs/needs.ts';
import { acceptRuns, type Accepted, type Asked } from '../../../src/store/accept-runs.ts';
import { pruneAnswers } from '../../../src/store/answers.ts';
import { getRun } from '../../../src/store/get-run.ts';
import type { NewRun } from '../../../src/store/insert-runs.ts';
import { listRuns } from '../../../src/store/list-runs.ts';
import type { Store } from '../../../src/store/store.ts';
import { millis, runId, type RunId } from '../../../src/units/brands.ts';
import type { Backend } from '../backend.ts';
import { askKill, aRun, endedRun, newToken, runningRun, submit } from '../samples.ts';

const accept = async (store: Store, runs: readonly Partial<NewRun>[], change: Partial<Asked> = {}): Promise<Accepted> =>
  store.command(async (tx) =>
    acceptRuns(tx, {
      checkRoom: () => undefined,
      token: newToken(),
      runs: runs.map(aRun),
      group: null,
      keyWindow: millis(1000),
      inside: [],
      now: millis(5000),
      ...change,
    }),
  );
const keyed = (key: string, change: Partial<NewRun> = {}): Partial<NewRun> => ({ key, ...change });
const afterOf = async (store: Store, run: RunId | undefined): Promise<readonly After[] | undefined> =>
  (await getRun(store.read, run ?? assert.fail()))?.needs.after;

/** What a submission becomes: its own runs, those that are there by their keys, its group, what it comes after. */
export const acceptingCases = (backend: Backend): void => {
  test('a key that many give at the same moment makes one run, which is the answer of all', async () => {
    const place = await backend.newPlace();
    const stores = [await backend.open(place), await backend.open(place)];
    const answers = await Promise.all(
      Array.from({ length: 20 }, async (_, at) => accept(stores[at % 2] ?? assert.fail(), [keyed('k')])),
    );
    assert.equal(new Set(answers.map(({ ids }) => ids.join())).size, 1);
    assert.equal(answers.filter(({ made }) => made.length === 1).length, 1);
    assert.equal((await listRuns(stores[0]?.read ?? assert.fail(), { limit: 100 })).length, 1);
  });

  test('a key gives the run that is not over, or that succeeded within the window, with how it stands', async () => {
    const store = await backend.open();
    const run = await runningRun(store, keyed('goes on'));
    const done = await endedRun(store, 'succeeded', keyed('done'), { ended_at: millis(4001) });
    const answer = await accept(store, [keyed('goes on'), keyed('new'), keyed('done')]);
    assert.deepEqual(answer.ids, [run, 3, done]);
    assert.deepEqual(
      answer.made.map(({ id }) => id),
      [3],
    );
    assert.deepEqual(answer.known, [
      { run, state: 'running', ended_at: null },
      { run: done, state: 'succeeded', ended_at: 4001 },
    ]);
  });

  test('a success from before the window holds no key; with a window of nothing none does', async () => {
    const store = await backend.open();
    const done = await endedRun(store, 'succeeded', keyed('k'), { ended_at: millis(4000) });
    const within = await accept(store, [keyed('k')], { now: millis(4999) });
    assert.deepEqual(within.ids, [done]);
    const nothing = await accept(store, [keyed('k')], { now: millis(4000), keyWindow: millis(0) });
    assert.equal(nothing.made.length, 1);
    const other = await endedRun(store, 'succeeded', keyed('l'), { ended_at: millis(4000) });
    const past = await accept(store, [keyed('l')]);
    assert.notEqual(past.ids[0], other);
  });

  for (const state of ['failed', 'killed', 'lost', 'timed-out', 'out-of-memory'] as const) {
    test(`a run that is ${state} frees its key`, async () => {
      const store = await backend.open();
      await endedRun(store, state, keyed('k'), { ended_at: millis(4999) });
      const { made, known } = await accept(store, [keyed('k')]);
      assert.deepEqual([made.length, known], [1, []]);
    });
  }

  test('a success gives its key to no one any more once a newer run has it, however that ended or ends', async () => {
    const store = await backend.open();
    const ended_at = millis(4999);
    const success = (key: string): Promise<RunId> => endedRun(store, 'succeeded', keyed(key), { ended_at });
    await success('failed');
    await endedRun(store, 'failed', keyed('failed'), { ended_at });
    await success('dying');
    const dying = await runningRun(store, keyed('dying'));
    await store.command(async (tx) => askKill(tx, { run: dying, at: millis(4999), by: 'me', now: false }));
    await success('going on');
    const active = await runningRun(store, keyed('going on'));
    await success('done again');
    const done = await success('done again');
    const { ids, made } = await accept(
      store,
      ['failed', 'dying', 'going on', 'done again'].map((key) => keyed(key)),
    );
    assert.deepEqual(ids.slice(2), [active, done]);
    assert.deepEqual(
      made.map(({ id }) => id),
      ids.slice(0, 2),
    );
    assert.deepEqual(await afterOf(store, ids[0]), []);
    assert.deepEqual(await afterOf(store, ids[1]), [{ run: dying, any: true }]);
  });

  test('who asks for the key of a run that was told to end gets a new run, which comes after that one’s end', async () => {
    const store = await backend.open();
    const dying = await runningRun(store, keyed('k'));
    await store.command(async (tx) => askKill(tx, { run: dying, at: millis(4000), by: 'me', now: false }));
    const { ids, made } = await accept(store, [keyed('k')]);
    assert.deepEqual(ids, [2]);
    assert.deepEqual(made[0]?.run.needs?.after, [{ run: dying, any: true }]);
    assert.deepEqual(await afterOf(store, ids[0]), [{ run: dying, any: true }]);
    assert.deepEqual((await accept(store, [keyed('k')])).ids, ids, 'the new one has the key from now on');
  });

  test('a key that is another command’s, or of the same in another folder, is refused; so is one of a run around the caller', async () => {
    const store = await backend.open();
    await submit(store, keyed('k'));
    for (const change of [{ argv: ['false'] }, { cwd: '/tmp' }]) {
      await assert.rejects(accept(store, [keyed('new'), keyed('k', change)]), {
        code: 'key-taken',
        params: { key: 'k', run: 1 },
      });
    }
    await assert.rejects(accept(store, [keyed('k')], { inside: [runId(9), runId(1)] }), { code: 'key-inside' });
    assert.equal((await listRuns(store.read, { limit: 9 })).length, 1, 'nothing of a refused submission is kept');
  });

  test('the same key twice in a submission is one run; for two commands it is refused', async () => {
    const store = await backend.open();
    const { ids, made, known } = await accept(store, [keyed('a'), keyed('b'), keyed('a')], { token: 'twice' });
    assert.deepEqual([ids, made.length, known], [[1, 2, 1], 2, []]);
    const again = await accept(store, [keyed('a'), keyed('b'), keyed('a')], { token: 'twice' });
    assert.deepEqual([again.ids, again.known], [[1, 2, 1], []]);
    await assert.rejects(accept(store, [keyed('x'), keyed('x', { argv: ['false'] })]), { code: 'request-invalid' });
  });

  test('the same token gives the same answer, also where that was a run of another, over by now', async () => {
    const store = await backend.open();
    const known = await runningRun(store, keyed('k'));
    const first = await accept(store, [keyed('k'), {}, keyed('l')], { token: 't', group: 'new' });
    assert.deepEqual([first.ids, first.group], [[known, 2, 3], 2]);
    await store.command(async (tx) =>
      tx
        .updateTable('runs')
        .set({ state: 'failed', ended_at: millis(4500) })
        .where('id', '=', known)
        .execute(),
    );
    const again = await accept(store, [keyed('k'), {}, keyed('l')], { token: 't', group: 'new' });
    assert.deepEqual([again.ids, again.group, again.made], [first.ids, 2, []]);
    assert.deepEqual(again.known, [{ run: known, state: 'failed', ended_at: 4500 }]);
    await assert.rejects(accept(store, [keyed('k')], { token: 't' }), { code: 'token-reused' });
    assert.equal(await store.command(async (tx) => pruneAnswers(tx, millis(5000))), 0);
    assert.equal(await store.command(async (tx) => pruneAnswers(tx, millis(5001))), 1);
  });

  test('a run that a second client asked for no longer ends with the first', async () => {
    const store = await backend.open();
    const run = await runningRun(store, keyed('k', { owner: 'me' }));
    const own = await submit(store, keyed('other', { owner: 'me' }));
    await accept(store, [keyed('k', { owner: 'you' })]);
    assert.equal((await getRun(store.read, run))?.owner, null);
    assert.equal((await getRun(store.read, own))?.owner, 'me');
  });

  test('hostile keys are told apart as they are', async () => {
    const store = await backend.open();
    const keys = ["'; drop table runs; --", '%', '_', 'é', 'e\u0301', 'K', 'k', 'k ', '\u001B[2J', 'x'.repeat(10_000)];
    const first = await accept(
      store,
      keys.map((key) => keyed(key)),
    );
    assert.equal(first.made.length, keys.length);
    const again = await accept(
      store,
      keys.map((key) => keyed(key)),
    );
    assert.deepEqual([again.ids, again.made], [first.ids, []]);
    await assert.rejects(accept(store, [keyed('a\0b')]), { code: 'text-nul' });
  });

  test('thousands of keys are looked up at once', async () => {
    const store = await backend.open();
    const runs = Array.from({ length: 2500 }, (_, at) => keyed(`k${at}`));
    const first = await accept(store, runs);
    const again = await accept(store, [...runs, keyed('one more')]);
    assert.deepEqual([again.made.length, again.known.length], [1, 2500]);
    assert.deepEqual(again.ids.slice(0, 2500), first.ids);
  });

  test('room is asked for as many runs as would be made, and without it none is; who asks again is answered', async () => {
    const store = await backend.open();
    const asked: number[] = [];
    const full = (fresh: number): void => {
      asked.push(fresh);
      throw new Error('full');
    };
    const checkRoom = (fresh: number): void => void asked.push(fresh);
    const token = newToken();
    const { ids } = await accept(store, [{}, {}], { token, checkRoom });
    assert.deepEqual((await accept(store, [{}, {}], { token, checkRoom: full })).ids, ids);
    await accept(store, [keyed('a')], { checkRoom });
    assert.equal((await accept(store, [keyed('a')], { checkRoom: full })).known.length, 1);
    assert.deepEqual(asked, [2, 1]);
    for (const [runs, change] of [
      [[{}], {}],
      [[keyed('a'), keyed('b'), keyed('c')], { group: 'new' }],
    ] as const)
      await assert.rejects(accept(store, runs, { ...change, checkRoom: full }), /full/);
    assert.deepEqual(asked, [2, 1, 1, 2]);
    assert.equal((await accept(store, [{}])).ids[0], 4, 'no number is lost');
  });

  test('a group has the number of its first run; batches join it, and one that is not there is refused', async () => {
    const store = await backend.open();
    await submit(store);
    const first = await accept(store, [{}, {}], { group: 'new' });
    assert.deepEqual([first.ids, first.group], [[2, 3], 2]);
    const more = await accept(store, [{}], { group: 2 });
    assert.deepEqual([more.ids, more.group], [[4], 2]);
    assert.equal((await getRun(store.read, runId(4)))?.group_id, 2);
    await assert.rejects(accept(store, [{}], { group: 1 }), { code: 'group-unknown' });
  });

  test('a group is only of runs that its submission made: of none there is none', async () => {
    const store = await backend.open();
    const run = await submit(store, keyed('k'));
    const answer = await accept(store, [keyed('k')], { group: 'new' });
    assert.deepEqual([answer.ids, answer.group], [[run], null]);
    assert.equal((await getRun(store.read, run))?.group_id, null);
  });

  const after = (...list: After[]): Partial<NewRun> => ({ needs: { ...noNeeds, locks: ['l'], after: list } });
  test('what a run comes after is kept while it is not over, and dropped once that is as wanted', async () => {
    const store = await backend.open();
    const open = await submit(store);
    const good = await endedRun(store, 'succeeded');
    const bad = await endedRun(store, 'failed');
    const { ids } = await accept(store, [
      after({ run: open, any: false }, { run: good, any: false }, { run: bad, any: true }, { run: good, any: true }),
    ]);
    assert.deepEqual(await afterOf(store, ids[0]), [{ run: open, any: false }]);
    assert.deepEqual((await getRun(store.read, ids[0] ?? assert.fail()))?.needs.locks, ['l']);
  });

  for (const [state, words] of [
    ['failed', 'failed'],
    ['killed', 'was killed'],
    ['out-of-memory', 'ran out of memory'],
  ] as const) {
    test(`coming after the success of a run that is ${state} is refused`, async () => {
      const store = await backend.open();
      const run = await endedRun(store, state);
      await assert.rejects(accept(store, [after({ run, any: false })]), {
        code: 'after-failed',
        message: `Run 1 ${words}, so what comes after its success could never start.`,
      });
      assert.equal((await listRuns(store.read, { limit: 9 })).length, 1);
    });
  }

  test('a group is over when all of it are; one that failed is enough to refuse what comes after its success', async () => {
    const store = await backend.open();
    await endedRun(store, 'succeeded', { group_id: 1 });
    await endedRun(store, 'succeeded', { group_id: 1 });
    assert.deepEqual(await afterOf(store, (await accept(store, [after({ group: 1, any: false })])).ids[0]), []);
    const going = await submit(store, { group_id: 1 });
    const waits = await accept(store, [after({ group: 1, any: false })]);
    assert.deepEqual(await afterOf(store, waits.ids[0]), [{ group: 1, any: false }]);
    const bad = await endedRun(store, 'timed-out', { group_id: 1 });
    await assert.rejects(accept(store, [after({ group: 1, any: false })]), {
      code: 'after-failed',
      message: `Run ${bad} of group g1 took too long, so what comes after its success could never start.`,
    });
    const anyway = await accept(store, [after({ group: 1, any: true })]);
    assert.deepEqual(await afterOf(store, anyway.ids[0]), [{ group: 1, any: true }], `run ${going} goes on`);
  });

  test('what is not there cannot be come after, nor by who joins a group can what is younger than that', async () => {
    const store = await backend.open();
    await assert.rejects(accept(store, [after({ run: runId(7), any: true })]), { code: 'run-unknown' });
    await assert.rejects(accept(store, [after({ group: 7, any: true })]), { code: 'group-unknown' });
    const { group } = await accept(store, [{}], { group: 'new' });
    const young = await submit(store);
    await assert.rejects(accept(store, [after({ run: young, any: true })], { group: group ?? 0 }), {
      code: 'request-invalid',
    });
    await assert.rejects(accept(store, [after({ group: group ?? 0, any: true })], { group: group ?? 0 }), {
      code: 'request-invalid',
    });
  });
};
