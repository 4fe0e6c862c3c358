import { systemErrorWords } from '../client/system-error.ts';
import { OrcaError } from '../errors/orca-error.ts';
import type { SubmitAnswer } from '../wire/api.ts';
import type { Output } from './output.ts';
import { printJson, printLines } from './say.ts';

/** Prints the numbers of accepted runs, and remembers those that could not be: the runs go on, and nobody else would know them. */
export class PrintedNumbers {
  readonly #out: Output;
  readonly #lost: number[] = [];
  #why = '';

  constructor(out: Output) {
    this.#out = out;
  }

  /** One a line. */
  lines(runs: readonly number[]): Promise<void> {
    return this.#print(runs, (out) => printLines(out, runs.map(String)));
  }

  json(answer: SubmitAnswer): Promise<void> {
    return this.#print(answer.runs, (out) => printJson(out, answer));
  }

  /** What tells the numbers instead; null when all were printed. */
  get fault(): OrcaError | null {
    if (this.#lost.length === 0) return null;
    const numbers = rangeWords(this.#lost);
    const what = this.#lost.length === 1 ? `Run ${numbers} is` : `Runs ${numbers} are`;
    const runs = this.#lost.length > 20 ? `${this.#lost.slice(0, 20).join(' ')} …` : this.#lost.join(' ');
    return new OrcaError('accepted-unprinted', { what, why: this.#why, runs });
  }

  check(): void {
    if (this.fault !== null) throw this.fault;
  }

  async #print(runs: readonly number[], print: (out: Output) => Promise<boolean>): Promise<void> {
    try {
      if (await print(this.#out)) return;
      this.#why = 'its reader has closed it';
    } catch (cause) {
      if (!(cause instanceof OrcaError) || cause.code !== 'output-failed') throw cause;
      this.#why = systemErrorWords(cause.cause);
    }
    this.#lost.push(...runs);
  }
}

/** `7`, `7 to 9`, `7 to 9, 12`. */
export function rangeWords(numbers: readonly number[]): string {
  const ranges: { from: number; to: number }[] = [];
  for (const number of numbers) {
    const last = ranges.at(-1);
    if (last !== undefined && number === last.to + 1) last.to = number;
    else ranges.push({ from: number, to: number });
  }
  return ranges.map(({ from, to }) => (from === to ? `${from}` : `${from} to ${to}`)).join(', ');
}
