import { CommandQueue } from './command-queue.ts';
import { openEmbedded } from './embedded.ts';
import type { Engine } from './engine.ts';
import { migrate } from './migrate.ts';
import type { Store, StorePlace } from './store.ts';

/** Opens the store, brought to this program's schema. Every failure that a person can mend is an OrcaError (`store-…`). */
export const openStore = async (place: StorePlace): Promise<Store> => {
  const engine = await open(place);
  try {
    await migrate(engine);
  } catch (error) {
    await engine.close(false).catch(() => {});
    throw engine.explain(error);
  }
  const queue = new CommandQueue(engine);
  let closing: Promise<void> | null = null;
  return {
    kind: engine.kind,
    read: engine.read,
    command: (write, options) => queue.add(write, options),
    onDisk: () => queue.onDisk(),
    explain: (error) => engine.explain(error),
    whenInDoubt: (then) => {
      queue.whenInDoubt = then;
    },
    place: () => engine.place(),
    close: async ({ rescue = false } = {}) => {
      closing ??= queue.close().then(async () => engine.close(rescue));
      await closing;
    },
  };
};

const open = async (place: StorePlace): Promise<Engine> => {
  switch (place.kind) {
    case 'embedded':
      return openEmbedded(place.file);
    case 'postgres': {
      // Loaded only where it is used: one machine's daemon never pays for it.
      const { openPostgres } = await import('./postgres.ts');
      return openPostgres(place.url);
    }
  }
};
