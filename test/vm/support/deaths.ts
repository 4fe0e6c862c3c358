import type { Verdict } from '../../../src/runs/states.ts';

/** What the suite does once a run is running. */
export type Deed =
  | 'nothing'
  | 'kill -9'
  | 'kill through orca'
  | 'storm, then kill -9'
  | 'storm, then kill through orca'
  | 'storm, then go'
  | 'kill the daemon, then go'
  | 'fill the machine';

/** The daemon that a kind needs: with a narrow margin the kernel kills, with a wide one it holds. */
export type DaemonName = 'narrow' | 'wide' | 'alone';

/** What really happened, since the suite itself made it happen. */
export interface Truth {
  readonly verdict: Verdict;
  readonly evidence: string | null;
  /** Of the leader, where the death decides it. */
  readonly code?: number;
  readonly signal?: number;
}

export interface Death {
  readonly kind: string;
  readonly daemon: DaemonName;
  readonly limitMib: number;
  readonly timeoutMs: number | null;
  /** The words of `eat`; `GO` stands for a file of the run's own. */
  readonly words: readonly string[];
  readonly deed: Deed;
  readonly truth: Truth;
}

/** While the machine is out of memory any run may be the victim: such a death has to be the only one at its time. */
export const isAlone = ({ deed }: Death): boolean => deed === 'fill the machine';

/** A run for which the machine is filled has so much before. */
export const fillFromMib = 40;

/** A random whole number between two, both included. */
type Draw = (least: number, most: number) => number;

type Made = Pick<Death, 'words' | 'truth'> & Partial<Pick<Death, 'deed' | 'daemon' | 'timeoutMs' | 'limitMib'>>;

interface Kind {
  readonly name: string;
  /** At most so many in one go: they take long, or disturb the others. */
  readonly most?: number;
  readonly make: (limitMib: number, draw: Draw) => Made;
}

const outOfMemory: Truth = { verdict: 'out-of-memory', evidence: 'own-cgroup' };
const killed: Truth = { verdict: 'killed', evidence: 'user-kill' };
const failed = (how: { code: number } | { signal: number }): Truth => ({ verdict: 'failed', evidence: null, ...how });
const ended: Truth = { verdict: 'succeeded', evidence: null, code: 0 };

const small = (draw: Draw): string[] => ['anon', `${draw(1, 12)}M`];
const over = (limitMib: number, draw: Draw): string[] => ['anon', `${limitMib + draw(8, 64)}M`];

/** One of the ordinary ends: with 0, with a code, over the limit. */
const anyEnd = (limitMib: number, draw: Draw): Pick<Made, 'words' | 'truth'> => {
  const code = draw(1, 125);
  const ends = [
    { words: ['exit', '0'], truth: ended },
    { words: ['exit', String(code)], truth: failed({ code }) },
    { words: over(limitMib, draw), truth: outOfMemory },
  ];
  return ends[draw(0, 2)] ?? { words: [], truth: ended };
};

