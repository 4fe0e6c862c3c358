import { learnedFrom, withSuccess, type Learned, type Success } from '../runs/learning.ts';
import { lastSuccesses } from '../store/last-successes.ts';
import type { Db } from '../store/schema.ts';
import type { Scheduler } from './scheduler.ts';

/** The least recently used of more commands are forgotten: the store still knows them. */
const mostCommands = 10_000;
/** Of a submission, or at a daemon's start, so many different commands are looked up. */
export const mostLookedUp = 2000;

interface Known {
  readonly successes: readonly Success[];
  readonly learned: Learned;
}

/** What earlier runs of commands teach, by the commands' names. */
export class LearnedCommands {
  readonly #known = new Map<string, Known>();

  get(command: string): Learned | null {
    return this.#known.get(command)?.learned ?? null;
  }

  /** True when nothing was known of the command before. */
  add(command: string, success: Success): boolean {
    const before = this.#known.get(command);
    this.put(command, withSuccess(before?.successes ?? [], success));
    return before === undefined;
  }

  /** Newest first. */
  put(command: string, successes: readonly Success[]): void {
    const learned = learnedFrom(successes);
    this.#known.delete(command);
    if (learned === null) return;
    this.#known.set(command, { successes, learned });
    if (this.#known.size <= mostCommands) return;
    for (const oldest of this.#known.keys()) {
      this.#known.delete(oldest);
      return;
    }
  }
}

/** Reads what the store knows of commands that are not known yet. */
export const loadLearned = async (
  { learned, queue }: Pick<Scheduler, 'learned' | 'queue'>,
  db: Db,
  commands: readonly (string | null)[],
): Promise<void> => {
  const unknown = [...new Set(commands)].filter((one): one is string => one !== null && learned.get(one) === null);
  const found = await lastSuccesses(db, unknown.slice(0, mostLookedUp));
  for (const [command, successes] of found) {
    learned.put(command, successes);
    queue.learned(command);
  }
};

/** A clean success was stored. */
export const keepSuccess = (
  { learned, queue }: Pick<Scheduler, 'learned' | 'queue'>,
  command: string,
  success: Success,
): void => {
  if (learned.add(command, success)) queue.learned(command);
};
