import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { until } from './until.ts';

/** What a command of the ledger wrote down. */
export interface Entries {
  /** One pid for each time that it was begun. */
  readonly begun: readonly number[];
  readonly ended: number;
  /** How often it was begun while a process of an earlier start was still there. */
  readonly doubled: number;
}

/** Before all else it takes a lock that the kernel frees with the last process of the tree. */
const held = `exec 9>>"$0.lock"
flock -n 9 || echo doubled >>"$0"
echo "begun $$" >>"$0"
while [ ! -e "$0.go" ]; do sleep 0.05; done
echo ended >>"$0"
exit "$1"`;

const alone = `exec 8>>"$0.lock"
flock -n 8 || echo taken >>"$0"
exec "$@"`;

const timed = held.replace(/while.*\n/, 'sleep "$2"\n');

/** Commands that write down each time they begin and end, so that nothing is believed that orca says of itself. */
export class Ledger {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** A command that goes on until it is released, then ends with `code`. */
  held(name: string, code = 0): string[] {
    return ['sh', '-c', held, this.#file(name), String(code)];
  }

  /** One that sleeps. */
  timed(name: string, seconds: number): string[] {
    return ['sh', '-c', timed, this.#file(name), '0', String(seconds)];
  }

  /** The same command, which writes `taken` into that file of the ledger where another that was given the same one still goes on. */
  alone(name: string, command: readonly string[]): string[] {
    return ['sh', '-c', alone, this.#file(name), ...command];
  }

  /** How often two went on at once that were to be alone. */
  taken(name: string): number {
    return this.#lines(name).filter((line) => line === 'taken').length;
  }

  release(...names: string[]): void {
    for (const name of names) writeFileSync(`${this.#file(name)}.go`, '');
  }

  read(name: string): Entries {
    const lines = this.#lines(name);
    const count = (word: string): number => lines.filter((line) => line === word).length;
    const begun = lines.filter((line) => line.startsWith('begun ')).map((line) => Number(line.slice('begun '.length)));
    return { begun, ended: count('ended'), doubled: count('doubled') };
  }

  /** The pid of a command's `times`th start, once it has begun. */
  async begun(name: string, times = 1): Promise<number> {
    return until(() => this.read(name).begun[times - 1] ?? null, `${name} was begun ${times} times`);
  }

  async ended(name: string): Promise<void> {
    await until(() => (this.read(name).ended > 0 ? true : null), `${name} has ended`);
  }

  #lines(name: string): string[] {
    return existsSync(this.#file(name)) ? readFileSync(this.#file(name), 'utf8').split('\n') : [];
  }

  #file(name: string): string {
    return join(this.#folder, `ledger-${name}`);
  }
}