const kinds: readonly Kind[] = [
  {
    name: 'over its limit, the main process',
    make: (limit, draw) => ({ words: over(limit, draw), truth: { ...outOfMemory, signal: 9 } }),
  },
  {
    name: 'over its limit, a child',
    make: (limit, draw) => ({ words: ['fork', '1', ...over(limit, draw)], truth: { ...outOfMemory, signal: 9 } }),
  },
  {
    name: 'over its limit, a grandchild after setsid',
    make: (limit, draw) => ({
      words: ['fork', '1', 'setsid', 'fork', '1', ...over(limit, draw)],
      truth: { ...outOfMemory, signal: 9 },
    }),
  },
  {
    name: 'over its limit, four at once',
    make: (limit) => ({ words: ['fork', '4', 'anon', `${limit}M`], truth: { ...outOfMemory, signal: 9 } }),
  },
  {
    name: 'over its limit, group kill off',
    make: (limit, draw) => ({
      daemon: 'alone',
      words: ['fork', '1', ...over(limit, draw)],
      truth: { ...outOfMemory, code: 5 },
    }),
  },
  {
    name: 'the machine out of memory',
    most: 8,
    make: (_, draw) => ({
      // Far below its limit, and enough that its death ends the want of memory.
      limitMib: draw(200, 400),
      words: ['anon', `${draw(fillFromMib + 8, 80)}M`, 'hold'],
      deed: 'fill the machine',
      truth: { verdict: 'out-of-memory', evidence: 'host', signal: 9 },
    }),
  },
  {
    name: 'held at its limit',
    most: 12,
    make: (limit, draw) => ({
      daemon: 'wide',
      words: [...['fork', '1'].slice(0, draw(0, 1) * 2), ...over(limit, draw)],
      truth: { verdict: 'out-of-memory', evidence: 'held' },
    }),
  },
  {
    name: 'kill -9 by hand',
    make: (_, draw) => ({ words: [...small(draw), 'hold'], deed: 'kill -9', truth: failed({ signal: 9 }) }),
  },
  {
    name: 'kill -9 by hand, neighbours out of memory',
    make: (_, draw) => ({ words: [...small(draw), 'hold'], deed: 'storm, then kill -9', truth: failed({ signal: 9 }) }),
  },
  {
    name: 'kill through orca',
    make: (_, draw) => ({ words: [...small(draw), 'hold'], deed: 'kill through orca', truth: killed }),
  },
  {
    name: 'kill through orca, neighbours out of memory',
    make: (_, draw) => ({ words: [...small(draw), 'hold'], deed: 'storm, then kill through orca', truth: killed }),
  },
  {
    name: 'any end, neighbours out of memory',
    make: (limit, draw) => {
      const { words, truth } = anyEnd(limit, draw);
      return { words: [...small(draw), 'wait', 'GO', ...words], deed: 'storm, then go', truth };
    },
  },
  {
    name: 'over its limit, daemon killed meanwhile',
    most: 3,
    make: (limit, draw) => ({
      words: [...small(draw), 'wait', 'GO', ...over(limit, draw)],
      deed: 'kill the daemon, then go',
      truth: { ...outOfMemory, signal: 9 },
    }),
  },
  {
    name: 'any end, daemon killed meanwhile',
    most: 3,
    make: (limit, draw) => {
      const { words, truth } = anyEnd(limit, draw);
      return { words: [...small(draw), 'wait', 'GO', ...words], deed: 'kill the daemon, then go', truth };
    },
  },
  {
    name: 'exit 137',
    make: (_, draw) => ({ words: [...small(draw), 'exit', '137'], truth: failed({ code: 137 }) }),
  },
  {
    name: 'segmentation fault',
    make: (_, draw) => ({ words: [...small(draw), 'signal', '11'], truth: failed({ signal: 11 }) }),
  },
  {
    name: 'time limit',
    make: (_, draw) => ({
      words: [...small(draw), 'hold'],
      timeoutMs: draw(500, 2000),
      truth: { verdict: 'timed-out', evidence: 'timer' },
    }),
  },
  { name: 'exit 0', make: (_, draw) => ({ words: [...small(draw), 'exit', '0'], truth: ended }) },
  {
    name: 'exit with another code',
    make: (_, draw) => {
      const code = draw(1, 125);
      return { words: [...small(draw), 'exit', String(code)], truth: failed({ code }) };
    },
  },
];

/** So many deaths, every kind among them, in a random order; the same ones for the same random numbers. */
export const drawDeaths = (count: number, random: () => number): Death[] => {
  const draw: Draw = (least, most) => least + Math.floor(random() * (most - least + 1));
  const chosen = [...kinds];
  while (chosen.length < count) {
    const kind = kinds[draw(0, kinds.length - 1)];
    if (kind === undefined || chosen.filter((other) => other === kind).length >= (kind.most ?? count)) continue;
    chosen.splice(draw(0, chosen.length), 0, kind);
  }
  return chosen.map((kind) => {
    const limitMib = draw(24, 48);
    return {
      kind: kind.name,
      daemon: 'narrow',
      limitMib,
      timeoutMs: null,
      deed: 'nothing',
      ...kind.make(limitMib, draw),
    };
  });
};
