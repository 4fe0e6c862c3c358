import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before } from 'node:test';
import { openStore } from '../../src/store/open-store.ts';
import type { Store, StorePlace } from '../../src/store/store.ts';
import { startPostgres, type TestPostgres } from './postgres.ts';

/** One of the two engines, as the conformance suite meets it. */
export interface Backend {
  /** Somewhere new and empty. */
  newPlace(): Promise<StorePlace>;
  /** A store that the suite closes after the test. */
  open(place?: StorePlace): Promise<Store>;
}

/** To be called inside `describe`: registers what makes the backend and takes it away. */
export const backendOf = (kind: StorePlace['kind']): Backend => {
  const open: Store[] = [];
  let folder: string | null = null;
  let postgres: TestPostgres | null = null;
  let files = 0;

  before(async () => {
    if (kind === 'embedded') folder = mkdtempSync(join(tmpdir(), 'orca-store-'));
    else postgres = await startPostgres();
  });
  afterEach(async () => {
    for (const store of open.splice(0)) await store.close();
  });
  after(async () => {
    await postgres?.stop();
    if (folder !== null) await rm(folder, { recursive: true });
  });

  const newPlace = async (): Promise<StorePlace> => {
    if (folder !== null) return { kind: 'embedded', file: join(folder, `${++files}.db`) };
    if (postgres !== null) return { kind: 'postgres', url: await postgres.newSchema() };
    throw new Error('before the suite began');
  };
  return {
    newPlace,
    open: async (place) => {
      const store = await openStore(place ?? (await newPlace()));
      open.push(store);
      return store;
    },
  };
};
