import { statSync } from 'node:fs';
import { millis } from '../units/brands.ts';
import { reloadSettings } from '../settings/reload-settings.ts';
import type { LoadedSettings } from '../settings/load-settings.ts';
import { capacityAndBudget } from '../scheduler/budget.ts';
import { followCeiling } from '../scheduler/ceiling.ts';
import type { Scheduler } from '../scheduler/scheduler.ts';

const every = millis(5000);

/** Takes changed configuration files over when they are whole and valid; until then the settings stay as they were. */
export const followSettings = (scheduler: Scheduler, first: LoadedSettings): void => {
  let loaded = first;
  let seen = timesOf(loaded);
  const look = async (): Promise<void> => {
    const now = timesOf(loaded);
    if (now === seen) return;
    seen = now;
    const reloaded = await reloadSettings(loaded);
    if (reloaded.error !== null) {
      scheduler.log.warn({ why: reloaded.error.message }, 'the changed configuration is not used');
      return;
    }
    Object.assign(scheduler, capacityAndBudget(reloaded.loaded.settings, scheduler.machine));
    loaded = reloaded.loaded;
    scheduler.settings = loaded.settings;
    followCeiling(scheduler);
    scheduler.moved.raise();
    scheduler.log.info('the changed configuration is used from now on');
    if (reloaded.later.length > 0) {
      scheduler.log.warn({ settings: reloaded.later }, 'these count when the daemon is started again (`orca restart`)');
    }
  };
  const go = (): void => {
    scheduler.host.timers.set(every, () => {
      look()
        .catch((error: unknown) => scheduler.log.error({ err: error }, 'the configuration could not be read again'))
        .finally(go);
    });
  };
  go();
};

const timesOf = (loaded: LoadedSettings): string =>
  loaded.source.files.map((file) => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0).join(' ');
