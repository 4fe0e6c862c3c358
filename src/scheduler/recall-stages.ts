import { lstatSync } from 'node:fs';
import { stagedStart } from '../logs/stage-folder.ts';
import { getMeta, setMeta } from '../store/meta.ts';
import { namesIn } from './keep-logs.ts';
import type { Scheduler } from './scheduler.ts';
import { ownStage } from './staged-logs.ts';

/**
 * Another TMPDIR or ORCA_LOG_STAGE gives a daemon another stage. What earlier ones have left in theirs is found by the store, once the live starts are
 * known: those may write there still.
 */
export const recallStages = async (scheduler: Scheduler): Promise<void> => {
  const { store, live, state, logKeeping, log } = scheduler;
  const kept = await getMeta(store.read, 'stages');
  const own = ownStage(scheduler);
  const isNeeded = (folder: string): boolean =>
    live.size > 0 || namesIn(folder).some((name) => stagedStart(state.named, name) !== null);
  logKeeping.olderStages = foldersIn(kept).filter((folder) => folder !== own && isOurs(folder) && isNeeded(folder));
  const now = JSON.stringify([own, ...logKeeping.olderStages]);
  if (now === kept) return;
  // A disk without room keeps no daemon from starting; the next one knows of an earlier stage only what was stored.
  await store
    .command((tx) => setMeta(tx, 'stages', now))
    .catch((error: unknown) => log.warn({ err: error }, 'where the stage is could not be stored'));
};

const foldersIn = (text: string | null): readonly string[] => {
  try {
    const folders: unknown = JSON.parse(text ?? '[]');
    return Array.isArray(folders) ? folders.filter((one) => typeof one === 'string') : [];
  } catch {
    return [];
  }
};

/** As a stage has to be: no link, and nobody else's. */
const isOurs = (folder: string): boolean => {
  try {
    const found = lstatSync(folder);
    return found.isDirectory() && found.uid === (process.getuid?.() ?? 0) && (found.mode & 0o077) === 0;
  } catch {
    return false;
  }
};
