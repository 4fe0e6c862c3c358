import assert from 'node:assert/strict';
import { test } from 'node:test';
import { raiseRunCounter, takeRunIds } from '../../../src/store/ids.ts';
import { briefRuns } from '../../../src/store/brief-runs.ts';
import { getRun } from '../../../src/store/get-run.ts';
import { insertRuns, type NewRun } from '../../../src/store/insert-runs.ts';
import { listRuns } from '../../../src/store/list-runs.ts';
import { bytes, millis, runId } from '../../../src/units/brands.ts';
import type { Backend } from '../backend.ts';
import { aRun, newToken, submit } from '../samples.ts';

export const submissionCases = (backend: Backend): void => {
  test('some runs in brief have what a person knows them by; unknown ones are missing', async () => {
    const store = await backend.open();
    const runs = [aRun({ argv: ['a', 'b c'], name: 'x', submitted_at: millis(7) }), aRun(), aRun()];
    const { ids } = await store.command(async (tx) => insertRuns(tx, { token: 'a', runs }));
    const [first = runId(1), , third = runId(3)] = ids;
    const found = await briefRuns(store.read, [third, runId(999), first]);
    assert.deepEqual(
      found.toSorted((a, b) => a.id - b.id),
      [
        { id: first, name: 'x', submitted_at: 7, argv: ['a', 'b c'] },
        { id: third, name: null, submitted_at: 1000, argv: ['true'] },
      ],
    );
    assert.deepEqual(await briefRuns(store.read, []), []);
  });

  test('a run inside a start of another knows which; any other is inside none', async () => {
    const store = await backend.open();
    const { ids } = await store.command(async (tx) =>
      insertRuns(tx, { token: 'a', runs: [aRun(), aRun({ parent: { run: runId(1), start: 3 } })] }),
    );
    const parents = await Promise.all(ids.map((id) => getRun(store.read, id)));
    assert.deepEqual(
      parents.map((run) => [run?.parent_run, run?.parent_start]),
      [
        [null, null],
        [1, 3],
      ],
    );
  });

  test('a submission’s runs are queued with all that was asked, in order', async () => {
    const store = await backend.open();
    const asked = aRun({
      argv: ['xz', '-9'],
      name: 'press',
      env_file: false,
      cpus_milli: 1500,
      memory_min_bytes: bytes(2 ** 30),
      memory_max_bytes: bytes(2 ** 52),
      retries: 3,
      timeout_ms: millis(60_000),
      priority: -5,
      stdin: { kind: 'file', path: '/data/in' },
      owner: 'me',
      settings: { ORCA_RUN_MEMORY_GROWTH: '2' },
      oom: { retry: 'reported', exit_codes: [134, 3], text: 'heap “out” of memory' },
      submitted_at: millis(1_764_500_000_000),
      held: 'waits for memory',
    });
    const { ids, fresh } = await store.command(async (tx) =>
      insertRuns(tx, { token: 'a', runs: [asked, aRun(), aRun({ argv: ['false'] })] }),
    );
    assert.equal(fresh, true);
    assert.deepEqual(ids, [1, 2, 3]);
    const run = await getRun(store.read, ids[0] ?? assert.fail());
    const { env_file, stdin, ...columns } = asked;
    assert.deepEqual({ ...run, ...columns }, run, 'every column reads back as it was given');
    assert.deepEqual(
      [
        run?.state,
        run?.pipeline,
        run?.env_file,
        run?.stdin_kind,
        run?.stdin_path,
        run?.current_start,
        run?.starts_count,
      ],
      ['queued', 'command', env_file ? 1 : 0, stdin.kind, '/data/in', 0, 0],
    );
    const plain = await getRun(store.read, ids[1] ?? assert.fail());
    assert.deepEqual(plain?.oom, { retry: 'proved', exit_codes: [], text: null }, 'nothing is declared by itself');
  });

  test('the same token gives the same runs, however many send it at once', async () => {
    const store = await backend.open();
    const runs = [aRun(), aRun({ argv: ['false'] })];
    const answers = await Promise.all(
      Array.from({ length: 20 }, async () => store.command(async (tx) => insertRuns(tx, { token: 'same', runs }))),
    );
    assert.deepEqual(new Set(answers.map(({ ids }) => ids.join())), new Set(['1,2']));
    assert.equal(answers.filter(({ fresh }) => fresh).length, 1);
    assert.equal((await listRuns(store.read, { limit: 100 })).length, 2);
  });

  test('a token that comes again with another number of runs is refused', async () => {
    const store = await backend.open();
    await store.command(async (tx) => insertRuns(tx, { token: 'same', runs: [aRun()] }));
    await assert.rejects(
      store.command(async (tx) => insertRuns(tx, { token: 'same', runs: [aRun(), aRun()] })),
      { code: 'token-reused' },
    );
  });

  test('numbers taken ahead become the runs’ ids, and nobody else gets them', async () => {
    const store = await backend.open();
    const ids = await store.command(async (tx) => takeRunIds(tx, 2));
    const other = await submit(store);
    const made = await store.command(async (tx) => insertRuns(tx, { token: 'ahead', runs: [aRun(), aRun()], ids }));
    assert.deepEqual(made, { ids, fresh: true });
    assert.ok(!ids.includes(other));
  });

  test('a number is never given again: not when its run is deleted, nor below what start folders show', async () => {
    const store = await backend.open();
    const first = await submit(store);
    await store.command(async (tx) => tx.deleteFrom('runs').where('id', '=', first).execute());
    assert.equal(await submit(store), first + 1);
    await store.command(async (tx) => raiseRunCounter(tx, 700));
    await store.command(async (tx) => raiseRunCounter(tx, 5));
    assert.equal(await submit(store), 701);
  });

  test('a thousand runs are one submission', async () => {
    const store = await backend.open();
    const runs = Array.from({ length: 1200 }, (_, index) => aRun({ argv: ['echo', String(index)] }));
    const { ids } = await store.command(async (tx) => insertRuns(tx, { token: 'many', runs }));
    assert.equal(new Set(ids).size, 1200);
    assert.deepEqual((await getRun(store.read, ids[1199] ?? assert.fail()))?.argv, ['echo', '1199']);
  });

  const hostile = [
    `'"; drop table runs; --`,
    'naïve – 日本語 – 🐋 – \u202Eabc',
    '$1 ? :name @p %s \\ \\x00 \\0 \n\r\t\u001B[2J',
    '',
    'x'.repeat(1_048_576),
  ];
  test('any text comes back as it was given', async () => {
    const store = await backend.open();
    for (const text of hostile) {
      const id = await submit(store, {
        argv: [text, text, '\uD800 half a pair'],
        name: text,
        cwd: text,
        owner: text,
        settings: { [text]: text },
        oom: { retry: 'never', exit_codes: [], text },
      });
      const run = await getRun(store.read, id);
      assert.deepEqual(run?.argv, [text, text, '\uD800 half a pair']);
      assert.deepEqual(
        [run.name, run.cwd, run.owner, run.settings, run.oom.text],
        [text, text, text, { [text]: text }, text],
      );
    }
  });

  test('a NUL byte anywhere is refused, and nothing of that submission is kept', async () => {
    const store = await backend.open();
    const nul = 'a\0b';
    const changes: readonly Partial<NewRun>[] = [
      { argv: ['echo', nul] },
      { cwd: nul },
      { name: nul },
      { owner: nul },
      { settings: { A: nul } },
      { settings: { [nul]: 'a' } },
      { stdin: { kind: 'file', path: nul } },
      { oom: { retry: 'proved', exit_codes: [], text: nul } },
    ];
    for (const change of changes) {
      const runs = [aRun(), aRun(change)];
      await assert.rejects(
        store.command(async (tx) => insertRuns(tx, { token: newToken(), runs })),
        { code: 'text-nul' },
        JSON.stringify(change),
      );
    }
    await assert.rejects(
      store.command(async (tx) => insertRuns(tx, { token: nul, runs: [aRun()] })),
      { code: 'text-nul' },
    );
    assert.deepEqual(await listRuns(store.read, { limit: 10 }), []);
  });

  test('runs are listed newest first, by state, page by page', async () => {
    const store = await backend.open();
    for (let index = 0; index < 5; index++) await submit(store);
    await store.command(async (tx) =>
      tx
        .updateTable('runs')
        .set({ state: 'failed', ended_at: millis(1) })
        .where('id', 'in', [2, 4] as never[])
        .execute(),
    );
    const ids = async (list: Parameters<typeof listRuns>[1]): Promise<number[]> =>
      (await listRuns(store.read, list)).map((run) => run.id);
    assert.deepEqual(await ids({ limit: 2 }), [5, 4]);
    assert.deepEqual(await ids({ limit: 2, before: 4 as never }), [3, 2]);
    assert.deepEqual(await ids({ limit: 9, states: ['failed'] }), [4, 2]);
    assert.deepEqual(await ids({ limit: 3, states: ['failed', 'queued', 'failed'] }), [5, 4, 3]);
    assert.deepEqual(await ids({ limit: 3, states: ['lost'] }), []);
  });
};
