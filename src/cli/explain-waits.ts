import { formatDuration } from '../units/format-duration.ts';
import type { EventJson } from '../wire/api.ts';

/** A span of time in which a run waited for a start, and what is known of why. */
export interface WaitSpan {
  readonly run: number;
  /** The start that ended it; null while it goes on, and of a run that ended without any. */
  readonly start: number | null;
  readonly from: number;
  readonly to: number;
  /** What else it may have waited for, in words: what it comes after, the time before another start. */
  readonly also: readonly string[];
}

/** So short a wait needs no reason. */
export const shortestWait = 1000;

/**
 * Why a run waited, as far as it was kept: pauses of it and of the queue, `orca down`, and what the scheduler saw that kept it while it was among the
 * first (`kept_back` of its start's event). The rest it stood behind others, or nobody saw why: that is said so. Empty for a short wait, and where nothing is known of one that goes on.
 */
export function waitParts(span: WaitSpan, events: readonly EventJson[]): string[] {
  const whole = span.to - span.from;
  if (whole < shortestWait) return [];
  const held = [
    ...heldSpans(events, span, { begin: 'down', end: 'up', run: null }),
    ...heldSpans(events, span, { begin: 'paused', end: 'resumed', run: null }),
    ...heldSpans(events, span, { begin: 'paused', end: 'resumed', run: span.run }),
  ];
  const kept = keptOf(span, events);
  const parts = [
    ...together(held),
    ...kept.map(({ words, ms, holders, more }) => ({
      words: `${formatDuration(ms)}: ${words}${holdersWords(words, holders, more)}`,
      ms,
    })),
    ...backOffOf(span, events),
  ];
  const rest = whole - parts.reduce((sum, { ms }) => sum + ms, 0);
  const words = parts.map((part) => part.words);
  if (rest < Math.max(shortestWait, whole / 10)) return words;
  // What keeps it now is told by itself.
  const unseen = span.start === null ? [] : ['behind others in the queue', 'what kept it was not seen'];
  const others = [...span.also, ...unseen].join(', or ');
  return others === '' ? words : [...words, `${parts.length === 0 ? '' : 'the rest '}${others}`];
}

interface Held {
  readonly words: string;
  readonly ms: number;
}

/** The same again and again is said once: a queue may be paused each night. */
function together(held: readonly Held[]): Held[] {
  return [...Map.groupBy(held, ({ words }) => words)].map(([words, same]) => {
    const ms = same.reduce((sum, one) => sum + one.ms, 0);
    const times = same.length === 1 ? '' : ` ${same.length} times,`;
    return { words: `${words}${times} for ${formatDuration(ms)}${same.length === 1 ? '' : ' in all'}`, ms };
  });
}

/** The parts of the span between an event and its opposite. */
function heldSpans(
  events: readonly EventJson[],
  { from, to }: WaitSpan,
  { begin, end, run }: { begin: string; end: string; run: number | null },
): Held[] {
  const held: Held[] = [];
  let open: EventJson | null = null;
  const close = (at: number): void => {
    const ms = open === null ? 0 : Math.min(at, to) - Math.max(open.at, from);
    if (open !== null && ms >= shortestWait) held.push({ words: holdWords(open), ms });
    open = null;
  };
  for (const event of events) {
    if (event.run !== run) continue;
    if (event.kind === begin) open ??= event;
    else if (event.kind === end) close(event.at);
  }
  close(to);
  return held;
}

function holdWords({ kind, run, data }: EventJson): string {
  if (kind === 'down') return 'orca was down';
  const { by, reason } = data;
  const who = typeof by === 'string' ? ` by ${by}` : '';
  const why = typeof reason === 'string' ? ` (${reason})` : '';
  return `${run === null ? 'the queue was paused' : 'it was held back'}${who}${why}`;
}

/** The time before another start, as it was set when the one before ended. */
function backOffOf({ run, from, to }: WaitSpan, events: readonly EventJson[]): Held[] {
  const ended = events.findLast((one) => one.run === run && one.kind === 'start-ended' && one.at <= from);
  const until = ended?.data['not_before'];
  if (typeof until !== 'number') return [];
  const ms = Math.min(until, to) - from;
  return ms < shortestWait ? [] : [{ words: `${formatDuration(ms)} set before another start`, ms }];
}

interface Kept {
  readonly ms: number;
  readonly words: string;
  readonly holders: readonly number[];
  /** Not named, between the last of them and those before; an older daemon counts none. */
  readonly more?: number;
}

function keptOf({ run, start }: WaitSpan, events: readonly EventJson[]): Kept[] {
  const event = events.find((one) => one.run === run && one.data['start'] === start && 'kept_back' in one.data);
  const kept = event?.data['kept_back'];
  return Array.isArray(kept) ? kept.filter(isKept) : [];
}

const isKept = (value: unknown): value is Kept =>
  typeof value === 'object' &&
  value !== null &&
  'ms' in value &&
  typeof value.ms === 'number' &&
  'words' in value &&
  typeof value.words === 'string' &&
  'holders' in value &&
  Array.isArray(value.holders);

/** Those that its words, from when it began, do not name. */
function holdersWords(words: string, holders: readonly number[], more = 0): string {
  const named = new Set(words.match(/\d+/g)?.map(Number));
  const later = holders.filter((run) => !named.has(run));
  if (later.length === 0) return '';
  const listed = (runs: readonly number[]): string => `${runs.length === 1 ? 'run' : 'runs'} ${runs.join(', ')}`;
  if (more === 0) return `; later by ${listed(later)}`;
  const [before, last] = [later.slice(0, -1), later.slice(-1)];
  const between = before.length === 0 ? '' : `${listed(before)} and `;
  return `; later by ${between}${more} more, at last by ${listed(last)}`;
}
