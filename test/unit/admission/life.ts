import assert from 'node:assert/strict';
import { admit, nothingRemembered } from '../../../src/admission/admit.ts';
import { holds } from '../../../src/admission/holds.ts';
import { Queue } from '../../../src/admission/queue.ts';
import type { Remembered, Round } from '../../../src/admission/round.ts';
import type { AdmissionState, Holding, Waiting } from '../../../src/admission/types.ts';
import { bytes, millis } from '../../../src/units/brands.ts';
import { now, stateOf, type Given } from './builders.ts';

/** A run of a life: what it asks for, and how long it really takes. */
export interface Job {
  readonly entry: Waiting;
  readonly lasts: number;
}

/** A queue that lives: runs come, are admitted, and end after their time. After each step everything that must hold is checked. */
export class Life {
  now: number = now;
  readonly queue: Queue;
  round: Round | null = null;
  readonly started = new Map<number, number>();
  readonly ended = new Map<number, number>();
  #remembered: Remembered = nothingRemembered;
  readonly #given: Given;
  readonly #lasts = new Map<number, number>();
  #going: { readonly holding: Holding; readonly end: number }[] = [];

  constructor(given: Given = {}) {
    this.#given = given;
    this.queue = new Queue((command) => given.learned?.[command] !== undefined);
  }

  get going(): number[] {
    return this.#going.map(({ holding }) => holding.run);
  }

  get state(): AdmissionState {
    return stateOf({ ...this.#given, holding: this.#going.map(({ holding }) => holding) });
  }

  submit(...jobs: readonly Job[]): void {
    for (const { entry, lasts } of jobs) {
      this.#lasts.set(entry.run, lasts);
      this.queue.add(entry);
    }
    this.decide();
  }

  /** Until the next end, or the next back-off; false when nothing more will happen. */
  step(): boolean {
    const next = Math.min(...this.#going.map(({ end }) => end), this.queue.nextWake(millis(this.now)) ?? Infinity);
    if (next === Infinity) return false;
    this.now = Math.max(this.now, next);
    for (const { holding, end } of this.#going) if (end <= this.now) this.ended.set(holding.run, this.now);
    this.#going = this.#going.filter(({ end }) => end > this.now);
    this.decide();
    return true;
  }

  /** Until nothing happens any more. */
  run(mostSteps = 100_000): void {
    for (let steps = 0; this.step(); steps += 1) assert.ok(steps < mostSteps, 'it goes on for ever');
  }

  decide(): void {
    this.queue.wake(millis(this.now));
    const { state } = this;
    const round = admit(this.queue, state, this.#remembered, millis(this.now));
    this.round = round;
    this.#remembered = round.remembered;
    for (const { run, counted, expected, gpus, turn } of round.admitted) {
      const entry = this.queue.remove(run);
      assert.ok(entry !== null, 'only what waits is admitted, and once');
      const { cpusMilli, needs, timeoutMs, command } = entry.shape;
      const known = command === null ? null : state.learned(command);
      const lasts = this.#lasts.get(run) ?? 1;
      this.started.set(run, this.now);
      this.#going.push({
        end: this.now + lasts,
        holding: {
          run,
          submitter: entry.submitter,
          cpusMilli,
          memory: counted,
          expected,
          // As the machine would show it when it has been going on for a while.
          residentBytes: null,
          gpus,
          needs,
          turn,
          endsAt: known === null ? null : millis(this.now + known.typicalMs),
          endsBy: timeoutMs === null ? null : millis(this.now + timeoutMs),
        },
      });
    }
    this.sanityCheck();
  }

  sanityCheck(): void {
    const { state, queue } = this;
    const held = new Map<string, number>();
    const most = new Map<string, number>([
      ['cpus', state.budget.cpusMilli],
      ['memory', state.budget.memory],
      ...state.amounts,
    ]);
    for (const holding of state.holding) {
      for (const [of, amount] of holds(holding)) held.set(of, (held.get(of) ?? 0) + amount);
      for (const { of, there } of holding.needs) if (there !== null) most.set(of, there);
    }
    for (const [of, amount] of held)
      if (of !== 'machine' && of !== 'gpus') assert.ok(amount <= (most.get(of) ?? 0), `${of}: ${amount} are held`);
    const devices = state.holding.flatMap(({ gpus }) => gpus);
    const known = new Set(state.machine.gpus.filter(({ foreign }) => foreign.length === 0).map(({ id }) => id));
    assert.equal(new Set(devices).size, devices.length, 'no device is had twice');
    for (const id of devices) assert.ok(known.has(id), 'only free devices are given');
    for (const { run } of state.holding) assert.ok(!queue.has(run), 'what runs does not wait');
    for (const { run } of this.#remembered.heads) assert.ok(queue.has(run), 'a head waits');
    const bottlenecks = this.#remembered.heads.flatMap(({ since }) => [...since.keys()]);
    assert.equal(new Set(bottlenecks).size, bottlenecks.length, 'one head for each thing that is waited for');
  }
}

export const small = bytes(1);
