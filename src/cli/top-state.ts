import type { MachineJson, QueuedJson, RunningJson } from '../wire/api.ts';

/** All that `orca top` shows; what changes it is in top-keys.ts, how it looks in top-screen.ts. */
export interface TopState {
  /** The newest answer of the daemon, also while it is gone; null before the first. */
  readonly machine: MachineJson | null;
  /** What keeps newer ones from coming. */
  readonly trouble: string | null;
  /** The number of the run that keys are for; null: the first. */
  readonly chosen: number | null;
  readonly order: 'number' | 'memory';
  readonly view: ListView | PagesView;
  /** The run that a key would end, once it is confirmed. */
  readonly ending: number | null;
  /** What came of the last key. */
  readonly notice: string | null;
}

export interface ListView {
  readonly kind: 'list';
}

/** The story of a run, or what it writes. */
export interface PagesView {
  readonly kind: 'story' | 'logs';
  readonly run: number;
  readonly title: string;
  readonly lines: readonly string[];
  /** The line at the top; null: the last ones are shown, and those that come. */
  readonly top: number | null;
}

export interface Size {
  readonly columns: number;
  readonly rows: number;
}

export const firstState: TopState = {
  machine: null,
  trouble: null,
  chosen: null,
  order: 'number',
  view: { kind: 'list' },
  ending: null,
  notice: null,
};

/** As they are shown. */
export const shownRunning = ({ machine, order }: Pick<TopState, 'machine' | 'order'>): readonly RunningJson[] => {
  const running = machine?.running ?? [];
  return order === 'number'
    ? running
    : running.toSorted((a, b) => (b.rss_bytes ?? 0) - (a.rss_bytes ?? 0) || a.id - b.id);
};

/** Every run that can be chosen, from top to bottom. */
export const shownRuns = (state: TopState): readonly (RunningJson | QueuedJson)[] => [
  ...shownRunning(state),
  ...(state.machine?.queued ?? []),
];

/** Where the chosen run stands among them: the first when it is gone; -1 when there is none. */
export const chosenIndex = (state: TopState): number => {
  const runs = shownRuns(state);
  const found = runs.findIndex(({ id }) => id === state.chosen);
  return found >= 0 ? found : runs.length > 0 ? 0 : -1;
};

/** How many rows the two lists get of `rows` together: the queue up to a third while both want more than there is. */
export const shareRows = (running: number, queued: number, rows: number): { running: number; queued: number } => {
  if (running + queued <= rows) return { running, queued };
  const third = Math.floor(rows / 3);
  const forQueue = Math.min(queued, Math.max(third, rows - running));
  return { running: Math.min(running, rows - forQueue), queued: forQueue };
};

/** The first of `count` things that a window of `rows` shows so that the chosen one is in it, about in the middle. */
export const windowStart = (chosen: number, count: number, rows: number): number =>
  Math.max(0, Math.min(count - rows, chosen - Math.floor(rows / 2)));

/** Rows around the lists: three for the machine, two heads, the keys. */
export const rowsAround = 6;
/** Around a story or a log: its title and the keys. */
export const rowsAroundPages = 2;

/** The line at the top of a story or log of so many rows. */
export const topOf = ({ lines, top }: PagesView, rows: number): number => {
  const last = Math.max(0, lines.length - rows);
  return top === null ? last : Math.max(0, Math.min(last, top));
};
