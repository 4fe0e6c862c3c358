import { hostname } from 'node:os';
import { ObjectFailure } from '../objects/object-failure.ts';
import type { ObjectStorage } from '../objects/object-storage.ts';
import { formatObjectAddress, keyBelow, type ObjectAddress } from '../units/object-address.ts';
import type { Scheduler } from './scheduler.ts';

/** Below the place of all logs. */
const ownerName = '.orca';
const mostBytes = 4096;

/**
 * Every store counts its runs from 1, so that two which keep their logs in one place would overwrite each other's. An object there says whose it is; the first
 * that comes writes it. Throws where it is another one's. `place`: a run's own, two parts below.
 */
export const ensureOurs = async (
  scheduler: Scheduler,
  storage: ObjectStorage,
  place: ObjectAddress,
  signal: AbortSignal,
): Promise<void> => {
  const { ours, storeId } = scheduler.logMoving;
  const root = rootOf(place);
  const where = formatObjectAddress(root);
  if (ours.has(where)) return;
  const key = keyBelow(root, ownerName);
  const mine = `${JSON.stringify({ store: storeId, host: hostname(), state: scheduler.state.folder })}\n`;
  let found = await readOwner(storage, key, signal);
  if (found === null) {
    await storage.putNew(key, Buffer.from(mine), signal);
    found = await readOwner(storage, key, signal);
  }
  const owner = ownerOf(found ?? '');
  if (owner.store !== storeId) {
    const who = `another orca's (${owner.state} on ${owner.host})`;
    throw new ObjectFailure(`${where} is ${who}: give this one a prefix of its own`);
  }
  ours.add(where);
};

/** Whether what lies at a run's place is another store's: then nothing of ours ever got there. Throws where nobody can say. */
export const isOthers = async (
  { logMoving: { ours, storeId } }: Scheduler,
  storage: ObjectStorage,
  place: ObjectAddress,
  signal: AbortSignal,
): Promise<boolean> => {
  const root = rootOf(place);
  if (ours.has(formatObjectAddress(root))) return false;
  if (storeId === null) throw new ObjectFailure('it is not known yet which store this is');
  const found = await readOwner(storage, keyBelow(root, ownerName), signal);
  return found !== null && ownerOf(found).store !== storeId;
};

const rootOf = (place: ObjectAddress): ObjectAddress => ({
  ...place,
  prefix: place.prefix.split('/').slice(0, -2).join('/'),
});

const readOwner = async (storage: ObjectStorage, key: string, signal: AbortSignal): Promise<string | null> => {
  try {
    return Buffer.from(await storage.read(key, 0, mostBytes, signal)).toString();
  } catch (error) {
    if (error instanceof ObjectFailure && error.absent) return null;
    throw error;
  }
};

const ownerOf = (text: string): { readonly store: string; readonly host: string; readonly state: string } => {
  try {
    const found = JSON.parse(text) as Record<string, unknown>;
    return { store: String(found['store']), host: String(found['host']), state: String(found['state']) };
  } catch {
    return { store: '', host: 'an unknown host', state: 'an unknown state folder' };
  }
};
