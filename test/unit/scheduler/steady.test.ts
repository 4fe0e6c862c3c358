import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nothingRemembered } from '../../../src/admission/admit.ts';
import { KeptBackLog } from '../../../src/admission/kept-back.ts';
import { Queue } from '../../../src/admission/queue.ts';
import { unknownMachine } from '../../../src/admission/machine-state.ts';
import { noNeeds } from '../../../src/runs/needs.ts';
import { admitNow } from '../../../src/scheduler/admit-now.ts';
import { enqueue } from '../../../src/scheduler/enqueue.ts';
import { LearnedCommands } from '../../../src/scheduler/learned.ts';
import { waitOf } from '../../../src/scheduler/reason-of.ts';
import type { Scheduler } from '../../../src/scheduler/scheduler.ts';
import { Stall } from '../../../src/scheduler/stall.ts';
import { loadSettings } from '../../../src/settings/load-settings.ts';
import { millis, runId } from '../../../src/units/brands.ts';
import { budget } from '../admission/builders.ts';

const { settings } = await loadSettings({ env: {}, homeFolder: '/home/ada', files: [], readText: () => null });
const hour = 3_600_000;
const run = runId(1);

/** A daemon whose clocks a test sets; its queue is paused, so that who stands in it stays there. */
class FakeDaemon {
  wall = 1_800_000_000_000;
  steady = 50_000;
  /** How long until it asks again by itself. */
  asksIn: number | null = null;
  readonly scheduler = {
    host: {
      now: () => millis(this.wall),
      monotonicUs: () => this.steady * 1000,
      timers: {
        set: (ms: number) => {
          this.asksIn = ms;
          return () => (this.asksIn = null);
        },
      },
    },
    settings,
    budget,
    queue: new Queue(),
    stall: new Stall(),
    heldStored: new Map(),
    live: new Map(),
    claiming: new Map(),
    troubles: new Map(),
    learned: new LearnedCommands(),
    remembered: nothingRemembered,
    round: null,
    keptBack: { log: new KeptBackLog(), notedAt: millis(0) },
    paused: { by: 'ada', reason: null, at: millis(this.wall) },
    down: false,
    closing: false,
    cancelWake: null,
    machineState: unknownMachine,
    machineLook: { waitingSinceMs: null, lookedMs: Number.POSITIVE_INFINITY },
    gpus: { want: () => undefined, state: () => ({}) },
    keepers: { work: () => undefined },
    fetching: new Map(),
    outlook: { untilStart: () => null },
  } as unknown as Scheduler;

  passes(ms: number): void {
    this.wall += ms;
    this.steady += ms;
  }

  /** Whether its back-off is over, by the next decision. */
  get over(): boolean {
    admitNow(this.scheduler);
    return this.scheduler.queue.standing(run) !== null;
  }
}

const row = (notBefore: number): Parameters<typeof enqueue>[1] => ({
  id: run,
  parent_run: null,
  priority: 0,
  cpus_milli: 1000,
  memory_min_bytes: null,
  memory_max_bytes: null,
  raised_bytes: null,
  not_before: millis(notBefore),
  paused: null,
  submitter: null,
  command: null,
  timeout_ms: null,
  needs: noNeeds,
  group_id: null,
  placement: null,
  held: null,
  current_start: 1,
  damage: null,
});

for (const [way, jump] of [
  ['back', -hour],
  ['forward', hour],
] as const) {
  test(`a clock that is set ${way} makes a back-off neither longer nor shorter, and what is said of it stays true`, () => {
    const daemon = new FakeDaemon();
    enqueue(daemon.scheduler, row(daemon.wall + 30_000));
    assert.equal(daemon.over, false);
    assert.equal(daemon.asksIn, 30_000);
    daemon.passes(10_000);
    daemon.wall += jump;
    assert.equal(daemon.over, false);
    assert.equal(daemon.asksIn, 20_000);
    assert.equal(waitOf(daemon.scheduler, run).reason, 'its next start is due in 20 s');
    daemon.passes(19_999);
    assert.equal(daemon.over, false);
    daemon.passes(1);
    assert.equal(daemon.over, true);
  });
}

test('what an earlier daemon began lasts no longer than it was asked for, however the clock was set since', () => {
  const daemon = new FakeDaemon();
  const began = daemon.wall;
  const over = (): boolean => daemon.over;
  daemon.passes(10_000);
  enqueue(daemon.scheduler, row(began + 30_000), millis(began));
  assert.deepEqual([over(), daemon.asksIn], [false, 20_000]);
  daemon.wall -= hour;
  enqueue(daemon.scheduler, row(began + 30_000), millis(began));
  assert.deepEqual([over(), daemon.asksIn], [false, 30_000]);
  daemon.wall += 2 * hour;
  enqueue(daemon.scheduler, row(began + 30_000), millis(began));
  assert.equal(over(), true);
});
