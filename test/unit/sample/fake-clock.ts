import type { LoopClock } from '../../../src/sample/sample-loop.ts';

/** Time that passes by sleeping alone. */
export class FakeClock implements LoopClock {
  time = 0;
  readonly now = (): number => this.time;
  readonly sleep = (ms: number): Promise<void> => {
    this.time += ms;
    return Promise.resolve();
  };
}
