import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { plainSubmission } from '../../test/e2e/support/plain-submission.ts';
import type { RunJson, SubmitAnswer } from '../../src/wire/api.ts';
import { call } from './call.ts';
import type { BenchOrca } from './orca.ts';

/** This moment, as a program sees it that prints the clock: epoch ms. */
export const clockNow = (): number => performance.timeOrigin + performance.now();

/** Milliseconds from the request at the socket to the command's first instruction, of `count` runs one after the other. The command prints the clock in seconds. */
export const firstInstructions = async (
  orca: BenchOrca,
  command: readonly string[],
  count: number,
): Promise<number[]> => {
  const times: number[] = [];
  for (let index = 0; index < count; index += 1) {
    const asked = clockNow();
    const { runs } = await call<SubmitAnswer>(orca, 'POST', '/api/runs', plainSubmission(randomUUID(), command));
    await call(orca, 'POST', '/api/wait', { runs, detail: 'final' });
    const run = await call<RunJson>(orca, 'GET', `/api/runs/${runs[0]}`);
    times.push(Number(readFileSync(run.starts[0]?.logs.stdout ?? '', 'utf8')) * 1000 - asked);
  }
  return times;
};
