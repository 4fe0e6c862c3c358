import {
  chosenIndex,
  rowsAround,
  rowsAroundPages,
  shownRuns,
  topOf,
  type PagesView,
  type Size,
  type TopState,
} from './top-state.ts';

/** What a key has the shell do. */
export type TopEffect =
  | { readonly kind: 'quit' }
  | { readonly kind: 'redraw' }
  | { readonly kind: 'open' | 'follow' | 'end'; readonly run: number }
  /** Whatever fills the view that was left. */
  | { readonly kind: 'leave' };

export interface Pressed {
  readonly state: TopState;
  readonly effect: TopEffect | null;
}

const names: Readonly<Record<string, string>> = {
  '\u001b[A': 'up',
  '\u001bOA': 'up',
  '\u001b[B': 'down',
  '\u001bOB': 'down',
  '\u001b[5~': 'page-up',
  '\u001b[6~': 'page-down',
  '\u001b[H': 'home',
  '\u001bOH': 'home',
  '\u001b[1~': 'home',
  '\u001b[F': 'end',
  '\u001bOF': 'end',
  '\u001b[4~': 'end',
  '\r': 'enter',
  '\n': 'enter',
  ' ': 'page-down',
  '\u001b': 'back',
  '\u007f': 'back',
  '\u0003': 'interrupt',
  '\u000c': 'redraw',
};

/** What a terminal sent, key by key: sequences by their names, all else by its character. Unknown sequences are one key without a meaning. */
export const keysOf = (text: string): string[] =>
  (text.match(/\u001b(?:\[[0-9;?]*[ -/]*[@-~]|O[ -~])|[^]/gu) ?? []).map((key) => names[key] ?? key);

/** One key. `size` is the whole screen's. */
export const pressed = (state: TopState, key: string, size: Size): Pressed => {
  if (key === 'interrupt') return { state, effect: { kind: 'quit' } };
  if (key === 'redraw') return { state, effect: { kind: 'redraw' } };
  if (state.ending !== null) return confirmed({ ...state, ending: null }, state.ending, key);
  const calm = { ...state, notice: null };
  return state.view.kind === 'list' ? inList(calm, key, size) : inPages(calm, state.view, key, size);
};

const confirmed = (state: TopState, run: number, key: string): Pressed =>
  key === 'y' || key === 'Y'
    ? { state: { ...state, notice: `run ${run} is being ended` }, effect: { kind: 'end', run } }
    : { state: { ...state, notice: `run ${run} goes on` }, effect: null };

const inList = (state: TopState, key: string, { rows }: Size): Pressed => {
  const runs = shownRuns(state);
  const index = chosenIndex(state);
  const move = (to: number): Pressed => {
    const run = runs[Math.max(0, Math.min(runs.length - 1, to))];
    return { state: run === undefined ? state : { ...state, chosen: run.id }, effect: null };
  };
  const page = Math.max(1, rows - rowsAround);
  const run = runs[index]?.id;
  switch (key) {
    case 'q':
      return { state, effect: { kind: 'quit' } };
    case 'up':
      return move(index - 1);
    case 'down':
      return move(index + 1);
    case 'page-up':
      return move(index - page);
    case 'page-down':
      return move(index + page);
    case 'home':
      return move(0);
    case 'end':
      return move(runs.length - 1);
    case 's':
      return { state: { ...state, order: state.order === 'number' ? 'memory' : 'number' }, effect: null };
  }
  if (run === undefined) return { state, effect: null };
  switch (key) {
    case 'enter':
    case 'o':
      return opened(state, 'story', run);
    case 'l':
    case 'f':
      return opened(state, 'logs', run);
    case 'k':
      return { state: { ...state, chosen: run, ending: run }, effect: null };
    default:
      return { state, effect: null };
  }
};

const opened = (state: TopState, kind: PagesView['kind'], run: number): Pressed => ({
  state: {
    ...state,
    chosen: run,
    view: { kind, run, title: `run ${run}`, lines: [], top: kind === 'logs' ? null : 0 },
  },
  effect: { kind: kind === 'logs' ? 'follow' : 'open', run },
});

const inPages = (state: TopState, view: PagesView, key: string, size: Size): Pressed => {
  const rows = Math.max(1, size.rows - rowsAroundPages);
  const at = topOf(view, rows);
  const last = Math.max(0, view.lines.length - rows);
  const move = (to: number): Pressed => {
    // A log is followed again once its end is reached.
    const top = view.kind === 'logs' && to >= last ? null : Math.max(0, Math.min(last, to));
    return { state: { ...state, view: { ...view, top } }, effect: null };
  };
  switch (key) {
    case 'q':
    case 'back':
      return { state: { ...state, view: { kind: 'list' } }, effect: { kind: 'leave' } };
    case 'up':
      return move(at - 1);
    case 'down':
    case 'enter':
      return move(at + 1);
    case 'page-up':
      return move(at - rows);
    case 'page-down':
      return move(at + rows);
    case 'home':
      return move(0);
    case 'end':
      return move(last);
    case 'k':
      return { state: { ...state, ending: view.run }, effect: null };
    default:
      return { state, effect: null };
  }
};
