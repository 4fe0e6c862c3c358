import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { noEvidence } from '../../src/evidence/evidence.ts';
import { verdict, type Judgement } from '../../src/evidence/verdict.ts';
import { parseExit } from '../../src/keeper/records.ts';
import { StartFolders } from '../../src/scheduler/start-folders.ts';
import { withoutKeeper } from './support/binary.ts';
import { Resident, type Started, type StartOptions } from './support/resident.ts';

/** The folder of a cgroup that the test made: its counts, and where a child would enter it. */
const cgroupWith = (resident: Resident, events: string | null): string => {
  const folder = join(resident.dir, `cgroup-${readdirSync(resident.dir).length}`);
  mkdirSync(folder);
  writeFileSync(join(folder, 'cgroup.procs'), '');
  if (events !== null) writeFileSync(join(folder, 'memory.events'), events);
  return folder;
};

/** What is concluded from the record in a start's folder, and from nothing besides. */
const judged = (started: Started): Judgement => {
  const { value, why } = parseExit(readFileSync(join(started.folder, 'exit'), 'utf8'));
  assert.equal(why, null);
  return verdict({ ...noEvidence, exit: value });
};

/** Ends by SIGKILL, or as the last words say, once the counter that it shares with others has come to be `after`. */
const sharing = async (
  resident: Resident,
  [before, after]: readonly [string | null, string | null],
  end = 'kill -9 $$',
  options: StartOptions = {},
): Promise<Judgement> => {
  const file = join(cgroupWith(resident, before), 'memory.events');
  const move = after === null ? 'rm -f "$FILE"' : 'printf %s "$AFTER" >"$FILE"';
  const env = { FILE: file, AFTER: after ?? '', ...options.env };
  const keys = [['shared', file] as const, ...(options.keys ?? [])];
  const started = resident.sh(`${move}; ${end}`, { env, keys });
  await resident.exitRecord(started);
  return judged(started);
};

/** The same with a cgroup of its own, whose counts begin at 0 with it. */
const inOwn = async (resident: Resident, events: string, end = 'kill -9 $$'): Promise<Judgement> => {
  const cgroup = cgroupWith(resident, null);
  const env = { FILE: join(cgroup, 'memory.events'), EVENTS: events };
  const started = resident.sh(`printf %s "$EVENTS" >"$FILE"; ${end}`, { env, keys: [['cgroup', cgroup]] });
  await resident.exitRecord(started);
  return judged(started);
};

const said = ({ verdict: name, evidence }: Judgement): unknown[] => [name, evidence];
const reported = ['out-of-memory', 'shared-counter'];
const none = ['failed', null];
const old = 'low 0\nhigh 0\nmax 0\noom 4\noom_kill 4\n';

