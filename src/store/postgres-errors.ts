import { OrcaError } from '../errors/orca-error.ts';

/** An error of Postgres, or of the way to it, as one that a person understands. Never holds the URL: it may hold a password. */
export const explainPostgres = (error: unknown): unknown => {
  if (error instanceof OrcaError || !(error instanceof Error)) return error;
  const { code = '' } = error as Error & { readonly code?: string };
  // A failed connection to several addresses has its messages inside.
  const why = error instanceof AggregateError ? error.errors.map(String).join('; ') : error.message;
  // Classes and codes: https://www.postgresql.org/docs/15/errcodes-appendix.html
  if (code === '53100') return new OrcaError('store-full', { file: 'Postgres', why }, error);
  if (isAway(code, why)) return new OrcaError('store-unreachable', { why }, error);
  if (code === '42501' || code === '25006') return new OrcaError('store-unwritable', { file: 'Postgres', why }, error);
  if (code.startsWith('XX')) return new OrcaError('store-corrupt', { file: 'Postgres', why }, error);
  return error;
};

/** No connection, refused (28: authorization, 3D: no such database), shut down (57P), too many (53300), or broken off (08 and the driver's words). */
const isAway = (code: string, why: string): boolean =>
  /^(08|28|3D|57P|533)/.test(code) ||
  /^E(CONN|PIPE|HOST|NET|ACCES|NOENT|AI_|TIMEDOUT)/.test(code) ||
  code === 'ENOTFOUND' ||
  /connection terminated|timeout exceeded when trying to connect|not queryable/i.test(why);
