import { join } from 'node:path';

/** Where sample lines go. */
export type Location =
  | { readonly kind: 'stdout' }
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'object'; readonly bucket: string; readonly key: string };

/** `-`, `s3://bucket/key`, or a file; null for what names a place that orca cannot write to. */
export const parseLocation = (text: string): Location | null => {
  if (text === '-') return { kind: 'stdout' };
  const [, scheme, rest = ''] = /^([a-z][a-z0-9+.-]*):\/\/(.*)$/is.exec(text) ?? [];
  if (scheme === undefined) return text === '' || text.includes('\0') ? null : { kind: 'file', path: text };
  const [, bucket, key] = /^([a-z0-9][a-z0-9.-]*)\/(.*[^/])$/is.exec(rest) ?? [];
  if (scheme.toLowerCase() !== 's3' || bucket === undefined || key === undefined) return null;
  return { kind: 'object', bucket, key };
};

/** Where an instance's samples of a run lie; empty without a folder for logs (seed 001: metrics_location). */
export const metricsLocation = (logs: string, pipeline: string, run: number, instance: string): string =>
  logs === '' ? '' : join(logs, pipeline, String(run), 'metrics', `${instance}.jsonl`);

/** A worker's name as that of an instance, with `_` for what may be in no file's name (seed 001: machine_name). */
export const machineName = (worker: string): string => `worker-${worker.replaceAll(/[^A-Za-z0-9._-]/gu, '_')}`;
