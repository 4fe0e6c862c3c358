import { OrcaError } from '../errors/orca-error.ts';
import { loadSettings, type LoadedSettings } from './load-settings.ts';

export interface Reloaded {
  readonly loaded: LoadedSettings;
  /** Why the files as they are now were not taken; the settings are then the ones from before. */
  readonly error: OrcaError | null;
}

/** Reads the files again. A file that is half-written or wrong changes nothing. */
export async function reloadSettings(previous: LoadedSettings): Promise<Reloaded> {
  try {
    return { loaded: await loadSettings(previous.source), error: null };
  } catch (error) {
    if (error instanceof OrcaError) return { loaded: previous, error };
    throw error;
  }
}
