import * as z from 'zod/mini';
import en from 'zod/v4/locales/en.js';
import { looksLikeHandle } from '../runs/handle.ts';
import { parsePlacement } from '../runs/placement.ts';
import { runStates } from '../runs/states.ts';
import { mostDurationMs } from '../units/parse-duration.ts';
import { secretIdProblem, secretNameProblem } from '../secrets/secret-name.ts';

// zod/mini and one language of messages: the whole of zod costs the daemon 400 KB of code and several MB of memory.
z.config(en());

const most = Number.MAX_SAFE_INTEGER;
const whole = (least: number, upTo = most) => z.number().check(z.int(), z.minimum(least), z.maximum(upTo));
const wholeText = (least: number, upTo = most) => z.coerce.number().check(z.int(), z.minimum(least), z.maximum(upTo));
/** The kernel ends a C string at NUL, and Postgres keeps none: no text may hold one. */
const noNul = z.refine<string>((text) => !text.includes('\0'), 'holds a NUL byte, which the kernel takes for an end');
/** What every text of a request begins with. */
const anyText = z.string().check(noNul);
const word = (longest: number) => anyText.check(z.minLength(1), z.maxLength(longest));
/** A number names a run, and one with a g before it a group. */
const notAHandle = z.refine<string>(
  (text) => !looksLikeHandle(text),
  'is a number, or a g and a number, which would be taken for a run or a group',
);
const path = anyText.check(z.startsWith('/', 'is not an absolute path'));
const environment = z.record(anyText, anyText);
/** As it is stored: the default one is null. */
const isPlacement = (text: string): boolean => parsePlacement(text).placement !== null;
const secretNames = z.refine<Readonly<Record<string, string>>>(
  (ids) => Object.keys(ids).every((name) => secretNameProblem(name) === null),
  'names what can be no variable of a secret',
);
const secretId = anyText.check(z.refine((id) => secretIdProblem(id) === null, 'can name no secret'));

const group = z.exactOptional(z.union([z.literal('new'), whole(1)]));

export const submitSchema = z.object({
  token: word(200),
  commands: z
    .array(z.array(anyText).check(z.minLength(1, 'is empty')))
    .check(z.minLength(1, 'is empty'), z.maxLength(10_000, 'holds more than 10,000 commands: send them in parts')),
  cwd: path,
  env: environment,
  umask: whole(0, 0o777),
  name: z.nullable(word(200).check(notAHandle)),
  cpus: z.number().check(z.positive(), z.maximum(100_000)),
  memory: z.nullable(
    z
      .object({ min_bytes: whole(1), max_bytes: whole(1) })
      .check(z.refine((size) => size.min_bytes <= size.max_bytes, 'has a minimum over its maximum')),
  ),
  retries: whole(0, 1000),
  timeout_ms: z.nullable(whole(1, mostDurationMs)),
  priority: whole(-1_000_000, 1_000_000),
  stdin: z.union([z.object({ kind: z.literal('null') }), z.object({ kind: z.enum(['file', 'spool']), path })]),
  owner: z.nullable(word(200)),
  settings: z.record(anyText, anyText),
  inside: z.exactOptional(z.object({ run: whole(1), start: word(200) })),
  gpus: z.exactOptional(whole(0, 4096)),
  locks: z.exactOptional(z.array(word(100)).check(z.maxLength(100))),
  resources: z.exactOptional(z.record(word(100), whole(1, 1_000_000))),
  after: z.exactOptional(
    z
      .array(z.union([z.object({ run: whole(1), any: z.boolean() }), z.object({ group: whole(1), any: z.boolean() })]))
      .check(z.maxLength(1000)),
  ),
  group,
  max_parallel: z.exactOptional(whole(1, 1_000_000)),
  keys: z.exactOptional(z.array(word(200))),
  key_window_ms: z.exactOptional(whole(0, mostDurationMs)),
  tags: z.exactOptional(z.array(word(100)).check(z.maxLength(100))),
  submitter: z.exactOptional(z.nullable(word(100))),
  inputs: z.exactOptional(z.array(z.object({ path, bytes: z.nullable(whole(0)) })).check(z.maxLength(10_000))),
  retry_on: z.exactOptional(
    z.object({
      codes: z.array(whole(1, 255)).check(z.maxLength(255)),
      verdicts: z.array(z.enum(['failed', 'timed-out', 'lost'])).check(z.maxLength(3)),
    }),
  ),
  memory_env: z.exactOptional(z.array(word(1000)).check(z.maxLength(100))),
  capture: z.exactOptional(z.enum(['all', 'minimal', 'none'])),
  cpus_asked: z.exactOptional(z.boolean()),
  more: z.exactOptional(whole(0)),
  placement: z.exactOptional(
    z.nullable(anyText.check(z.refine(isPlacement, 'is none of control, worker:<pool>, ec2, slurm, kube'))),
  ),
  secrets: z.exactOptional(z.record(anyText, secretId).check(secretNames)),
  oom: z.exactOptional(
    z.object({
      retry: z.exactOptional(z.enum(['proved', 'reported', 'never'])),
      exit_codes: z.exactOptional(z.array(whole(1, 255)).check(z.maxLength(255))),
      text: z.exactOptional(z.nullable(word(2000))),
    }),
  ),
});

