import type { DaemonClient } from '../client/daemon-client.ts';
import { groupHandle } from '../runs/handle.ts';
import type { KnownRunJson, StdinRequest, SubmitAnswer } from '../wire/api.ts';
import type { Context } from './context.ts';
import { batches } from './each-line.ts';
import type { IdFile } from './id-file.ts';
import { leaving } from './leaving.ts';
import { rangeWords, type PrintedNumbers } from './printed-numbers.ts';
import { say } from './say.ts';
import { submission, type SubmissionFields } from './submission.ts';

export interface Work {
  readonly commands: Iterable<readonly string[]>;
  /** How many those are. */
  readonly count: number;
  /** One for each command; null: none has one. */
  readonly keys: readonly string[] | null;
  /** They make a group, however many they are. */
  readonly grouped: boolean;
  readonly stdin: StdinRequest;
}

export interface Sending {
  readonly fields: SubmissionFields;
  readonly numbers: PrintedNumbers;
  /** Numbers are printed as they come. */
  readonly print: boolean;
  readonly idFile: IdFile | null;
}

export interface Sent extends Required<Omit<SubmitAnswer, 'warning'>> {
  /** Why the file of handles could not be written; null: it was, or there is none. */
  readonly idFault: string | null;
  /** By a person, while lines were sent: some may not have been. */
  readonly interrupted: boolean;
}

/** Submits commands in requests of bounded size, all of one group; what was accepted before a refusal goes on, and is told. */
export async function submitBatches(context: Context, client: DaemonClient, work: Work, how: Sending): Promise<Sent> {
  const token = context.newToken();
  // What is under way is finished, so that all that was accepted is told. A second interrupt ends the command as it stands.
  using left = work.grouped ? leaving(context) : null;
  left?.signal.addEventListener('abort', () => left[Symbol.dispose]());
  const runs: number[] = [];
  const known = new Map<number, KnownRunJson>();
  let group: number | null = null;
  let idFault: string | null = null;
  let at = 0;
  try {
    let index = -1;
    for (const commands of batches(work.commands)) {
      if (left?.signal.aborted === true) break;
      index += 1;
      const keys = work.keys?.slice(at, at + commands.length);
      at += commands.length;
      const fields = {
        ...how.fields,
        ...(keys === undefined ? {} : { keys }),
        ...(work.grouped ? { group: group ?? ('new' as const) } : {}),
        // Of those with keys nobody knows how many are there already.
        ...(index === 0 && work.keys === null && work.count > at ? { more: work.count - at } : {}),
      };
      const request = submission(fields, { token: `${token}.${index}`, commands, stdin: work.stdin, owner: null });
      const answer = await client.submit(request);
      // It is the same for every batch.
      if (index === 0 && answer.warning !== undefined) await say(context, answer.warning);
      runs.push(...answer.runs);
      for (const one of answer.known ?? []) known.set(one.run, one);
      group ??= answer.group ?? null;
      // At once: whoever is killed between two batches has this to come back to.
      idFault = how.idFile?.write(handlesOf({ runs, group, known: [...known.values()] })) ?? null;
      if (how.print) await how.numbers.lines(answer.runs);
    }
    // What the file told of an earlier submission is none of this one's.
    if (work.count === 0) idFault = how.idFile?.write([]) ?? null;
  } catch (cause) {
    if (runs.length > 0) await say(context, `accepted before this: ${rangeWords(runs)}`);
    throw cause;
  }
  return { runs, group, known: [...known.values()], idFault, interrupted: left?.signal.aborted === true };
}

/** All that a submission came to, in few words: its group, and the runs that were there; without a group its runs. */
const handlesOf = ({ runs, group, known }: Pick<Sent, 'runs' | 'group' | 'known'>): string[] =>
  group === null ? [...new Set(runs)].map(String) : [groupHandle(group), ...known.map(({ run }) => String(run))];
