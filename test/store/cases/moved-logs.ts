import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { cutLog } from '../../../src/logs/cut-log.ts';
import { ObjectFailure } from '../../../src/objects/object-failure.ts';
import type { ObjectStorage } from '../../../src/objects/object-storage.ts';
import { keepLogs, LogKeeping } from '../../../src/scheduler/keep-logs.ts';
import { LogMoving } from '../../../src/scheduler/log-moving.ts';
import { moveRun } from '../../../src/scheduler/move-run.ts';
import { whereLogIs } from '../../../src/scheduler/moved-logs.ts';
import { removeObjects } from '../../../src/scheduler/remove-objects.ts';
import type { Scheduler } from '../../../src/scheduler/scheduler.ts';
import { shrinkLogs } from '../../../src/scheduler/shrink-logs.ts';
import { stageFile } from '../../../src/scheduler/staged-logs.ts';
import { logFiles, logFolder, stateFolder } from '../../../src/scheduler/state-folder.ts';
import { settingsOf } from '../../../src/settings/load-settings.ts';
import { claimStart } from '../../../src/store/claim-start.ts';
import { endStart } from '../../../src/store/end-start.ts';
import { finishRun } from '../../../src/store/finish-run.ts';
import { startsOf } from '../../../src/store/get-run.ts';
import { movedLogsOf } from '../../../src/store/json-columns.ts';
import { runsElsewhere, runsToMove } from '../../../src/store/moved-logs.ts';
import { requeueRun } from '../../../src/store/requeue-run.ts';
import type { StartRow } from '../../../src/store/schema.ts';
import type { Store } from '../../../src/store/store.ts';
import { bytes, millis, type RunId } from '../../../src/units/brands.ts';
import type { Backend } from '../backend.ts';
import { aClaim, endOfRun, endOfStart, requeued, submit } from '../samples.ts';

const { signal } = new AbortController();

/** A storage in memory. */
class Objects {
  readonly held = new Map<string, string>();
  /** Called with each file before it is there. */
  before: (file: string) => void = () => {};

  readonly storage = {
    upload: async (key: string, file: string) => {
      this.before(file);
      const content = readFileSync(file, 'utf8');
      this.held.set(key, content);
      return content.length;
    },
    putNew: async (key: string, body: Uint8Array) => {
      this.held.set(key, Buffer.from(body).toString());
      return true;
    },
    list: async (prefix: string) =>
      [...this.held].filter(([key]) => key.startsWith(prefix)).map(([key, { length }]) => ({ key, bytes: length })),
    remove: async (key: string) => {
      this.held.delete(key);
    },
    read: async (key: string) => {
      const content = this.held.get(key);
      if (content === undefined) throw new ObjectFailure('there is no such object', { absent: true });
      return Buffer.from(content);
    },
  } as unknown as { -readonly [Part in keyof ObjectStorage]: ObjectStorage[Part] };

  /** But for the one that says whose they are. */
  get logs(): Record<string, string> {
    return Object.fromEntries([...this.held].filter(([key]) => key !== 'p/.orca'));
  }
}