const submitter = z.exactOptional(z.nullable(word(100)));

const retried = {
  env: environment,
  set: z.exactOptional(environment),
  submitter,
  instead: z.exactOptional(
    z
      .array(z.object({ run: z.exactOptional(whole(1)), group: z.exactOptional(whole(1)), by: whole(1) }))
      .check(z.maxLength(1_000_000)),
  ),
};

export const retrySchema = z.object({ ...retried, token: word(200), group });

export const retryRunsSchema = z.object({
  ...retried,
  // Room for the number of a run behind it.
  token: word(150),
  runs: z.array(z.object({ run: whole(1), of: z.nullable(whole(1)) })).check(z.maxLength(1000)),
  more: z.exactOptional(z.array(whole(1)).check(z.maxLength(1_000_000))),
});

export const detachSchema = z.object({ owner: word(200) });

const chosen = {
  runs: z._default(z.array(whole(1)).check(z.maxLength(100_000)), []),
  groups: z._default(z.array(whole(1)).check(z.maxLength(1000)), []),
  tags: z._default(z.array(word(100)).check(z.maxLength(1000)), []),
};

export const killSchema = z
  .object({
    ...chosen,
    by: word(500),
    now: z.optional(z.boolean()),
    owner: z.optional(word(200)),
  })
  .check(z.refine(({ runs, groups, tags }) => runs.length + groups.length + tags.length > 0, 'names no runs'));

export const chooseSchema = z.object({ ...chosen, over: z._default(z.boolean(), false) });

export const pauseSchema = z.object({
  ...chosen,
  by: word(500),
  reason: z._default(z.nullable(word(1000)), null),
  drain: z.optional(z.boolean()),
});
export const resumeSchema = z.object({ ...chosen, by: word(500) });

export const waitSchema = z.object({
  runs: z.array(whole(1)).check(z.minLength(1), z.maxLength(1_000_000)),
  owner: z.optional(word(200)),
  detail: z.enum(['full', 'final']),
  next: z.optional(z.object({ since: z.nullable(whole(0)) })),
  inside: z.exactOptional(z.object({ run: whole(1), start: word(200) })),
});

export const gcSchema = z.object({
  older_than_ms: z.exactOptional(whole(0, mostDurationMs)),
  keep: z.exactOptional(whole(0)),
  dry_run: z.exactOptional(z.boolean()),
});

export const downSchema = z.object({ drain: z.optional(z.boolean()) });

export const listSchema = z.object({
  state: z.array(z.enum(runStates)),
  tag: z.array(word(100)).check(z.maxLength(100)),
  limit: z._default(wholeText(1, 10_000), 100),
  before: z.optional(wholeText(1)),
  group: z.optional(wholeText(1)),
  key: z.optional(word(200)),
  name: z.optional(word(200)),
});

export const logsSchema = z.object({
  stream: z._default(z.enum(['stdout', 'stderr']), 'stdout'),
  start: z.optional(wholeText(1)),
  offset: z.optional(wholeText(0)),
  tail: z.optional(wholeText(0)),
  since_ms: z.optional(wholeText(0)),
  follow: z.optional(z.literal('1')),
});

export const runSchema = wholeText(1);
/** A header or a word of the query. */
export const sinceSchema = z._default(wholeText(0), 0);
export const eventsSchema = z.object({
  at: z.optional(wholeText(0)),
  run: z.array(wholeText(1)).check(z.maxLength(1000)),
  group: z.array(wholeText(1)).check(z.maxLength(100)),
  kind: z.array(word(100)).check(z.maxLength(100)),
  queue: z._default(z.enum(['0', '1']), '0'),
  follow: z._default(z.enum(['0', '1']), '1'),
});
