import { OrcaError } from '../errors/orca-error.ts';
import { parseDuration } from '../units/parse-duration.ts';

/** Where to begin: after an event's number, or at a moment in epoch ms. */
export type Since = { readonly id: number } | { readonly at: number };

const moment = /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)?)?$/;

/** `417`, `10m`, or `2026-11-30 08:12:03`: a moment without a zone is UTC, as orca prints them. */
export function parseSince(value: string, now: number): Since {
  if (/^\d{1,16}$/.test(value)) return { id: Number(value) };
  const at = momentOf(value, now);
  if (at !== null) return { at };
  const why = 'it is neither the number of an event, nor a duration, nor a moment';
  const hint = 'Write 417, 10m, or 2026-11-30T08:12:03Z.';
  throw new OrcaError('option-invalid', { option: '--since', value, why, hint });
}

/** `10m` or `2026-11-30 08:12:03`, in epoch ms. */
export function parseMoment(value: string, now: number): number {
  const at = momentOf(value, now);
  if (at !== null) return at;
  const why = 'it is neither a duration nor a moment';
  throw new OrcaError('option-invalid', { option: '--since', value, why, hint: 'Write 10m, or 2026-11-30T08:12:03Z.' });
}

function momentOf(value: string, now: number): number | null {
  if (moment.test(value)) {
    const zoned = /(?:Z|[+-]\d\d:\d\d)$/.test(value.slice(10)) || value.length === 10 ? value : `${value}Z`;
    const at = Date.parse(zoned.replace(' ', 'T'));
    if (!Number.isNaN(at)) return Math.max(0, at);
  }
  return /^\d+(\.\d+)?[a-z]/.test(value) ? Math.floor(Math.max(0, now - parseDuration(value))) : null;
}
