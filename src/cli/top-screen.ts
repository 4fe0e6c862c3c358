import { formatDuration } from '../units/format-duration.ts';
import { formatSize } from '../units/format-size.ts';
import { shellWords } from '../units/shell-words.ts';
import { visibleText } from '../units/visible-text.ts';
import type { MachineJson, QueuedJson, RunningJson } from '../wire/api.ts';
import { bar } from './top-bar.ts';
import { machineLines } from './top-machine.ts';
import { cut, tableLines, type Column } from './table.ts';
import {
  chosenIndex,
  rowsAround,
  rowsAroundPages,
  shareRows,
  shownRunning,
  topOf,
  windowStart,
  type PagesView,
  type Size,
  type TopState,
} from './top-state.ts';

export interface ScreenLine {
  readonly text: string;
  readonly look: 'plain' | 'head' | 'chosen';
}

const plain = (text: string): ScreenLine => ({ text, look: 'plain' });
const head = (text: string): ScreenLine => ({ text, look: 'head' });

/** The whole screen: exactly `rows` lines, none wider than `columns`; all in it is visible text. */
export const topScreen = (state: TopState, { columns, rows }: Size): ScreenLine[] => {
  const foot = plain(footOf(state));
  const body = state.view.kind === 'list' ? listLines(state, columns, rows) : pagesLines(state.view, rows);
  const room = Math.max(0, rows - 1);
  const blank = Array.from({ length: Math.max(0, room - body.length) }, () => plain(''));
  const lines = [...body.slice(0, room), ...blank, ...(rows > 0 ? [foot] : [])];
  return lines.map((line) => ({ ...line, text: cut(line.text, columns) }));
};

/** All of it at once, for where nothing can be scrolled; nothing is cut. */
export const topPicture = (machine: MachineJson): string[] => {
  const state: Pick<TopState, 'machine' | 'order'> = { machine, order: 'number' };
  const all = Number.POSITIVE_INFINITY;
  return [
    ...machineLines(machine, all),
    ...runningLines(machine, shownRunning(state), null, all, [0, all]).map(({ text }) => text),
    ...queuedLines(machine, null, all, [0, all]).map(({ text }) => text),
  ];
};

const listLines = (state: TopState, columns: number, rows: number): ScreenLine[] => {
  const { machine } = state;
  if (machine === null) return [plain(state.trouble ?? 'asking the daemon')];
  const running = shownRunning(state);
  const share = shareRows(running.length, machine.queued.length, Math.max(0, rows - rowsAround));
  const chosen = chosenIndex(state);
  const inQueue = chosen - running.length;
  const from = windowStart(Math.min(chosen, running.length - 1), running.length, share.running);
  const queueFrom = windowStart(Math.max(0, inQueue), machine.queued.length, share.queued);
  return [
    ...machineLines(machine, columns).map(plain),
    ...runningLines(machine, running, chosen, columns, [from, share.running]),
    ...queuedLines(machine, inQueue >= 0 ? inQueue : null, columns, [queueFrom, share.queued]),
  ];
};

/** The first one shown, and how many. */
type Window = readonly [from: number, rows: number];

const shown = <T>(all: readonly T[], [from, rows]: Window): readonly T[] => all.slice(from, from + rows);

/** `200 running, 15 to 28`; without the numbers when all are there. */
const countWords = (count: number, what: string, told: number, [from, rows]: Window): string =>
  rows >= told || rows === 0 ? `${count} ${what}` : `${count} ${what}, ${from + 1} to ${Math.min(told, from + rows)}`;

const marked = (lines: readonly string[], window: Window, chosen: number | null): ScreenLine[] =>
  lines.map((text, index) =>
    index === 0
      ? head(`  ${text}`)
      : index - 1 + window[0] === chosen
        ? { text: `> ${text}`, look: 'chosen' }
        : plain(`  ${text}`),
  );

const runningColumns = (title: string): readonly Column[] => [
  { head: 'RUN', right: true },
  { head: 'MEMORY', right: true },
  { head: 'OF LIMIT' },
  { head: 'LIMIT', right: true },
  { head: 'CORES', right: true },
  { head: 'STALL', right: true },
  { head: 'TIME', right: true },
  { head: title, flexible: true },
];

const runningLines = (
  machine: MachineJson,
  running: readonly RunningJson[],
  chosen: number | null,
  columns: number,
  window: Window,
): ScreenLine[] => {
  const title = countWords(running.length, 'running', running.length, window);
  const rows = shown(running, window).map((run) => [
    String(run.id),
    run.rss_bytes === null ? '' : formatSize(run.rss_bytes),
    limitBar(run),
    run.limit_bytes === null ? '-' : formatSize(run.limit_bytes),
    run.cores === null ? '' : run.cores.toFixed(1),
    run.stall_percent === null ? '-' : `${run.stall_percent.toFixed(0)} %`,
    run.started_at === null ? 'starting' : formatDuration(machine.at - run.started_at),
    whatWords(run),
  ]);
  return marked(tableLines(runningColumns(title), rows, columns - 2), window, chosen);
};

const limitBar = ({ rss_bytes: rss, cgroup_bytes: cgroup, limit_bytes: limit }: RunningJson): string => {
  if (rss === null || limit === null) return '';
  return bar(rss / limit, 8, (cgroup ?? 0) / limit);
};

/** Room for a name in the queue: the reason is what matters there. */
const queuedWhat = 24;

const queuedColumns = (title: string, why: string): readonly Column[] => [
  { head: 'RUN', right: true },
  { head: 'WAITS', right: true },
  { head: title },
  { head: why, flexible: true },
];

const queuedLines = (machine: MachineJson, chosen: number | null, columns: number, window: Window): ScreenLine[] => {
  const { queued, queued_count: count } = machine;
  const title = countWords(count, 'queued', queued.length, window);
  const why = count > queued.length ? `WHY (the first ${queued.length} are told)` : 'WHY';
  const rows = shown(queued, window).map((run) => [
    String(run.id),
    formatDuration(machine.at - run.submitted_at),
    cut(commandWords(run), Number.isFinite(columns) ? queuedWhat : columns),
    run.reason === null ? 'is being started' : visibleText(run.reason),
  ]);
  return marked(tableLines(queuedColumns(title, why), rows, columns - 2), window, chosen);
};

const commandWords = ({ name, argv }: Pick<RunningJson | QueuedJson, 'name' | 'argv'>): string =>
  name === null ? shellWords(argv) : `${visibleText(name)}: ${shellWords(argv)}`;

const whatWords = (run: RunningJson): string =>
  run.reason === null ? commandWords(run) : `${visibleText(run.reason)}: ${commandWords(run)}`;

const pagesLines = (view: PagesView, rows: number): ScreenLine[] => {
  const room = Math.max(0, rows - rowsAroundPages);
  const top = topOf(view, room);
  return [head(visibleText(view.title)), ...view.lines.slice(top, top + room).map((line) => plain(visibleText(line)))];
};

const footOf = (state: TopState): string => {
  if (state.ending !== null) return `end run ${state.ending}? y: yes, any other key: no`;
  if (state.trouble !== null) return visibleText(state.trouble);
  if (state.notice !== null) return visibleText(state.notice);
  switch (state.view.kind) {
    case 'list':
      return 'arrows choose   enter story   l logs   k end   s by memory   q quit';
    case 'story':
      return 'arrows move   k end the run   q back';
    case 'logs':
      return state.view.top === null
        ? 'following   arrows move   k end the run   q back'
        : 'stopped; end follows again   k end the run   q back';
  }
};
