import { OrcaError } from '../errors/orca-error.ts';
import { parseLocation, type Location } from '../sample/location.ts';
import type { Context } from './context.ts';
import { pathHere } from './path-here.ts';
import { wholeNumber } from './whole-number.ts';

/** As typed. */
export interface SampleOptions {
  readonly out: string;
  readonly pid?: string;
  readonly until?: string;
  readonly match?: string;
  readonly dirs?: string;
  readonly seconds?: string;
  readonly count?: string;
  readonly keep?: string;
  readonly cgroup?: string;
  readonly names?: string;
}

/** What `orca sample` was asked for; null: not given. */
export interface SampleRequest {
  readonly out: Location;
  readonly pid: number | null;
  readonly until: string | null;
  readonly match: string | null;
  readonly folders: readonly string[] | null;
  readonly seconds: number | null;
  readonly count: number | null;
  readonly keep: number | null;
  readonly cgroup: string | null;
  readonly names: string | null;
}

const most = 2 ** 31;

/** Throws `option-invalid`, and what `pathHere` throws. */
export function sampleRequest(context: Pick<Context, 'cwd'>, options: SampleOptions): SampleRequest {
  const path = (typed: string | undefined): string | null => (typed === undefined ? null : pathHere(context, typed));
  const number = (option: string, typed: string | undefined): number | null =>
    typed === undefined ? null : wholeNumber(option, typed, 1, most);
  const out = parseLocation(options.out);
  if (out === null)
    throw refused('--out', options.out, 'it is no place to write to', 'Write a file, s3://bucket/key, or -.');
  const keep = number('--keep', options.keep);
  if (keep !== null && out.kind === 'stdout')
    throw refused('--keep', String(keep), 'what was written to standard output stays', 'Give a file with --out.');
  return {
    out: out.kind === 'file' ? { kind: 'file', path: pathHere(context, out.path) } : out,
    pid: number('--pid', options.pid),
    until: path(options.until),
    match: options.match ?? null,
    folders:
      options.dirs
        ?.split(',')
        .filter((folder) => folder !== '')
        .map((folder) => pathHere(context, folder)) ?? null,
    seconds: options.seconds === undefined ? null : seconds(options.seconds),
    count: number('--count', options.count),
    keep,
    cgroup: path(options.cgroup),
    names: path(options.names),
  };
}

function seconds(typed: string): number {
  const value = Number(typed);
  if (/^(\d+\.?\d*|\.\d+)$/.test(typed) && value > 0 && value <= 86400) return value;
  throw refused(
    '--seconds',
    typed,
    'a number of seconds over 0, up to 86400 (a day), is needed',
    'Write for example --seconds 5.',
  );
}

const refused = (option: string, value: string, why: string, hint: string): OrcaError =>
  new OrcaError('option-invalid', { option, value, why, hint });
