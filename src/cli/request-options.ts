import { OrcaError } from '../errors/orca-error.ts';
import { withoutStartVariables } from '../settings/start-variables.ts';
import { looksLikeHandle } from '../runs/handle.ts';
import { parseDuration } from '../units/parse-duration.ts';
import { parseSizeRange, type SizeRange } from '../units/parse-size-range.ts';
import { visibleText } from '../units/visible-text.ts';
import type { SubmitRequest } from '../wire/api.ts';
import { keyFields, type KeyOptions } from './key-options.ts';
import { needsFields, type NeedsOptions } from './needs-options.ts';
import { oomFields, type OomOptions } from './oom-options.ts';
import { optionWord, refusedOption } from './option-word.ts';
import type { PlacementOptions } from './placement-options.ts';
import { retryOnOf } from './retry-on.ts';
import { wholeNumber } from './whole-number.ts';

/** What `run` and `submit` are asked for a run, as it was typed. */
export interface RequestOptions extends OomOptions, PlacementOptions, NeedsOptions, KeyOptions {
  readonly cpus?: string;
  readonly memory?: string;
  readonly retries?: string;
  readonly retryOn?: string;
  readonly timeout?: string;
  readonly priority?: string;
  readonly name?: string;
  readonly tag?: readonly string[];
  readonly idFile?: string;
  readonly cwd?: string;
  readonly env?: readonly string[];
  readonly stdin?: string;
}

export type RequestFields = Pick<
  SubmitRequest,
  | 'cpus'
  | 'memory'
  | 'retries'
  | 'timeout_ms'
  | 'priority'
  | 'name'
  | 'oom'
  | 'gpus'
  | 'locks'
  | 'resources'
  | 'after'
  | 'retry_on'
  | 'key_window_ms'
  | 'tags'
>;

/** Bytes of 1 MB: limits are whole MB, so less could not be kept. */
const leastMemory = 1048576;

/** The options as the daemon takes them; each bad one is one sentence and exit status 120. */
export function requestFields(options: RequestOptions): RequestFields {
  const range = options.memory === undefined ? null : memoryOf(options.memory);
  const oom = oomFields(options);
  return {
    cpus: options.cpus === undefined ? 1 : cpusOf(options.cpus),
    memory: range === null ? null : { min_bytes: range.min, max_bytes: range.max },
    retries: options.retries === undefined ? 0 : wholeNumber('--retries', options.retries, 0, 1000),
    timeout_ms: options.timeout === undefined ? null : parseDuration(options.timeout),
    priority: options.priority === undefined ? 0 : wholeNumber('--priority', options.priority, -1_000_000, 1_000_000),
    name: options.name === undefined ? null : nameOf(options.name),
    ...(Object.keys(oom).length === 0 ? {} : { oom }),
    ...needsFields(options),
    ...keyFields(options),
    ...(options.retryOn === undefined ? {} : { retry_on: coveredBy(options.retryOn, options.retries) }),
    ...(options.tag === undefined ? {} : { tags: tagsOf(options.tag) }),
  };
}

function coveredBy(value: string, retries: string | undefined): ReturnType<typeof retryOnOf> {
  const on = retryOnOf(value);
  if (retries !== undefined) return on;
  const hint = 'Write for example --retries 3 with it.';
  throw refusedOption('--retry-on', value, 'it says what --retries covers, and there are none', hint);
}

function tagsOf(values: readonly string[]): string[] {
  if (values.length > 100)
    throw refusedOption('--tag', `(${values.length} of them)`, 'at most 100 can be given', 'Give fewer.');
  return [...new Set(values.map((value) => optionWord('--tag', value, 100, 'nightly')))];
}

function memoryOf(value: string): SizeRange {
  const range = parseSizeRange(value);
  if (range.min >= leastMemory) return range;
  const hint = 'Write for example --memory 512MB, or --memory 2GB..8GB.';
  throw new OrcaError('option-invalid', { option: '--memory', value, why: 'at least 1MB is needed', hint });
}

function cpusOf(value: string): number {
  const why = cpusFault(value);
  if (why === null) return Number(value);
  const hint = 'Write for example --cpus 2, or --cpus 0.5 for half of one.';
  throw new OrcaError('option-invalid', { option: '--cpus', value, why, hint });
}

function cpusFault(value: string): string | null {
  // A number below 0 is still a number, and too small.
  if (!/^-?(\d+\.?\d*|\.\d+)$/.test(value)) return 'it is not a number';
  if (Number(value) < 0.001) return 'at least 0.001 is needed';
  return Number(value) > 65536 ? 'at most 65536 can be asked for' : null;
}

function nameOf(value: string): string {
  const why = nameFault(value);
  if (why === null) return value;
  throw new OrcaError('option-invalid', {
    option: '--name',
    value,
    why,
    hint: 'Write for example --name nightly-load.',
  });
}

function nameFault(value: string): string | null {
  if (value === '') return 'a name has at least one character';
  if ([...value].length > 100) return 'a name has at most 100 characters';
  if (visibleText(value) !== value) return 'it has characters that would change a terminal (escape or control bytes)';
  if (looksLikeHandle(value)) return 'such a name would look like the number of a run, or like a group';
  if (value.startsWith('_')) return 'names that begin with _ are orca’s own';
  return null;
}

/** The caller's environment with `--env NAME=VALUE` over it, without what makes a process part of another run. */
export function environmentOf(
  env: Readonly<Record<string, string>>,
  changes: readonly string[],
): Readonly<Record<string, string>> {
  const result = withoutStartVariables(env);
  for (const change of changes) {
    const equals = change.indexOf('=');
    if (equals < 1 || change.includes('\0')) {
      const hint = 'Write --env NAME=VALUE; NAME= gives an empty value.';
      throw new OrcaError('option-invalid', { option: '--env', value: change, why: 'it has no NAME before a =', hint });
    }
    result[change.slice(0, equals)] = change.slice(equals + 1);
  }
  return result;
}
