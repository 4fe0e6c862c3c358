import assert from 'node:assert/strict';
import { test } from 'node:test';
import { IllegalTransition } from '../../../src/runs/transitions.ts';
import { activeStarts } from '../../../src/store/active-runs.ts';
import { changeRunState } from '../../../src/store/change-state.ts';
import { claimStart } from '../../../src/store/claim-start.ts';
import { endStart } from '../../../src/store/end-start.ts';
import { finishRun } from '../../../src/store/finish-run.ts';
import { getRun, getRunWithStarts } from '../../../src/store/get-run.ts';
import { knownCgroups } from '../../../src/store/known-cgroups.ts';
import { releaseOwner } from '../../../src/store/release-owner.ts';
import { requeueRun } from '../../../src/store/requeue-run.ts';
import { setHeld } from '../../../src/store/set-held.ts';
import { startRunning } from '../../../src/store/start-running.ts';
import type { Store } from '../../../src/store/store.ts';
import { voidStart } from '../../../src/store/void-start.ts';
import { bytes, millis, runId, type RunId } from '../../../src/units/brands.ts';
import type { Backend } from '../backend.ts';
import { allActive, askKill, aClaim, endOfRun, endOfStart, requeued, running, runningRun, submit } from '../samples.ts';

const claim = async (store: Store, run: RunId, start: number): Promise<boolean> =>
  store.command(async (tx) => claimStart(tx, aClaim(run, start)));
const end = async (store: Store, run: RunId, start: number): Promise<boolean> =>
  store.command(async (tx) => endStart(tx, endOfStart(run, start)));

