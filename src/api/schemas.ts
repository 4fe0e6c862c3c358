import { z } from 'zod';

const count = z.number().int().min(0).max(Number.MAX_SAFE_INTEGER);
const positive = count.min(1);
/** The kernel ends a C string at NUL: text that holds one can be no argument, path or variable. */
const cString = z
  .string()
  .refine((text) => !text.includes('\0'), 'holds a NUL byte, which the kernel takes for an end');
const argv = z.array(cString).min(1, 'is empty');
const byteSize = z.number().int().min(1).max(Number.MAX_SAFE_INTEGER);

export const submitSchema = z.object({
  token: z.string().min(1).max(200),
  commands: z.array(argv).min(1).max(10_000),
  cwd: cString.startsWith('/', 'is not an absolute path'),
  env: z.record(cString, cString),
  umask: count.max(0o777),
  name: z.string().min(1).max(200).nullable(),
  cpus: z.number().positive().max(100_000),
  memory: z
    .object({ min_bytes: byteSize, max_bytes: byteSize })
    .refine((size) => size.min_bytes <= size.max_bytes, 'has a minimum over its maximum')
    .nullable(),
  retries: count.max(1000),
  timeout_ms: positive.nullable(),
  priority: z.number().int().min(-1_000_000).max(1_000_000),
  stdin: z.union([
    z.object({ kind: z.literal('null') }),
    z.object({ kind: z.enum(['file', 'spool']), path: cString.startsWith('/') }),
  ]),
  owner: z.string().min(1).max(200).nullable(),
  settings: z.record(z.string(), z.string()),
});

export const retrySchema = z.object({ token: z.string().min(1).max(200), env: z.record(cString, cString) });

export const detachSchema = z.object({ owner: z.string().min(1) });

export const killSchema = z.object({
  runs: z.array(positive).min(1).max(100_000),
  by: z.string().min(1).max(500),
  now: z.boolean().optional(),
});

export const waitSchema = z.object({
  runs: z.array(positive).min(1).max(1_000_000),
  owner: z.string().min(1).optional(),
  detail: z.enum(['full', 'final']),
});

export const downSchema = z.object({ drain: z.boolean().optional() });

const states = z.enum([
  'queued',
  'starting',
  'running',
  'succeeded',
  'failed',
  'out-of-memory',
  'killed',
  'timed-out',
  'lost',
]);

export const listSchema = z.object({
  state: z.array(states),
  limit: z.coerce.number().int().min(1).max(10_000).default(100),
  before: z.coerce.number().int().min(1).optional(),
});

export const logsSchema = z.object({
  stream: z.enum(['stdout', 'stderr']).default('stdout'),
  start: z.coerce.number().int().min(1).optional(),
  offset: z.coerce.number().int().min(0).optional(),
  tail: z.coerce.number().int().min(0).optional(),
  follow: z.literal('1').optional(),
});

export const runSchema = z.coerce.number().int().min(1).max(Number.MAX_SAFE_INTEGER);
export const sinceSchema = z.coerce.number().int().min(0).default(0);
