/** What is run on the real kernel: one program of TypeScript, bundled for a machine without packages. */
export interface Job {
  /** The program, from the checkout's folder. */
  readonly source: string;
  /** Where its bundle lies in the guest: as deep below /orca as what it imports, whose paths lead from there. */
  readonly guest: string;
  /** Options of Node. */
  readonly options: readonly string[];
  readonly args: readonly string[];
  readonly deadlineMinutes: number;
}

/** The tests whose names hold one of `names`; all for none. A test that hangs, or leaves something open, is one failed test and not the end of the suite. */
const suite = (names: readonly string[]): Job => ({
  source: 'test/vm/suite.ts',
  guest: '/orca/test/vm/suite/suite.js',
  options: [
    '--test-reporter=spec',
    '--test-timeout=120000',
    '--test-force-exit',
    ...names.map((name) => `--test-name-pattern=${name}`),
  ],
  args: [],
  deadlineMinutes: 12,
});

const bench = (name: string, args: readonly string[]): Job => ({
  source: `bench/${name}.ts`,
  guest: `/orca/bench/vm/${name}.js`,
  options: [],
  args,
  deadlineMinutes: 40,
});

/** From what stands on the command line: `--bench NAME [ARGUMENT…]`, or names of tests. */
export const jobOf = (words: readonly string[]): Job => {
  const [first, name, ...args] = words;
  return first === '--bench' && name !== undefined && /^[a-z-]+$/.test(name) ? bench(name, args) : suite(words);
};
