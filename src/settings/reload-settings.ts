import { OrcaError } from '../errors/orca-error.ts';
import { loadSettings, type LoadedSettings } from './load-settings.ts';
import type { Settings } from './settings.ts';
import { settingNames, table, type Setting, type SettingName } from './table.ts';

export interface Reloaded {
  readonly loaded: LoadedSettings;
  /** Why the files as they are now were not taken; the settings are then the ones from before. */
  readonly error: OrcaError | null;
  /** Settings that the files have otherwise by now and that count from the daemon's next start on. */
  readonly later: readonly SettingName[];
}

/** Reads the files again. A file that is half-written or wrong changes nothing; what is read at the start stays as it was. */
export async function reloadSettings(previous: LoadedSettings): Promise<Reloaded> {
  try {
    const next = await loadSettings(previous.source);
    const { settings, later } = withoutLater(previous.settings, next.settings);
    return { loaded: { ...next, settings }, error: null, later };
  } catch (error) {
    if (error instanceof OrcaError) return { loaded: previous, error, later: [] };
    throw error;
  }
}

const atStart = settingNames.filter((name) => {
  const setting: Setting = table[name];
  return setting.atStart === true;
});

const withoutLater = (now: Settings, next: Settings): { settings: Settings; later: readonly SettingName[] } => {
  const kept = atStart.map((name) => [name, { value: now.get(name), from: now.from(name) }] as const);
  return { settings: next.with(new Map(kept)), later: atStart.filter((name) => next.get(name) !== now.get(name)) };
};
