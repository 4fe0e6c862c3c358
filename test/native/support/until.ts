import { setTimeout as pause } from 'node:timers/promises';
import { patient } from '../../support/patience.ts';

/** Asks again until the answer is something; fails with what was awaited once the deadline has passed. */
export const until = async <T>(
  what: string,
  ask: () => T | null | undefined | false | Promise<T | null | undefined | false>,
  deadlineMs = 8000,
): Promise<T> => {
  const within = patient(deadlineMs);
  const end = performance.now() + within;
  for (;;) {
    const answer = await ask();
    if (answer !== null && answer !== undefined && answer !== false) return answer;
    if (performance.now() > end) throw new Error(`waited ${within} ms in vain: ${what}`);
    await pause(5);
  }
};
