import { setTimeout } from 'node:timers/promises';
import { patient } from '../../support/patience.ts';

const lookEvery = 25;

/** Asks until there is an answer that is not null; fails after the deadline, saying what it waited for. */
export const until = async <T>(
  ask: () => T | null | Promise<T | null>,
  what: string,
  withinMs = 30_000,
): Promise<T> => {
  const within = patient(withinMs);
  const deadline = Date.now() + within;
  for (;;) {
    const answer = await ask();
    if (answer !== null) return answer;
    if (Date.now() >= deadline) throw new Error(`It did not come to this within ${within} ms: ${what}`);
    await setTimeout(lookEvery);
  }
};