describe('what a keeper reads of a death, and what is concluded from it', { skip: withoutKeeper() }, () => {
  test('a risen count of kills is a death for memory: of the shared counter reported, of the own cgroup proved', async () => {
    await using resident = new Resident();
    const risen = 'low 0\nhigh 0\nmax 3\noom 1\noom_kill 1\n';
    const shared = await sharing(resident, ['oom 0\noom_kill 0\n', risen]);
    assert.deepEqual([said(shared), shared.proven, shared.raises], [reported, false, false]);
    const own = await inOwn(resident, risen);
    assert.deepEqual([said(own), own.proven, own.raises], [['out-of-memory', 'own-cgroup'], true, true]);
  });

  test('counts of no kill say that there was none', async () => {
    await using resident = new Resident();
    const zero = 'low 0\nhigh 0\nmax 0\noom 0\noom_kill 0\n';
    const shared = await sharing(resident, [zero, zero]);
    assert.deepEqual(said(shared), none);
    assert.match(shared.text, /did not rise/);
    assert.deepEqual(said(await inOwn(resident, zero)), none);
  });

  test('a limit that was reached and killed nothing is no evidence', async () => {
    await using resident = new Resident();
    const reached = 'low 0\nhigh 0\nmax 5\noom 2\noom_kill 0\noom_group_kill 0\n';
    assert.deepEqual(said(await sharing(resident, ['oom 0\noom_kill 0\n', reached])), none);
    assert.deepEqual(said(await inOwn(resident, reached)), none);
  });

  test('without a file there is no evidence, and that is said', async () => {
    await using resident = new Resident();
    const judgement = await sharing(resident, [null, null]);
    assert.deepEqual(said(judgement), none);
    assert.match(judgement.text, /orca could not tell/);
  });

  test('a file that was not there before, or is not there any more, is no evidence', async () => {
    await using resident = new Resident();
    for (const counts of [
      [null, old],
      [old, null],
    ] as const) {
      const judgement = await sharing(resident, counts);
      assert.deepEqual(said(judgement), none, counts.join());
      assert.match(judgement.text, /orca could not tell/);
    }
  });

  test('a count that is no number is no evidence, and oom_group_kill is another count', async () => {
    await using resident = new Resident();
    for (const bad of ['oom what\noom_kill later\n', 'oom 1\noom_group_kill 7\n', '']) {
      assert.deepEqual(said(await sharing(resident, [bad, old])), none, bad);
      assert.deepEqual(said(await sharing(resident, [old, bad])), none, bad);
      assert.deepEqual(said(await inOwn(resident, bad)), none, bad);
    }
  });

  test('a count from before the start is no evidence, a rise over it is one, a fall is none', async () => {
    await using resident = new Resident();
    const count = (kills: number): string => `low 0\nhigh 0\nmax 0\noom 0\noom_kill ${kills}\n`;
    assert.deepEqual(said(await sharing(resident, [count(4), count(4)])), none);
    assert.deepEqual(said(await sharing(resident, [count(3), count(4)])), reported);
    assert.deepEqual(said(await sharing(resident, [count(5), count(4)])), none);
  });

  test('a rise above 2^53 is seen', async () => {
    await using resident = new Resident();
    const counts = ['oom_kill 9007199254740992\n', 'oom_kill 9007199254740993\n'] as const;
    assert.deepEqual(said(await sharing(resident, counts)), reported);
  });

  test('what was read is in the record: it is known when the folder of the counter is gone', async () => {
    await using resident = new Resident();
    const cgroup = cgroupWith(resident, 'oom 0\noom_kill 0\n');
    const file = join(cgroup, 'memory.events');
    const started = resident.sh(`echo 'oom_kill 1' >'${file}'; kill -9 $$`, { keys: [['shared', file]] });
    await resident.exitRecord(started);
    rmSync(cgroup, { recursive: true });
    assert.deepEqual(said(judged(started)), reported);
  });

  test("the own counts come before the shared counter, which rises by other programs' deaths too", async () => {
    await using resident = new Resident();
    const own = cgroupWith(resident, 'oom 0\noom_kill 0\n');
    const judgement = await sharing(resident, ['oom_kill 0\n', 'oom_kill 1\n'], 'kill -9 $$', {
      keys: [['cgroup', own]],
    });
    assert.deepEqual(said(judgement), none);
    assert.match(judgement.text, /its own cgroup counted no such kill/);
  });

  test('with the shared counter risen only SIGKILL and its 137 are reported; with the own one any end but 0', async () => {
    await using resident = new Resident();
    const rise = ['oom_kill 0\n', 'oom_kill 1\n'] as const;
    for (const end of ['kill -TERM $$', 'kill -SEGV $$', 'exit 1', 'exit 143']) {
      assert.deepEqual(said(await sharing(resident, rise, end)), none, end);
      assert.deepEqual(said(await inOwn(resident, 'oom 1\noom_kill 1\n', end)), ['out-of-memory', 'own-cgroup'], end);
    }
    assert.deepEqual(said(await sharing(resident, rise, 'exit 137')), reported);
    assert.deepEqual(said(await sharing(resident, rise, 'exit 0')), ['succeeded', null]);
  });

  test("a person's mark wins over a risen counter, and says nothing about the next start in the same folder", async () => {
    await using resident = new Resident();
    const cgroup = cgroupWith(resident, null);
    const events = join(cgroup, 'memory.events');
    const options = (start: number): StartOptions => ({ start, keys: [['cgroup', cgroup]] });
    const first = resident.sh(`printf 'oom 1\\noom_kill 1\\n' >'${events}'; echo up; sleep 60`, options(1));
    await resident.said(first, 'up');
    assert.equal(resident.ctl(first, 'kill user orca kill by ada'), 'done');
    await resident.ended(first);
    assert.deepEqual(said(judged(first)), ['killed', 'user-kill']);
    assert.ok(existsSync(join(first.folder, 'marks')));

    const folders = new StartFolders(join(resident.dir, 'starts'), join(resident.dir, 'spares'));
    mkdirSync(join(resident.dir, 'spares'), { recursive: true });
    folders.recycle(first.folder);
    const folder = join(resident.dir, 'starts/2.1');
    assert.equal(folders.make(2, 1), folder);
    // Room for the next one's records, which says nothing.
    const room = readdirSync(folder);
    assert.deepEqual(
      room.filter((name) => !name.endsWith('.tmp')),
      [],
    );
    for (const name of room)
      assert.ok(
        readFileSync(join(folder, name)).every((byte) => byte === 0),
        name,
      );
    const next = resident.sh('kill -9 $$', options(1));
    await resident.exitRecord(next);
    assert.deepEqual(said(judged(next)), ['out-of-memory', 'own-cgroup']);
  });
});
