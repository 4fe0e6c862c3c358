import { OrcaError } from '../errors/orca-error.ts';
import type { SubmitRequest } from '../wire/api.ts';
import { wholeNumber } from './whole-number.ts';

type OomFields = NonNullable<SubmitRequest['oom']>;
type OomRetry = NonNullable<OomFields['retry']>;

/** What `run` and `submit` are told of deaths for memory, as it was typed. */
export interface OomOptions {
  readonly oomRetry?: string;
  readonly oomExit?: string;
  readonly oomText?: string;
}

/** Only what was typed; the daemon knows the rest. */
export function oomFields({ oomRetry, oomExit, oomText }: OomOptions): OomFields {
  return {
    ...(oomRetry === undefined ? {} : { retry: retryOf(oomRetry) }),
    ...(oomExit === undefined ? {} : { exit_codes: codesOf(oomExit) }),
    ...(oomText === undefined ? {} : { text: textOf(oomText) }),
  };
}

const retries: readonly OomRetry[] = ['proved', 'reported', 'never'];

function retryOf(value: string): OomRetry {
  const known = retries.find((retry) => retry === value);
  if (known !== undefined) return known;
  const why = `it is one of ${retries.join(', ')}`;
  throw new OrcaError('option-invalid', {
    option: '--oom-retry',
    value,
    why,
    hint: 'Write for example --oom-retry never.',
  });
}

/** 0 is no death: a run that ended with it succeeded. */
const codesOf = (value: string): number[] => [
  ...new Set(value.split(',').map((code) => wholeNumber('--oom-exit', code, 1, 255))),
];

function textOf(value: string): string {
  const length = [...value].length;
  const why = length === 0 ? 'it is empty' : length > 1000 ? 'at most 1000 characters are looked for' : null;
  if (why === null) return value;
  const hint = "Write for example --oom-text 'heap out of memory'.";
  throw new OrcaError('option-invalid', { option: '--oom-text', value, why, hint });
}
