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
  /** What the machine's first process becomes: `init.sh` itself, or a Debian's systemd. */
  readonly machine: 'plain' | 'systemd';
}

/** The tests whose names hold one of `names`; all for none. A test that hangs, or leaves something open, is one failed test and not the end of the suite. */
const testOptions = (names: readonly string[], seconds: number): string[] => [
  '--test-reporter=spec',
  `--test-timeout=${seconds * 1000}`,
  '--test-force-exit',
  ...names.map((name) => `--test-name-pattern=${name}`),
];

const suite = (source: string, names: readonly string[]): Job => ({
  source,
  guest: '/orca/test/vm/suite/suite.js',
  options: testOptions(names, 300),
  args: [],
  deadlineMinutes: 25,
  machine: 'plain',
});

const systemdSuite = (names: readonly string[]): Job => ({
  source: 'test/vm/systemd/suite.ts',
  guest: '/orca/test/vm/suite/suite.js',
  options: testOptions(names, 300),
  args: [],
  deadlineMinutes: 20,
  machine: 'systemd',
});

const bench = (name: string, args: readonly string[]): Job => ({
  source: `bench/${name}.ts`,
  guest: `/orca/bench/vm/${name}.js`,
  options: [],
  args,
  deadlineMinutes: 40,
  machine: 'plain',
});

/** From what stands on the command line: `--bench NAME [ARGUMENT…]`, or names of tests; `systemd` as the first: those under systemd alone. */
export const jobsOf = (words: readonly string[]): readonly Job[] => {
  const [first, name, ...args] = words;
  if (first === '--bench' && name !== undefined && /^[a-z-]+$/.test(name)) return [bench(name, args)];
  if (first === 'systemd') return [systemdSuite(words.slice(1))];
  if (words.length > 0) return [suite('test/vm/suite.ts', words)];
  // The tests wait more than they work, so two machines are twice as quick.
  return [suite('test/vm/suites/deaths.ts', []), suite('test/vm/suites/life.ts', []), systemdSuite([])];
};