export const startCases = (backend: Backend): void => {
  test('a start keeps its devices for the daemon after this one; most have none', async () => {
    const store = await backend.open();
    const [run, other] = [await submit(store), await submit(store)];
    await store.command(async (tx) => claimStart(tx, aClaim(run, 1, { gpus: ['GPU-a', '3'] })));
    await store.command(async (tx) => claimStart(tx, aClaim(other, 1, { gpus: [] })));
    const stored = await activeStarts(store.read);
    assert.deepEqual(
      stored.map((start) => [start.run, start.gpus]),
      [
        [run, '["GPU-a","3"]'],
        [other, null],
      ],
    );
  });

  test('a run goes through its states, and its records tell the story', async () => {
    const store = await backend.open();
    const run = await submit(store, { held: 'waits' });
    const sizes = { grant_bytes: bytes(100), limit_bytes: bytes(200), cap_bytes: bytes(250) };
    assert.equal(await store.command(async (tx) => claimStart(tx, aClaim(run, 1, sizes))), true);
    assert.deepEqual(
      [(await getRun(store.read, run))?.state, (await getRun(store.read, run))?.held],
      ['starting', null],
    );
    assert.equal(await store.command(async (tx) => startRunning(tx, running(run, 1))), true);
    assert.deepEqual(
      (await activeStarts(store.read)).map((start) => [start.run, start.start, start.pid]),
      [[run, 1, 11]],
    );
    const usage = { peak_rss_bytes: bytes(2 ** 40), cpu_seconds: 1.25, peak_cpus: 0.5 };
    const sources = {
      peak_source: 'samples',
      cpu_source: 'wait4',
      kernel_peak_bytes: bytes(7),
      kernel_cpu_seconds: 1.5,
      oom: 3,
      oom_kill: 2,
      oom_group_kill: 1,
      memory_stall_ms: millis(30),
      memory_stall_full_ms: millis(20),
    } as const;
    await store.command(async (tx) => {
      assert.equal(await endStart(tx, endOfStart(run, 1, { ...usage, ...sources, gap: 1 })), true);
      assert.equal(await finishRun(tx, endOfRun(run, 1, usage)), true);
    });
    const told = (await getRunWithStarts(store.read, run)) ?? assert.fail();
    assert.deepEqual(
      { ...told.run, ...usage, state: 'succeeded', started_at: 3000, ended_at: 4000, starts_count: 1 },
      told.run,
    );
    assert.equal(told.starts.length, 1);
    assert.deepEqual(
      {
        ...told.starts[0],
        ...sizes,
        ...usage,
        ...sources,
        state: 'ended',
        verdict: 'succeeded',
        claimed_at: 2000,
        gap: 1,
      },
      told.starts[0],
    );
    assert.deepEqual(await allActive(store.read), []);
    assert.deepEqual(await activeStarts(store.read), []);
  });

  test('the cgroups of its starts are known, also of ended ones and among many, and no others', async () => {
    const store = await backend.open();
    const run = await submit(store);
    await store.command(async (tx) => claimStart(tx, aClaim(run, 1, { cgroup: '/base/orca-run-1-1-7' })));
    await end(store, run, 1);
    const others = Array.from({ length: 1200 }, (_, n) => `/base/orca-run-${n}-1-8`);
    assert.deepEqual(
      await knownCgroups(store.read, [...others, '/base/orca-run-1-1-7']),
      new Set(['/base/orca-run-1-1-7']),
    );
    assert.deepEqual(await knownCgroups(store.read, []), new Set());
  });

  test('the peak by the cgroup is told of starts that died at their own limit, and of no others', async () => {
    const store = await backend.open();
    const run = await runningRun(store);
    const peakAfter = async (start: number, kernelPeak: number, evidence: string | null): Promise<number | null> => {
      await store.command(async (tx) => {
        if (start > 1) {
          await requeueRun(tx, requeued(run, start - 1));
          await claimStart(tx, aClaim(run, start));
        }
        await endStart(tx, endOfStart(run, start, { evidence, kernel_peak_bytes: bytes(kernelPeak) }));
      });
      return (await getRun(store.read, run))?.oom_peak_bytes ?? null;
    };
    assert.equal(await peakAfter(1, 400, 'held'), null);
    assert.equal(await peakAfter(2, 2 ** 40, 'own-cgroup'), 2 ** 40);
    assert.equal(await peakAfter(3, 2 ** 41, null), 2 ** 40);
    assert.equal(await peakAfter(4, 2 ** 42, 'own-cgroup'), 2 ** 42);
  });

  test('a run started when its first start did', async () => {
    const store = await backend.open();
    const run = await runningRun(store);
    await store.command(async (tx) => {
      await endStart(tx, endOfStart(run, 1, { verdict: 'failed' }));
      await requeueRun(tx, requeued(run, 1));
      await claimStart(tx, aClaim(run, 2));
      await startRunning(tx, { ...running(run, 2), at: millis(9000) });
    });
    const told = await getRunWithStarts(store.read, run);
    assert.deepEqual([told?.run.started_at, told?.starts.map((start) => start.started_at)], [3000, [3000, 9000]]);
  });

  test('of many claims for one run one wins', async () => {
    const store = await backend.open();
    const run = await submit(store);
    const won = await Promise.all([1, 1, 2, 3].map(async (start) => claim(store, run, start)));
    assert.deepEqual(won, [true, false, false, false]);
  });

  test('a start number that was given is never given again', async () => {
    const store = await backend.open();
    const run = await submit(store);
    await claim(store, run, 3);
    await store.command(async (tx) => voidStart(tx, run, 3, millis(1)));
    assert.deepEqual(
      [await claim(store, run, 2), await claim(store, run, 3), await claim(store, run, 4)],
      [false, false, true],
    );
  });

  test('a void start has no verdict, is not counted, and its run waits again', async () => {
    const store = await backend.open();
    const run = await submit(store);
    await claim(store, run, 1);
    assert.equal(await store.command(async (tx) => voidStart(tx, run, 1, millis(9))), true);
    const told = await getRunWithStarts(store.read, run);
    assert.deepEqual([told?.run.state, told?.run.starts_count, told?.run.ordinary_used], ['queued', 0, 0]);
    assert.deepEqual([told?.starts[0]?.state, told?.starts[0]?.verdict], ['void', null]);
    assert.equal(await store.command(async (tx) => startRunning(tx, running(run, 1))), false);
    assert.equal(await end(store, run, 1), false);
  });

  test('a late success of a start that was declared lost changes nothing', async () => {
    const store = await backend.open();
    const run = await runningRun(store, { retries: 1 });
    await store.command(async (tx) => {
      await endStart(tx, endOfStart(run, 1, { verdict: 'lost', evidence: 'heartbeat' }));
      await requeueRun(tx, requeued(run, 1));
    });
    const before = await getRunWithStarts(store.read, run);
    assert.equal(await end(store, run, 1), false);
    assert.equal(await store.command(async (tx) => finishRun(tx, endOfRun(run, 1, { state: 'failed' }))), false);
    assert.deepEqual(await getRunWithStarts(store.read, run), before);

    await claim(store, run, 2);
    const second = await getRunWithStarts(store.read, run);
    assert.equal(await end(store, run, 1), false);
    assert.equal(await store.command(async (tx) => finishRun(tx, endOfRun(run, 1))), false);
    assert.equal(await store.command(async (tx) => startRunning(tx, running(run, 1))), false);
    assert.deepEqual(await getRunWithStarts(store.read, run), second);
  });

  test('an end that names another start than the run’s last changes nothing', async () => {
    const store = await backend.open();
    const run = await runningRun(store);
    await store.command(async (tx) => {
      await endStart(tx, endOfStart(run, 1));
      await requeueRun(tx, requeued(run, 1));
      await claimStart(tx, aClaim(run, 2));
      await endStart(tx, endOfStart(run, 2));
      for (const start of [1, 3]) {
        assert.equal(await finishRun(tx, endOfRun(run, start)), false);
        assert.equal(await requeueRun(tx, requeued(run, start)), false);
      }
      assert.equal(await finishRun(tx, endOfRun(run, 2)), true);
    });
  });

  test('a start that the run’s row no longer names is late, even if its own row says that it goes on', async () => {
    const store = await backend.open();
    const run = await runningRun(store);
    await store.command(async (tx) => tx.updateTable('runs').set({ current_start: 2 }).where('id', '=', run).execute());
    assert.equal(await end(store, run, 1), false);
    assert.equal((await activeStarts(store.read))[0]?.state, 'running');
  });

  test('nothing changes a run that is over', async () => {
    const store = await backend.open();
    const run = await runningRun(store);
    await store.command(async (tx) => {
      await endStart(tx, endOfStart(run, 1));
      await finishRun(tx, endOfRun(run, 1));
    });
    const before = await getRunWithStarts(store.read, run);
    const changes = await store.command(async (tx) => [
      await claimStart(tx, aClaim(run, 2)),
      await startRunning(tx, running(run, 1)),
      await endStart(tx, endOfStart(run, 1, { verdict: 'failed' })),
      await voidStart(tx, run, 1, millis(1)),
      await requeueRun(tx, requeued(run, 1)),
      await finishRun(tx, endOfRun(run, 1, { state: 'failed' })),
      await finishRun(tx, endOfRun(run, null, { state: 'killed' })),
      await setHeld(tx, run, 'why'),
      (await askKill(tx, { run, at: millis(1), by: 'me', now: true })).recorded,
    ]);
    assert.deepEqual(new Set(changes), new Set([false]));
    assert.deepEqual(await getRunWithStarts(store.read, run), before);
  });

  test('an illegal change is refused loudly and undone', async () => {
    const store = await backend.open();
    const run = await runningRun(store);
    const before = await getRunWithStarts(store.read, run);
    const illegal = [
      store.command(async (tx) => voidStart(tx, run, 1, millis(1))),
      store.command(async (tx) => finishRun(tx, endOfRun(run, 1))),
      store.command(async (tx) => requeueRun(tx, requeued(run, 1))),
      store.command(async (tx) => changeRunState(tx, { run, start: 1, to: 'starting' })),
    ];
    for (const change of illegal) await assert.rejects(change, IllegalTransition);
    const queued = await submit(store);
    await assert.rejects(
      store.command(async (tx) => finishRun(tx, endOfRun(queued, null))),
      IllegalTransition,
    );
    assert.deepEqual(await getRunWithStarts(store.read, run), before);
  });

  test('an unknown run or start is a late one', async () => {
    const store = await backend.open();
    const run = runId(99);
    assert.equal(await claim(store, run, 1), false);
    assert.equal(await end(store, run, 1), false);
    assert.equal(await store.command(async (tx) => finishRun(tx, endOfRun(run, null, { state: 'killed' }))), false);
    assert.equal(await getRun(store.read, run), null);
    assert.equal(await getRunWithStarts(store.read, run), null);
  });

  test('a retry counts against its own bound and never lowers a raise', async () => {
    const store = await backend.open();
    const run = await submit(store);
    const rounds = [
      { counts: 'oom', raised_bytes: bytes(300) },
      { counts: 'oom', raised_bytes: bytes(200) },
      { counts: 'ordinary', raised_bytes: null },
    ] as const;
    for (const [index, round] of rounds.entries()) {
      const start = index + 1;
      await claim(store, run, start);
      await store.command(async (tx) => {
        await endStart(tx, endOfStart(run, start, { verdict: 'out-of-memory' }));
        await requeueRun(tx, { ...requeued(run, start), ...round, not_before: millis(5000), held: 'tried again soon' });
      });
    }
    const row = await getRun(store.read, run);
    assert.deepEqual(
      [row?.oom_used, row?.ordinary_used, row?.raised_bytes, row?.not_before, row?.held, row?.starts_count],
      [2, 1, 300, 5000, 'tried again soon', 3],
    );
  });

  test('a run began with its first start, also where that was over before anyone stored that it ran', async () => {
    const store = await backend.open();
    const run = await submit(store);
    for (const [start, began] of [null, 6000, 7000].entries()) {
      await claim(store, run, start + 1);
      const started_at = began === null ? null : millis(began);
      await store.command(async (tx) => {
        await endStart(tx, endOfStart(run, start + 1, { verdict: 'failed' }));
        await requeueRun(tx, { ...requeued(run, start + 1), started_at });
      });
      assert.equal((await getRun(store.read, run))?.started_at, began === null ? null : 6000);
    }
  });

  test('a kill is recorded in every state that is not final, and keeps its first author', async () => {
    const store = await backend.open();
    const queued = await submit(store);
    const starting = await submit(store);
    await claim(store, starting, 1);
    const active = await runningRun(store);
    for (const [run, state] of [
      [queued, 'queued'],
      [starting, 'starting'],
      [active, 'running'],
    ] as const) {
      const ask = async (by: string, now: boolean) =>
        store.command(async (tx) => askKill(tx, { run, at: millis(by.length), by, now }));
      assert.deepEqual(await ask('ada', false), { recorded: true, state });
      assert.deepEqual(await ask('babbage', true), { recorded: true, state });
      const row = await getRun(store.read, run);
      assert.deepEqual([row?.kill_by, row?.kill_at, row?.kill_now], ['ada', 3, 1]);
    }
    assert.deepEqual(
      await store.command(async (tx) => askKill(tx, { run: runId(99), at: millis(1), by: 'x', now: false })),
      {
        recorded: false,
        state: null,
      },
    );
  });

  test('a run that somebody wants killed is never claimed', async () => {
    const store = await backend.open();
    const run = await submit(store);
    await store.command(async (tx) => askKill(tx, { run, at: millis(1), by: 'ada', now: false }));
    assert.equal(await claim(store, run, 1), false);
    assert.equal(await store.command(async (tx) => finishRun(tx, endOfRun(run, null, { state: 'killed' }))), true);
    assert.equal((await getRun(store.read, run))?.state, 'killed');
  });

  test('the reason for waiting is written only when it is another one', async () => {
    const store = await backend.open();
    const run = await submit(store);
    const set = async (reason: string | null) => store.command(async (tx) => setHeld(tx, run, reason));
    assert.deepEqual(
      [await set('a'), await set('a'), await set('b'), await set(null), await set(null)],
      [true, false, true, true, false],
    );
    await claim(store, run, 1);
    assert.equal(await set('a'), false, 'what runs does not wait');
  });

  test('only the owner can let go of a run', async () => {
    const store = await backend.open();
    const run = await submit(store, { owner: 'me' });
    const release = async (owner: string) => store.command(async (tx) => releaseOwner(tx, run, owner));
    assert.deepEqual([await release('you'), await release('me'), await release('me')], [false, true, false]);
    assert.equal((await getRun(store.read, run))?.owner, null);
  });

  test('a verdict’s text with a NUL byte is kept without it', async () => {
    const store = await backend.open();
    const run = await runningRun(store);
    await store.command(async (tx) => {
      await endStart(tx, endOfStart(run, 1, { text: 'it said \0' }));
      await finishRun(tx, endOfRun(run, 1, { text: 'it said \0' }));
    });
    const told = await getRunWithStarts(store.read, run);
    assert.deepEqual([told?.run.text, told?.starts[0]?.text], ['it said \uFFFD', 'it said \uFFFD']);
  });
};
