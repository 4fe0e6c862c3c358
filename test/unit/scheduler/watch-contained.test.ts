import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ContainedWatch, type Contained } from '../../../src/scheduler/watch-contained.ts';

const mb = 1024 ** 2;
const events = (high: number, oomKill = 0): string => `low 0\nhigh ${high}\nmax 0\noom 0\noom_kill ${oomKill}\n`;
const pressure = (some: number, full: number): string => `some avg10=${some} total=0\nfull avg10=${full} total=0\n`;

/** Cgroups as files that count how often they are read, and watches that can be told of, refused and counted. */
class Machine {
  readonly files = new Map<string, string>();
  readonly watches = new Map<string, () => void>();
  reads = 0;
  refuses = false;
  readonly watch = new ContainedWatch(
    {
      read: (file) => {
        this.reads += 1;
        return this.files.get(file) ?? null;
      },
    },
    (file, changed) => {
      if (this.refuses) return null;
      this.watches.set(file, changed);
      return () => void this.watches.delete(file);
    },
  );

  set(name: string, values: { current?: number; events?: string; pressure?: string }): Contained {
    const cgroup = `/c/${name}`;
    if (values.current !== undefined) this.files.set(`${cgroup}/memory.current`, `${values.current}\n`);
    if (values.events !== undefined) this.files.set(`${cgroup}/memory.events`, values.events);
    if (values.pressure !== undefined) this.files.set(`${cgroup}/memory.pressure`, values.pressure);
    return { uuid: name, cgroup, limitBytes: 100 * mb };
  }

  /** As the kernel tells: the watch is over then. */
  tell(name: string): void {
    const file = `/c/${name}/memory.events`;
    const changed = this.watches.get(file);
    this.watches.delete(file);
    changed?.();
  }

  /** How many files a tick reads. */
  tick(starts: readonly Contained[], nowMs: number): number {
    this.reads = 0;
    this.watch.looks(starts, nowMs);
    return this.reads;
  }
}

const quiet = { current: 10 * mb, events: events(0), pressure: pressure(0, 0) };

test('a quiet start is read when it is first seen and every 5 s, and not in between', () => {
  const machine = new Machine();
  const starts = [machine.set('a', quiet)];
  assert.equal(machine.tick(starts, 0), 3);
  for (const now of [250, 500, 4999]) assert.equal(machine.tick(starts, now), 0);
  assert.equal(machine.tick(starts, 5000), 3);
  assert.equal(machine.tick(starts, 5250), 0);
});

test('one whose events change is read at the next tick, and at every one for 10 s; it is not watched meanwhile', () => {
  const machine = new Machine();
  const starts = [machine.set('a', quiet)];
  machine.tick(starts, 0);
  machine.set('a', { events: events(1), current: 90 * mb, pressure: pressure(30, 20) });
  machine.tell('a');
  for (const now of [1000, 1250, 6000, 10_999]) {
    assert.equal(machine.tick(starts, now), 3, String(now));
    assert.equal(machine.watches.size, 0);
  }
  assert.equal(machine.tick(starts, 11_000), 3);
  assert.equal(machine.watches.size, 1);
  assert.equal(machine.tick(starts, 11_250), 0);
});

test('a change that nobody was told of is found by the look every 5 s, and the watch ends', () => {
  const machine = new Machine();
  const starts = [machine.set('a', quiet)];
  machine.tick(starts, 0);
  machine.set('a', { events: events(7) });
  machine.tick(starts, 5000);
  assert.equal(machine.tick(starts, 5250), 3);
  assert.equal(machine.watches.size, 0, 'it is looked at anyway');
});

test('a held start is read at every tick for as long as it is held, though its events stand still', () => {
  const machine = new Machine();
  const starts = [machine.set('a', { current: 99 * mb, events: events(3), pressure: pressure(90, 80) })];
  for (let now = 0; now < 60_000; now += 250) assert.ok(machine.tick(starts, now) >= 3);
  assert.equal(machine.watch.looks(starts, 60_000)[0]?.held, 'memory');
});

test('where no watch can be had every tick reads, and a minute later it is tried again', () => {
  const machine = new Machine();
  machine.refuses = true;
  const starts = [machine.set('a', quiet)];
  for (const now of [0, 250, 59_999]) assert.equal(machine.tick(starts, now), 3);
  machine.refuses = false;
  machine.tick(starts, 60_000);
  assert.equal(machine.tick(starts, 60_250), 0);
});

test('a watch goes with its start, and all of them when there is none left', () => {
  const machine = new Machine();
  const [a, b, c] = [machine.set('a', quiet), machine.set('b', quiet), machine.set('c', quiet)];
  machine.tick([a, b, c], 0);
  machine.tick([a, c], 250);
  assert.deepEqual([...machine.watches.keys()], ['/c/a/memory.events', '/c/c/memory.events']);
  machine.tick([], 500);
  assert.equal(machine.watches.size, 0);
});