/** As much of a scheduler as moves logs. */
const aScheduler = (t: TestContext, store: Store, objects: Objects): Scheduler => {
  const folder = mkdtempSync(join(tmpdir(), 'orca-move-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const logMoving = Object.assign(new LogMoving({ bucket: 'bucket', prefix: 'p' }), { storage: () => objects.storage });
  logMoving.storeId = 'this store';
  return {
    store,
    state: stateFolder(folder, join(folder, 'logs')),
    settings: settingsOf({ HOME: folder, ORCA_HOME: folder, ORCA_LOG_STAGE: join(folder, 'stage') }),
    env: {},
    logMoving,
    logKeeping: new LogKeeping(),
    host: { now: () => millis(1e9), timers: { set: () => () => {} } },
    log: { error: () => {}, info: () => {} },
  } as unknown as Scheduler;
};

const write = (scheduler: Scheduler, run: RunId, start: number, stdout: string, stderr = ''): void => {
  const files = logFiles(scheduler.state, run, start);
  mkdirSync(logFolder(scheduler.state, run), { recursive: true });
  writeFileSync(files.stdout, stdout);
  writeFileSync(files.stderr, stderr);
};

const claim = async (
  { store, state }: Scheduler,
  run: RunId,
  start: number,
  to: string | null = `s3://bucket/p/_command/${run}`,
) => {
  const files = logFiles(state, run, start);
  const paths = { stdout_path: files.stdout, stderr_path: files.stderr, logs_to: to };
  await store.command((tx) => claimStart(tx, aClaim(run, start, paths)));
};

const end = ({ store }: Scheduler, run: RunId, start: number): Promise<boolean> =>
  store.command((tx) => endStart(tx, endOfStart(run, start)));
const finish = ({ store }: Scheduler, run: RunId, start: number): Promise<boolean> =>
  store.command((tx) => finishRun(tx, endOfRun(run, start)));

/** A run that is over, and wrote this. */
const over = async (scheduler: Scheduler, stdout: string, stderr = ''): Promise<RunId> => {
  const run = await submit(scheduler.store);
  await claim(scheduler, run, 1);
  write(scheduler, run, 1, stdout, stderr);
  await end(scheduler, run, 1);
  await finish(scheduler, run, 1);
  return run;
};

const firstStart = async ({ store }: Scheduler, run: RunId): Promise<StartRow> => {
  const [start] = await startsOf(store.read, run);
  assert.ok(start !== undefined);
  return start;
};

/** Whether anything was sent. Throws what went wrong first. */
const move = async (scheduler: Scheduler, run: RunId, to = signal): Promise<boolean> => {
  const { sent, failures } = await moveRun(scheduler, run, to);
  if (failures[0] !== undefined) throw new Error(failures[0].why);
  return sent.size > 0;
};

export const movedLogCases = (backend: Backend): void => {
  test('logs of a run that is over are moved, the store knows it, and then the files go', async (t) => {
    const objects = new Objects();
    const store = await backend.open();
    const scheduler = aScheduler(t, store, objects);
    const run = await over(scheduler, 'out\n');
    const file = logFiles(scheduler.state, run, 1).stdout;
    assert.deepEqual(await runsToMove(store.read, null, 9), [run]);
    assert.equal(whereLogIs(await firstStart(scheduler, run), 'stdout'), file);
    assert.equal(await move(scheduler, run, signal), true);
    assert.deepEqual(objects.logs, { [`p/_command/${run}/1.stdout`]: 'out\n' });
    const start = await firstStart(scheduler, run);
    assert.deepEqual(movedLogsOf(start.moved_logs), {
      stdout: { bytes: 4, gone: null, times: false },
      stderr: { bytes: 0, gone: null, times: false },
    });
    assert.equal(whereLogIs(start, 'stdout'), `s3://bucket/p/_command/${run}/1.stdout`);
    assert.equal(existsSync(logFolder(scheduler.state, run)), false);
    assert.deepEqual(await runsToMove(store.read, null, 9), []);
    assert.equal(await move(scheduler, run, signal), false, 'once is enough');
  });

  test('a run that wrote nothing is no request at all', async (t) => {
    const objects = new Objects();
    const scheduler = aScheduler(t, await backend.open(), objects);
    const run = await over(scheduler, '');
    assert.equal(await move(scheduler, run, signal), false);
    assert.equal(objects.held.size, 0);
    assert.equal(existsSync(logFolder(scheduler.state, run)), false);
  });

  test('an upload that fails leaves the file, and the row as it was', async (t) => {
    const objects = new Objects();
    const scheduler = aScheduler(t, await backend.open(), objects);
    const run = await over(scheduler, 'out\n', 'err\n');
    objects.before = (file) => {
      if (file.endsWith('stderr')) throw new ObjectFailure('away');
    };
    await assert.rejects(move(scheduler, run, signal), /away/);
    assert.equal((await firstStart(scheduler, run)).moved_logs, null);
    assert.equal(readFileSync(logFiles(scheduler.state, run, 1).stdout, 'utf8'), 'out\n');
    objects.before = () => {};
    await move(scheduler, run, signal);
    assert.deepEqual(Object.values(objects.logs), ['out\n', 'err\n']);
  });

  test('a start that cannot go to its place keeps no other of its run from another place, and is tried when that is its turn', async (t) => {
    const objects = new Objects();
    const store = await backend.open();
    const scheduler = aScheduler(t, store, objects);
    const run = await submit(store, { retries: 1 });
    await claim(scheduler, run, 1, `s3://bucket/away/_command/${run}`);
    write(scheduler, run, 1, 'first\n');
    await end(scheduler, run, 1);
    await store.command((tx) => requeueRun(tx, requeued(run, 1)));
    await claim(scheduler, run, 2);
    write(scheduler, run, 2, 'second\n');
    await end(scheduler, run, 2);
    await finish(scheduler, run, 2);
    const { holds } = scheduler.logMoving;
    objects.before = (file) => {
      if (file.endsWith('1.stdout')) throw new ObjectFailure('away');
    };
    const outcome = await moveRun(scheduler, run, signal);
    assert.deepEqual(outcome.failures, [{ to: 's3://bucket/away', isAway: true, why: 'away' }]);
    assert.deepEqual([...outcome.sent], ['s3://bucket/p']);
    assert.deepEqual(objects.held.get(`p/_command/${run}/2.stdout`), 'second\n');
    assert.equal(existsSync(logFiles(scheduler.state, run, 2).stdout), false);
    const { again } = holds.settle(run, outcome, millis(1));
    objects.before = () => {};
    const left = await moveRun(scheduler, run, signal);
    assert.deepEqual([[...left.sent], left.failures, [...left.away]], [[], [], ['s3://bucket/away']]);
    assert.equal(again[0] === undefined ? null : holds.take(again[0]), run);
    assert.deepEqual([...(await moveRun(scheduler, run, signal)).sent], ['s3://bucket/away']);
    assert.equal(existsSync(logFolder(scheduler.state, run)), false);
  });

  test('a log is cut by one at a time: what is moved waits until what is done to its run’s logs is over', async (t) => {
    const objects = new Objects();
    const scheduler = aScheduler(t, await backend.open(), objects);
    const settings = settingsOf({
      HOME: scheduler.state.folder,
      ORCA_HOME: scheduler.state.folder,
      ORCA_LOG_MAX_MB: '1',
    });
    const log = 'line\n'.repeat(600_000);
    const run = await over(scheduler, log);
    const file = logFiles(scheduler.state, run, 1).stdout;
    const cut = Promise.withResolvers<void>();
    const keeping = scheduler.logKeeping.inTurn(run, () => cut.promise.then(() => cutLog(file, 1048576)));
    const moving = moveRun({ ...scheduler, settings }, run, signal);
    let isOver = false;
    void moving.finally(() => (isOver = true));
    while (!isOver && scheduler.logKeeping.going.get(run) === keeping) await setImmediate();
    assert.equal(readFileSync(file, 'utf8') === log, true, 'not before it is its turn');
    cut.resolve();
    await keeping;
    assert.deepEqual((await moving).failures, []);
    const sent = objects.logs[`p/_command/${run}/1.stdout`] ?? '';
    const [head, tail] = sent.split(/^orca: .* are not kept here, .*\n/m);
    assert.ok(sent.length <= 1048576 && sent.length > 1_000_000, String(sent.length));
    assert.match(`${head}${tail}`, /^(line\n)+$/);
  });

  test('what a person takes into its log by hand, since its values are lost, is moved by and by', async (t) => {
    const base = aScheduler(t, await backend.open(), new Objects());
    const timers: { ms: number; act: () => void }[] = [];
    const set = (ms: number, act: () => void) => {
      timers.push({ ms, act });
      return () => {};
    };
    const host = { now: () => millis(1e9), timers: { set } };
    const scheduler = { ...base, host, masks: new Map(), keptSecrets: new Map() } as unknown as Scheduler;
    const run = await over(scheduler, '');
    const stage = stageFile(scheduler, run, 1, 'stdout');
    mkdirSync(join(scheduler.state.folder, 'stage'));
    writeFileSync(stage, 'it is correct horse\n');
    const logs = logFiles(scheduler.state, run, 1);
    keepLogs(scheduler, { id: run, secrets: { DB: 'file:/nowhere' }, settings: {} }, { start: 1, logs });
    await scheduler.logKeeping.going.get(run);
    assert.equal(scheduler.logKeeping.failed.size, 1);
    rmSync(stage);
    writeFileSync(logs.stdout, 'it is ***\n');
    const { act } = timers.find(({ ms }) => ms === 300_000) ?? assert.fail('it is not looked at again');
    act();
    assert.deepEqual([...scheduler.logMoving.waiting.keys()], [run]);
    assert.equal(scheduler.logKeeping.failed.size, 0);
  });

  test('what wrote nothing asks nothing of a place that is away', async (t) => {
    const objects = new Objects();
    const scheduler = aScheduler(t, await backend.open(), objects);
    const [loud, quiet] = [await over(scheduler, 'x'), await over(scheduler, '')];
    const failures = [{ to: 's3://bucket/p', isAway: true, why: 'away' }];
    scheduler.logMoving.holds.settle(loud, { sent: new Set(), failures, away: new Set() }, millis(1));
    assert.equal((await moveRun(scheduler, quiet, signal)).away.size, 0);
    assert.equal(existsSync(logFolder(scheduler.state, quiet)), false);
  });

  test('a store that cannot be written leaves the file', async (t) => {
    const objects = new Objects();
    const store = await backend.open();
    const scheduler = aScheduler(t, store, objects);
    const run = await over(scheduler, 'out\n');
    const broken = { ...scheduler, store: { read: store.read, command: () => Promise.reject(new Error('full')) } };
    await assert.rejects(move(broken as unknown as Scheduler, run, signal), /full/);
    assert.equal(readFileSync(logFiles(scheduler.state, run, 1).stdout, 'utf8'), 'out\n');
  });

  test('what is written to a log after it was sent is not deleted', async (t) => {
    const objects = new Objects();
    const store = await backend.open();
    const scheduler = aScheduler(t, store, objects);
    const run = await over(scheduler, 'out\n');
    const file = logFiles(scheduler.state, run, 1).stdout;
    const late = {
      ...scheduler,
      store: {
        read: store.read,
        command: (...args: Parameters<Store['command']>) => {
          writeFileSync(file, 'out\nlate\n');
          return store.command(...args);
        },
      },
    };
    await assert.rejects(move(late as unknown as Scheduler, run, signal), /was written to after its start was over/);
    await move(scheduler, run, signal);
    assert.deepEqual(Object.values(objects.logs), ['out\nlate\n']);
  });

  test('a file that is shorter than what was moved replaces nothing', async (t) => {
    const objects = new Objects();
    const scheduler = aScheduler(t, await backend.open(), objects);
    const run = await over(scheduler, 'out\n');
    await move(scheduler, run, signal);
    write(scheduler, run, 1, 'o');
    await assert.rejects(move(scheduler, run, signal), /is shorter than what was moved/);
    assert.deepEqual(Object.values(objects.logs), ['out\n']);
  });

  test('of a run that goes on the starts that are over are moved, and the rest when it is over', async (t) => {
    const objects = new Objects();
    const store = await backend.open();
    const scheduler = aScheduler(t, store, objects);
    const run = await submit(store, { retries: 1 });
    await claim(scheduler, run, 1);
    write(scheduler, run, 1, 'first\n');
    writeFileSync(join(logFolder(scheduler.state, run), 'driver.log'), 'first\n');
    await end(scheduler, run, 1);
    await store.command((tx) => requeueRun(tx, requeued(run, 1)));
    await move(scheduler, run, signal);
    assert.deepEqual(Object.keys(objects.logs), [`p/_command/${run}/1.stdout`]);
    assert.equal(existsSync(logFiles(scheduler.state, run, 1).stdout), false);
    await claim(scheduler, run, 2);
    write(scheduler, run, 2, 'second\n');
    await move(scheduler, run, signal);
    assert.equal(existsSync(logFiles(scheduler.state, run, 2).stdout), true, 'it is not over');
    await end(scheduler, run, 2);
    await finish(scheduler, run, 2);
    await move(scheduler, run, signal);
    assert.deepEqual(
      Object.keys(objects.logs).sort(),
      ['1.stdout', '2.stdout', 'driver.log'].map((name) => `p/_command/${run}/${name}`),
    );
    assert.equal(existsSync(logFolder(scheduler.state, run)), false);
  });

  test('a start with something in the stage, or with logs that stay, is not touched, and keeps its folder', async (t) => {
    const objects = new Objects();
    const store = await backend.open();
    const scheduler = aScheduler(t, store, objects);
    const staged = await over(scheduler, 'masked so far\n');
    const stage = stageFile(scheduler, staged, 1, 'stderr');
    mkdirSync(join(scheduler.state.folder, 'stage'));
    writeFileSync(stage, 'not masked\n');
    const stays = await submit(store, { retries: 1 });
    await claim(scheduler, stays, 1, null);
    write(scheduler, stays, 1, 'here\n');
    await end(scheduler, stays, 1);
    await store.command((tx) => requeueRun(tx, requeued(stays, 1)));
    await claim(scheduler, stays, 2);
    write(scheduler, stays, 2, 'there\n');
    await end(scheduler, stays, 2);
    await finish(scheduler, stays, 2);
    for (const run of [staged, stays]) await move(scheduler, run, signal);
    assert.deepEqual(Object.keys(objects.logs), [`p/_command/${stays}/2.stdout`]);
    assert.equal(readFileSync(logFiles(scheduler.state, stays, 1).stdout, 'utf8'), 'here\n');
    assert.equal(existsSync(logFiles(scheduler.state, staged, 1).stdout), true);
    rmSync(stage);
    writeFileSync(`${stage}.kept`, '');
    await move(scheduler, staged, signal);
    assert.equal(existsSync(logFiles(scheduler.state, staged, 1).stdout), true, 'its driver.log is not whole');
    rmSync(`${stage}.kept`);
    await move(scheduler, staged, signal);
    assert.equal(objects.logs[`p/_command/${staged}/1.stdout`], 'masked so far\n');
  });

  test('nothing is moved to a place that another store uses', async (t) => {
    const objects = new Objects();
    const scheduler = aScheduler(t, await backend.open(), objects);
    objects.held.set('p/.orca', '{"store":"another","host":"h","state":"/s"}');
    const run = await over(scheduler, 'out\n');
    await assert.rejects(move(scheduler, run, signal), /s3:\/\/bucket\/p is another orca's \(\/s on h\)/);
    assert.deepEqual(objects.logs, {});
    objects.held.set('p/.orca', 'nobody can read that');
    await assert.rejects(move(scheduler, run, signal), /is another orca's/);
  });

  test('a record of what was moved that is damaged is replaced by none', async (t) => {
    const objects = new Objects();
    const store = await backend.open();
    const scheduler = aScheduler(t, store, objects);
    const run = await over(scheduler, 'out\n');
    await move(scheduler, run, signal);
    for (const damaged of ['{', '{"stdout":{"bytes":-1}}', '[]']) {
      await store.command((tx) =>
        tx.updateTable('starts').set({ moved_logs: damaged }).where('run', '=', run).execute(),
      );
      await move(scheduler, run, signal);
      assert.equal((await firstStart(scheduler, run)).moved_logs, damaged);
    }
    assert.deepEqual(Object.values(objects.logs), ['out\n']);
  });

  test('all objects of a run are deleted, and those of no other', async (t) => {
    const objects = new Objects();
    const scheduler = aScheduler(t, await backend.open(), objects);
    const run = await over(scheduler, 'out\n');
    await move(scheduler, run, signal);
    objects.held.set(`p/_command/${run}/left/by.somebody`, 'x');
    objects.held.set(`p/_command/${run}0/1.stdout`, 'of another');
    await removeObjects(scheduler, run);
    assert.deepEqual(Object.values(objects.logs), ['of another']);
  });

  test('what another store has at a run’s place is not deleted with the run', async (t) => {
    const objects = new Objects();
    const scheduler = aScheduler(t, await backend.open(), objects);
    objects.held.set('p/.orca', '{"store":"another","host":"h","state":"/s"}');
    const run = await over(scheduler, 'out\n');
    objects.held.set(`p/_command/${run}/1.stdout`, 'of the other store');
    await removeObjects(scheduler, run);
    scheduler.logMoving.storeId = null;
    await assert.rejects(removeObjects(scheduler, run), /not known yet which store/);
    assert.deepEqual(Object.values(objects.logs), ['of the other store']);
  });

  test('what waits of a run whose objects cannot be deleted waits on, and a storage that is away is not asked for each', async (t) => {
    const objects = new Objects();
    const scheduler = aScheduler(t, await backend.open(), objects);
    const runs = [await over(scheduler, 'one\n'), await over(scheduler, 'two\n')];
    let asked = 0;
    objects.storage.list = async () => {
      asked += 1;
      throw new ObjectFailure('away');
    };
    for (const run of runs) await assert.rejects(removeObjects(scheduler, run), /away/);
    assert.equal(asked, 1);
    assert.deepEqual([...scheduler.logMoving.waiting.keys()], runs);
  });

  test('logs that wait to be moved are not deleted for room, and others are told from them', async (t) => {
    const store = await backend.open();
    const scheduler = aScheduler(t, store, new Objects());
    const run = await over(scheduler, 'x'.repeat(1000));
    const other = await submit(store);
    assert.deepEqual(await runsElsewhere(store.read, [run, other]), new Set([run]));
    assert.equal((await shrinkLogs(scheduler, bytes(1), false)).logs, 0);
    assert.equal(existsSync(logFiles(scheduler.state, run, 1).stdout), true);
  });

  test('runs of which something is to be moved are found page by page', async (t) => {
    const store = await backend.open();
    const scheduler = aScheduler(t, store, new Objects());
    const runs: RunId[] = [];
    for (let at = 0; at < 3; at += 1) runs.push(await over(scheduler, 'x'));
    assert.deepEqual(await runsToMove(store.read, null, 2), runs.slice(0, 2));
    assert.deepEqual(await runsToMove(store.read, runs[1] ?? null, 2), runs.slice(2));
  });
};
