import { OrcaError } from '../errors/orca-error.ts';
import { commandName } from '../runs/command-name.ts';
import type { Extras } from '../runs/extras.ts';
import type { Needs } from '../runs/needs.ts';
import type { OomRules } from '../runs/oom-rules.ts';
import type { Bytes, Millis, RunId } from '../units/brands.ts';
import { takeRunIds } from './ids.ts';
import type { NewRunRow, Tx } from './schema.ts';
import { withoutNul } from './text.ts';

/** The pipeline that plain commands belong to. */
export const commandPipeline = 1;

export interface NewRun {
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly umask: number;
  readonly name: string | null;
  readonly env_file: boolean;
  readonly cpus_milli: number;
  readonly memory_min_bytes: Bytes | null;
  readonly memory_max_bytes: Bytes | null;
  /** What earlier deaths of its command made of its memory. */
  readonly raised_bytes?: Bytes | null;
  readonly retries: number;
  readonly timeout_ms: Millis | null;
  readonly priority: number;
  readonly stdin: { readonly kind: 'null' } | { readonly kind: 'file' | 'spool'; readonly path: string };
  readonly owner: string | null;
  readonly settings: Readonly<Record<string, string>>;
  /** What was said of deaths for memory; left out: nothing. */
  readonly oom?: OomRules;
  /** The start that it was called inside of. */
  readonly parent?: { readonly run: RunId; readonly start: number } | null;
  /** What it needs besides cpus and memory; left out: nothing. */
  readonly needs?: Needs;
  readonly extras?: Extras;
  readonly submitter?: string | null;
  readonly group_id?: number | null;
  readonly key?: string | null;
  /** Null: the default one. */
  readonly placement?: string | null;
  /** Where each secret is kept, by the variable that it goes into. */
  readonly secrets?: Readonly<Record<string, string>>;
  readonly submitted_at: Millis;
  /** Why it may not start yet, when that is known already. */
  readonly held?: string | null;
}

export interface Submission {
  readonly token: string;
  readonly runs: readonly NewRun[];
  /** Numbers taken before with `takeRunIds`, one for each run; left out: taken here. */
  readonly ids?: readonly RunId[];
  /** Which of the submission's commands each is, where not all of them make a run. */
  readonly indices?: readonly number[];
  /** Throws where there is no room for so many runs that were not there before. */
  readonly checkRoom?: (fresh: number) => void;
}

export interface Inserted {
  readonly ids: readonly RunId[];
  /** False: this token was known, and these are the runs that it made then. */
  readonly fresh: boolean;
}

/** Makes the runs of a submission, queued; with a token that was used before, finds them. */
export const insertRuns = async (tx: Tx, submission: Submission): Promise<Inserted> => {
  const token = withoutNul('The token', submission.token);
  const known = await runsOfToken(tx, token);
  if (known.length > 0) return again(known, submission);
  if (submission.runs.length === 0) return { ids: [], fresh: true };
  submission.checkRoom?.(submission.runs.length);

  const ids = submission.ids ?? (await takeRunIds(tx, submission.runs.length));
  if (ids.length !== submission.runs.length) throw new RangeError('one id for each run');
  const rows = submission.runs.map((run, index) =>
    rowOf(run, token, submission.indices?.[index] ?? index, ids[index] as RunId),
  );
  const tags = submission.runs.flatMap((run, index) =>
    [...new Set(run.extras?.tags)].map((tag) => ({ tag, run: ids[index] as RunId })),
  );
  let made = 0n;
  for (let at = 0; at < rows.length; at += rowsAtOnce) {
    const result = await tx
      .insertInto('runs')
      .values(rows.slice(at, at + rowsAtOnce))
      .onConflict((conflict) => conflict.columns(['token', 'token_index']).doNothing())
      .executeTakeFirst();
    made += result.numInsertedOrUpdatedRows ?? 0n;
  }
  if (made === BigInt(rows.length)) {
    for (let at = 0; at < tags.length; at += tagsAtOnce) {
      await tx
        .insertInto('tags')
        .values(tags.slice(at, at + tagsAtOnce))
        .execute();
    }
    return { ids, fresh: true };
  }
  // Another writer committed the same token since we looked.
  return again(await runsOfToken(tx, token), submission);
};

/** 35 columns each; SQLite takes 32,766 parameters, Postgres 65,535. */
const rowsAtOnce = 500;
const tagsAtOnce = 5000;

const runsOfToken = async (tx: Tx, token: string): Promise<RunId[]> => {
  const rows = await tx.selectFrom('runs').select('id').where('token', '=', token).orderBy('token_index').execute();
  return rows.map((row) => row.id);
};

const again = (known: readonly RunId[], submission: Submission): Inserted => {
  if (known.length !== submission.runs.length) {
    throw new OrcaError('token-reused', { known: known.length, given: submission.runs.length });
  }
  return { ids: known, fresh: false };
};

/** Null for nothing said, which is the usual. */
const jsonOf = (what: string, value: object | undefined): string | null =>
  value === undefined ? null : withoutNul(what, JSON.stringify(value));

const rowOf = (run: NewRun, token: string, index: number, id: RunId): NewRunRow => {
  for (const argument of run.argv) withoutNul('An argument', argument);
  for (const [name, value] of Object.entries(run.settings)) withoutNul(`The setting ${name}`, name + value);
  if (run.oom?.text != null) withoutNul('The text of --oom-text', run.oom.text);
  return {
    id,
    pipeline_id: commandPipeline,
    token,
    token_index: index,
    name: run.name === null ? null : withoutNul('The name', run.name),
    state: 'queued',
    argv: JSON.stringify(run.argv),
    cwd: withoutNul('The folder', run.cwd),
    umask: run.umask,
    env_file: run.env_file ? 1 : 0,
    cpus_milli: run.cpus_milli,
    memory_min_bytes: run.memory_min_bytes,
    memory_max_bytes: run.memory_max_bytes,
    raised_bytes: run.raised_bytes ?? null,
    retries: run.retries,
    timeout_ms: run.timeout_ms,
    priority: run.priority,
    stdin_kind: run.stdin.kind,
    stdin_path: run.stdin.kind === 'null' ? null : withoutNul('The path of standard input', run.stdin.path),
    owner: run.owner === null ? null : withoutNul('The owner', run.owner),
    settings: JSON.stringify(run.settings),
    oom: run.oom === undefined ? null : JSON.stringify(run.oom),
    parent_run: run.parent?.run ?? null,
    parent_start: run.parent?.start ?? null,
    submitter: run.submitter == null ? null : withoutNul('The submitter', run.submitter),
    group_id: run.group_id ?? null,
    key: run.key == null ? null : withoutNul('The key', run.key),
    command: commandName(run),
    needs: jsonOf('What it needs', run.needs),
    extras: jsonOf('What was said of it', run.extras),
    placement: run.placement ?? null,
    secrets: jsonOf('The secrets', run.secrets),
    submitted_at: run.submitted_at,
    held: run.held ?? null,
  };
};
