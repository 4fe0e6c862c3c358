import { setTimeout } from 'node:timers/promises';
import { weakWarning } from '../secrets/mask-values.ts';
import { readSecretFile } from '../secrets/secret-file.ts';
import { filePathOf, variableOf } from '../secrets/secret-name.ts';
import { fetchWords, type SubmittedSecrets } from './submitted-secrets.ts';
import type { Scheduler } from './scheduler.ts';

/** A folder of a server that does not answer makes nobody wait longer. */
const withinMs = 500;

/** Which secrets of a submission are masked as whole words only, by name, as far as their values are at hand; null: none. */
export const warnWeakSecrets = async (
  scheduler: Pick<Scheduler, 'settings'>,
  { ids, kept }: Pick<SubmittedSecrets, 'ids' | 'kept'>,
): Promise<string | null> => {
  const all = Object.entries(ids);
  // A command is asked at the start only.
  if (all.length === 0 || fetchWords(scheduler).length > 0) return null;
  const values = await Promise.all(all.map(async ([name, id]) => ({ name, value: await atHand(id, kept) })));
  return weakWarning(values);
};

/** Nothing for what is elsewhere, or cannot be read now: the start will say so. */
const atHand = async (id: string, kept: ReadonlyMap<string, string>): Promise<string | Uint8Array> => {
  const path = filePathOf(id);
  if (path === null) return kept.get(variableOf(id) ?? '') ?? '';
  const waited = new AbortController();
  const read = readSecretFile(path)
    .catch(() => '')
    .finally(() => waited.abort());
  return Promise.race([read, setTimeout(withinMs, '', { signal: waited.signal }).catch(() => read)]);
};
