import type { SampleLine } from './sample-line.ts';

export interface LoopClock {
  /** Milliseconds of a clock that is never set. */
  readonly now: () => number;
  readonly sleep: (ms: number) => Promise<void>;
}

export interface LoopParts {
  readonly clock: LoopClock;
  readonly seconds: number;
  /** How many lines; null for no bound. */
  readonly count: number | null;
  /** Whether what is sampled is over, so that a last line is due. */
  readonly isOver: () => boolean;
  readonly line: () => Promise<SampleLine>;
  /** Rejects when the line could not be kept: it is dropped then. */
  readonly write: (line: string) => Promise<void>;
  /** Hears of the first line that is dropped, and of no other. */
  readonly onDropped: (cause: unknown) => void;
}

/** So that also an instance that is there for a moment leaves a line. */
const firstMs = 200;
/** How late the end of a watched process may be noticed. */
const lookMs = 1000;

/** Takes lines until it is over; whatever goes wrong with one, the next is tried. Gives how many were due. */
export const sampleLoop = async (parts: LoopParts): Promise<number> => {
  const { clock, count } = parts;
  const interval = parts.seconds * 1000;
  const takeLine = lineTaker(parts);
  await clock.sleep(firstMs);
  let due = clock.now();
  for (let taken = 0; ;) {
    const over = parts.isOver();
    await takeLine();
    taken += 1;
    if (over || taken === count) return taken;
    // Lines that could not be taken in time (the machine slept) are not made up for.
    due += interval * Math.max(1, Math.ceil((clock.now() - due) / interval));
    for (let left = due - clock.now(); left > 0 && !parts.isOver(); left = due - clock.now()) {
      await clock.sleep(Math.min(lookMs, left));
    }
  }
};

const lineTaker = ({ line, write, onDropped }: LoopParts): (() => Promise<void>) => {
  let told = false;
  return async () => {
    try {
      await write(JSON.stringify(await line()));
    } catch (cause) {
      if (!told) onDropped(cause);
      told = true;
    }
  };
};
