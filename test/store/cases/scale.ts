import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CompiledQuery, sql, type KyselyPlugin, type RootOperationNode, type Compilable } from 'kysely';
import { DirectAdapter } from '../../../src/store/direct.ts';
import { activeStarts } from '../../../src/store/active-runs.ts';
import { claimStart } from '../../../src/store/claim-start.ts';
import { endStart } from '../../../src/store/end-start.ts';
import { addEvent, eventsSince } from '../../../src/store/events.ts';
import { finishRun } from '../../../src/store/finish-run.ts';
import { getRunWithStarts } from '../../../src/store/get-run.ts';
import { insertRuns } from '../../../src/store/insert-runs.ts';
import { listRuns } from '../../../src/store/list-runs.ts';
import { pruneEvents } from '../../../src/store/prune-events.ts';
import { requeueRun } from '../../../src/store/requeue-run.ts';
import type { Db } from '../../../src/store/schema.ts';
import { setHeld } from '../../../src/store/set-held.ts';
import { startRunning } from '../../../src/store/start-running.ts';
import type { Store } from '../../../src/store/store.ts';
import { millis, runId } from '../../../src/units/brands.ts';
import type { Backend } from '../backend.ts';
import {
  allActive,
  askKill,
  aClaim,
  aRun,
  endOfRun,
  endOfStart,
  requeued,
  running,
  runningRun,
  submit,
} from '../samples.ts';

const finished = 200_000;

/** A store with many finished runs, each with a start and an event, and its statistics up to date. */
const crowded = async (backend: Backend): Promise<Store> => {
  const store = await backend.open();
  const numbers = `with recursive n (i) as (select 1 union all select i + 1 from n where i < ${finished})`;
  await store.command(async (tx) => {
    await sql
      .raw(
        `${numbers} insert into runs (id, pipeline_id, token, token_index, state, argv, cwd, umask, env_file, cpus_milli,
      retries, priority, stdin_kind, settings, submitted_at, ended_at, current_start)
      select i, 1, 'bulk', i, case when i % 1000 = 0 then 'lost' else 'succeeded' end, '["true"]', '/', 18, 0, 1000, 0, 0, 'null', '{}', i, i, 1 from n`,
      )
      .execute(tx);
    await sql
      .raw(
        `${numbers} insert into starts (run, start, uuid, state, cpus_milli, claimed_at, ended_at, stdout_path, stderr_path)
      select i, 1, 'u', 'ended', 1000, i, i, '/o', '/e' from n where i % 4 = 0`,
      )
      .execute(tx);
    await sql
      .raw(
        `${numbers} insert into events (id, run, at, kind, data) select i, i, i, 'ended', '{}' from n where i % 4 = 0`,
      )
      .execute(tx);
    await sql.raw(`update counters set last = ${finished}`).execute(tx);
    await sql.raw('analyze').execute(tx);
  });
  return store;
};

/** Hands over a handle that notes every query given through it. */
const listening = <Handle extends Db>(
  db: Handle,
  explain: string,
): { readonly handle: Handle; readonly plans: () => Promise<string[]> } => {
  const nodes: RootOperationNode[] = [];
  const kept: CompiledQuery[] = [];
  const plugin: KyselyPlugin = {
    transformQuery: ({ node }) => {
      nodes.push(node);
      return node;
    },
    transformResult: async ({ result }) => result,
  };
  const handle = db.withPlugin(plugin) as Handle;
  // Texts that are kept come past the plugin.
  const execute = handle.executeQuery.bind(handle);
  handle.executeQuery = <Row>(query: CompiledQuery<Row> | Compilable<Row>) => {
    if ('sql' in query) kept.push(query);
    return execute(query);
  };
  const { adapter } = handle.getExecutor();
  if (adapter instanceof DirectAdapter) {
    const { run } = adapter;
    adapter.run = (query) => {
      kept.push(query);
      return run(query);
    };
  }
  return {
    handle,
    plans: async () => {
      const plans: string[] = [];
      const compiled = nodes.map((node) => db.getExecutor().compileQuery(node, { queryId: 'plan' }));
      for (const { sql: text, parameters, query } of [...compiled, ...kept]) {
        // Neither what is no query, nor a text when it was made to be kept.
        if (query.kind === 'RawNode' || parameters.some((one) => typeof one === 'object' && one !== null)) continue;
        const { rows } = await db.executeQuery(CompiledQuery.raw(`${explain} ${text}`, [...parameters]));
        plans.push(`${text}\n${rows.map((row) => JSON.stringify(row)).join('\n')}`);
      }
      return plans;
    },
  };
};

/** Whether a plan reads a crowded table from end to end, in the words of either engine. */
const readsAll = (plan: string): boolean => {
  if (/Seq Scan on (runs|starts|events)/.test(plan)) return true;
  // SQLite also says SCAN of a walk along an index, or along the ids until its limit is reached.
  const walksToLimit = / desc limit /.test(plan) && !plan.includes('TEMP B-TREE');
  return !walksToLimit && /"SCAN (runs|starts|events|old)(?! USING (COVERING )?INDEX runs_active)/.test(plan);
};

export const scaleCases = (backend: Backend): void => {
  test('however many runs have finished, no query of a start’s way reads them', async () => {
    const store = await crowded(backend);
    const explain = store.kind === 'embedded' ? 'explain query plan' : 'explain';
    const queued = await submit(store);
    const active = await runningRun(store);

    const reading = listening(store.read, explain);
    assert.deepEqual(await allActive(reading.handle), [queued, active]);
    assert.match((await reading.plans())[0] ?? '', /runs_active/);
    assert.deepEqual(
      (await activeStarts(reading.handle)).map((start) => start.run),
      [active],
    );
    await getRunWithStarts(reading.handle, active);
    await listRuns(reading.handle, { limit: 20 });
    assert.equal((await listRuns(reading.handle, { limit: 20, states: ['lost', 'running'] })).length, 20);
    await eventsSince(reading.handle, finished - 5, 10);
    const plans = await reading.plans();

    await store.command(async (tx) => {
      const writing = listening(tx, explain);
      const db = writing.handle;
      const [run = runId(0)] = (await insertRuns(db, { token: 'new', runs: [aRun()] })).ids;
      await setHeld(db, run, 'why');
      await claimStart(db, aClaim(run, 1));
      await startRunning(db, running(run, 1));
      await endStart(db, endOfStart(run, 1));
      await requeueRun(db, requeued(run, 1));
      await claimStart(db, aClaim(run, 2));
      await askKill(db, { run, at: millis(1), by: 'me', now: true });
      await endStart(db, endOfStart(run, 2));
      assert.equal(await finishRun(db, endOfRun(run, 2)), true);
      await addEvent(db, { run, at: millis(1), kind: 'k', data: {} });
      await pruneEvents(db, millis(100));
      plans.push(...(await writing.plans()));
    });
    assert.ok(plans.length > 25);
    for (const plan of plans) assert.ok(!readsAll(plan), plan);

    const careless = listening(store.read, explain);
    await careless.handle.selectFrom('runs').selectAll().where('cwd', '=', 'nowhere').execute();
    await careless.handle.selectFrom('runs').selectAll().orderBy('submitted_at', 'desc').limit(1).execute();
    for (const plan of await careless.plans())
      assert.ok(readsAll(plan), `this check misses a query that reads all: ${plan}`);
  });
};