test('a start whose cgroup is gone is neither held nor at its limit, and does no harm', () => {
  const machine = new Machine();
  const starts = [machine.set('a', { current: 99 * mb, events: events(3), pressure: pressure(90, 80) })];
  machine.tick(starts, 0);
  machine.files.clear();
  const [look] = machine.watch.looks(starts, 250);
  assert.deepEqual([look?.held, look?.currentBytes, look?.kills], [null, null, 0n]);
});

test('the pressure of own limits is the largest of those at their limit now; of those that are gone it fades as the machine’s average does', () => {
  const machine = new Machine();
  const starts = [
    machine.set('a', { current: 95 * mb, events: events(1), pressure: pressure(12.5, 0) }),
    machine.set('b', { current: 94 * mb, events: events(1), pressure: pressure(70, 0) }),
    machine.set('c', { current: 120 * mb, events: events(1), pressure: pressure(33, 0) }),
  ];
  assert.equal(machine.watch.ownPressure(0), 0);
  machine.tick(starts, 0);
  assert.equal(machine.watch.ownPressure(0), 33);
  machine.tick([], 250);
  const after = (ms: number): number => Math.round(machine.watch.ownPressure(ms));
  assert.deepEqual([after(250), after(10_000), after(10_000), after(30_000), after(90_000)], [32, 12, 12, 2, 0]);
});

test('kills for memory are counted by their own name', () => {
  const machine = new Machine();
  const starts = [machine.set('a', { ...quiet, events: `${events(2, 3)}oom_group_kill 9\n` })];
  assert.equal(machine.watch.looks(starts, 0)[0]?.kills, 3n);
});

const stat = (cacheMb: number): string =>
  `active_file ${cacheMb * mb}\ninactive_file 0\npgsteal 5\nworkingset_refault_file 5\n`;

test('a start at its limit that waits for disks is held by files when next to none of its memory is page cache', () => {
  const machine = new Machine();
  const starts = [machine.set('a', { current: 99 * mb, events: events(1), pressure: pressure(1, 1) })];
  machine.files.set('/c/a/io.pressure', pressure(90, 80));
  machine.files.set('/c/a/memory.stat', stat(2));
  const [look] = machine.watch.looks(starts, 0);
  assert.deepEqual([look?.held, look?.progress?.refaultPages, machine.watch.heldBy('a')], ['files', 5, 'files']);
  machine.files.set('/c/a/memory.stat', stat(50));
  assert.equal(machine.watch.looks(starts, 250)[0]?.held, null);
});

test('memory.stat is not read of a start that waits for nothing, nor io.pressure of one below its limit', () => {
  const machine = new Machine();
  assert.equal(
    machine.tick([machine.set('a', { current: 99 * mb, events: events(1), pressure: pressure(9, 9) })], 0),
    4,
  );
  assert.equal(
    machine.tick([machine.set('b', { current: 90 * mb, events: events(1), pressure: pressure(9, 9) })], 0),
    3,
  );
});

/** Whether a start with this is slowed 1 s after its first look, its `high` having risen meanwhile, and 10 s later without a further rise. */
const slowedWith = (currentMb: number, psi: string | null, cacheMb = 0): readonly unknown[] => {
  const machine = new Machine();
  const starts = [
    machine.set('a', { current: currentMb * mb, events: events(3), ...(psi === null ? {} : { pressure: psi }) }),
  ];
  machine.files.set('/c/a/memory.stat', stat(cacheMb));
  const seen = [machine.watch.looks(starts, 0)[0]?.slowed];
  machine.set('a', { events: events(4) });
  machine.tell('a');
  seen.push(machine.watch.looks(starts, 1000)[0]?.slowed);
  seen.push(machine.watch.looks(starts, 11_000)[0]?.slowed);
  return seen;
};

test('a start over its limit is slowed while high rises and its tasks wait, also below the time after which it is held', () => {
  assert.deepEqual(slowedWith(100, pressure(10, 0)), [false, true, false]);
  assert.deepEqual(slowedWith(94, pressure(90, 9)), [false, false, false], 'not at its limit');
  assert.deepEqual(
    slowedWith(100, pressure(9, 9)),
    [false, false, false],
    'its cache is taken back, and it hardly waits',
  );
});

test('without PSI a start is slowed whose memory is at its limit without its page cache', () => {
  assert.deepEqual(slowedWith(100, null, 5), [false, true, false]);
  assert.deepEqual(slowedWith(100, null, 50), [false, false, false]);
});
