import type { SubmitAnswer, SubmitRequest } from '../../../src/wire/api.ts';
import { ask, textOf } from './http.ts';
import type { Orca } from './orca.ts';
import { plainSubmission } from './plain-submission.ts';

let tokens = 0;

/** Queues commands at once, past the command line; the daemon must be there. */
export const submitAll = async (
  orca: Orca,
  commands: readonly (readonly string[])[],
  more: Partial<SubmitRequest> = {},
): Promise<SubmitAnswer> => {
  const token = `all-${process.pid}-${(tokens += 1)}`;
  const answer = await ask(orca.state, 'POST', '/api/runs', {
    body: { ...plainSubmission(token, []), commands, ...more },
  });
  const text = await textOf(answer);
  if (answer.status !== 200) throw new Error(text);
  return JSON.parse(text) as SubmitAnswer;
};
