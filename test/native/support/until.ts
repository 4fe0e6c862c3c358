import { setTimeout as pause } from 'node:timers/promises';

/** Asks again until the answer is something; fails with what was awaited once the deadline has passed. */
export const until = async <T>(
  what: string,
  ask: () => T | null | undefined | false | Promise<T | null | undefined | false>,
  deadlineMs = 8000,
): Promise<T> => {
  const end = performance.now() + deadlineMs;
  for (;;) {
    const answer = await ask();
    if (answer !== null && answer !== undefined && answer !== false) return answer;
    if (performance.now() > end) throw new Error(`waited ${deadlineMs} ms in vain: ${what}`);
    await pause(5);
  }
};
