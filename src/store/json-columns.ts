/**
 * What rows keep as JSON, read back. One that is damaged, or was written by a program that means something else by it, reads as what is usual,
 * and its damage is told: a bad row takes no other with it. Nothing here throws.
 */
import { usualOomRules, type OomRules } from '../runs/oom-rules.ts';
import { noExtras, type Extras } from '../runs/extras.ts';
import { noNeeds, type Needs } from '../runs/needs.ts';
import type { Paused } from '../runs/paused.ts';
import { millis } from '../units/brands.ts';
import type { MovedLog } from '../units/moved-log.ts';
import type { RunRow } from './schema.ts';
import { count, either, flag, listOf, mapOf, objectOf, oneOf, orNull, someOf, text, type Shape } from './shapes.ts';

/** What a row keeps as JSON of what was asked for. */
type Kept = Pick<RunRow, 'argv' | 'settings' | 'oom' | 'needs' | 'extras' | 'secrets'>;

export interface ReadBack {
  readonly argv: readonly string[];
  readonly settings: Readonly<Record<string, string>>;
  readonly oom: OomRules;
  readonly needs: Needs;
  readonly extras: Extras;
  /** Where each secret is kept, by the variable that it goes into. */
  readonly secrets: Readonly<Record<string, string>>;
  /** Which columns cannot be read, and why; null: all can. What stands for such a column here is nothing that anybody asked for. */
  readonly damage: string | null;
}

/** A command is never empty, so that this stands for none. */
const unknownCommand = ['(unreadable)'] as const;

/** Stands where it cannot be read which secrets a run has: it may have any, so that nothing it wrote is shown unmasked. */
export const unknownSecrets: Readonly<Record<string, string>> = { '(unreadable)': '(unreadable)' };

export const readBack = (row: Kept): ReadBack => {
  const damage: string[] = [];
  const read = <T>(column: keyof Kept, usual: T): T => {
    const { value, why } = readJson<T>(row[column], shapes[column], usual);
    if (why !== null) damage.push(`${column} ${why}`);
    return value;
  };
  return {
    argv: read<readonly string[]>('argv', unknownCommand),
    settings: read('settings', {}),
    oom: read('oom', usualOomRules),
    needs: read('needs', noNeeds),
    extras: { ...noExtras, ...read<Partial<Extras>>('extras', noExtras) },
    secrets: row.secrets === null ? {} : read('secrets', unknownSecrets),
    damage: damage.length === 0 ? null : damage.join(', '),
  };
};

export const argvOf = ({ argv }: Pick<RunRow, 'argv'>): readonly string[] =>
  readJson(argv, shapes.argv, unknownCommand as readonly string[]).value;

export const needsOf = ({ needs }: Pick<RunRow, 'needs'>): Needs => readJson(needs, shapes.needs, noNeeds).value;

export const extrasOf = ({ extras }: Pick<RunRow, 'extras'>): Extras => ({
  ...noExtras,
  ...readJson<Partial<Extras>>(extras, shapes.extras, noExtras).value,
});

/** What was held back stays so, also where nobody knows any more by whom. */
export const pausedOf = (paused: string | null): Paused | null =>
  paused === null ? null : readJson<Paused>(paused, shapes.paused, unknownPause).value;

const unknownPause: Paused = { by: 'somebody', reason: 'what the store has of it cannot be read', at: millis(0) };

/** An event's facts; those of one that cannot be read say only that. */
export const factsOf = (data: string): Readonly<Record<string, unknown>> => {
  const { value, why } = readJson<Readonly<Record<string, unknown>>>(
    data,
    mapOf(() => null),
    {},
  );
  return why === null ? value : { unreadable: why };
};

/** Devices, by their ids. */
export const gpusOf = (gpus: string | null): readonly string[] => readJson<string[]>(gpus, listOf(text), []).value;

export interface MovedLogs {
  readonly stdout: MovedLog;
  readonly stderr: MovedLog;
}

/** Null: nothing was moved yet. What cannot be read does not stand for that. */
export const movedLogsOf = (moved: string | null): MovedLogs | 'damaged' | null =>
  moved === null ? null : readJson<MovedLogs | 'damaged'>(moved, shapes.moved, 'damaged').value;

/** `usual` stands for null, and for what cannot be read. */
const readJson = <T>(json: string | null, shape: Shape, usual: T): { value: T; why: string | null } => {
  if (json === null) return { value: usual, why: null };
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    return { value: usual, why: json === '' ? 'is empty' : 'is not JSON' };
  }
  const why = shape(value);
  return why === null ? { value: value as T, why } : { value: usual, why };
};

const inputFile = objectOf({ path: text, bytes: orNull(count) });
const retryOn = objectOf({ codes: listOf(count), verdicts: listOf(oneOf(['failed', 'timed-out', 'lost'])) });

const movedLog = objectOf({
  bytes: count,
  gone: orNull(objectOf({ from: count, to: count, line: count })),
  times: flag,
});

const shapes = {
  argv: (value) => listOf(text)(value) ?? ((value as readonly string[]).length === 0 ? 'has no command' : null),
  settings: mapOf(text),
  oom: objectOf({
    retry: oneOf(['proved', 'reported', 'never']),
    exit_codes: listOf(count),
    text: orNull(text),
  }),
  needs: objectOf({
    gpus: count,
    locks: listOf(text),
    resources: mapOf(count),
    after: listOf(either(objectOf({ run: count, any: flag }), objectOf({ group: count, any: flag }))),
    max_parallel: orNull(count),
  }),
  extras: someOf({
    tags: listOf(text),
    inputs: listOf(inputFile),
    retry_on: orNull(retryOn),
    memory_env: listOf(text),
    capture: oneOf(['all', 'minimal', 'none']),
    cpus_asked: flag,
    key_window_ms: orNull(count),
  }),
  secrets: mapOf(text),
  moved: objectOf({ stdout: movedLog, stderr: movedLog }),
  paused: objectOf({ by: text, reason: orNull(text), at: count }),
} satisfies Readonly<Record<string, Shape>>;
