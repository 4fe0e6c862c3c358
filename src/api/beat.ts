import { stuckWait, type InnerWait } from '../scheduler/stuck-wait.ts';
import type { Scheduler } from '../scheduler/scheduler.ts';
import type { RunId } from '../units/brands.ts';
import type { WaitEvent, WaitRequest } from '../wire/api.ts';
import { beatEvery } from './silence.ts';

/** What a wait says of itself: that the daemon is there, or that it would never end. */
export class Beats {
  readonly #scheduler: Scheduler;
  readonly #wait: InnerWait | null;
  #lookedAt: number;

  constructor(scheduler: Scheduler, inside: WaitRequest['inside'], pending: ReadonlySet<RunId>, any: boolean) {
    this.#scheduler = scheduler;
    this.#wait = inside === undefined ? null : { inside, pending, any };
    this.#lookedAt = scheduler.host.now();
    if (this.#wait !== null) scheduler.innerWaits.add(this.#wait);
  }

  /** After some silence. */
  next(): WaitEvent {
    return this.stuck() ?? { type: 'beat', at: this.#scheduler.host.now() };
  }

  /** Also where it hears of something all the time it is looked at as often. */
  stuckIfDue(): WaitEvent | null {
    return this.#wait === null || this.#scheduler.host.now() - this.#lookedAt < beatEvery ? null : this.stuck();
  }

  stuck(): WaitEvent | null {
    if (this.#wait === null) return null;
    this.#lookedAt = this.#scheduler.host.now();
    const stuck = stuckWait(this.#scheduler, this.#wait);
    return stuck === null ? null : { type: 'stuck', ...stuck };
  }

  end(): void {
    if (this.#wait !== null) this.#scheduler.innerWaits.delete(this.#wait);
  }
}
