import type { DaemonClient } from '../client/daemon-client.ts';
import { differences } from '../settings/run-settings.ts';
import { isSettingName, table } from '../settings/table.ts';
import type { Context } from './context.ts';
import { say } from './say.ts';

/** Says which settings given here the daemon does not go by. Asks it only when some were given, since most people give none. */
export async function warnDifferences(context: Context, client: DaemonClient): Promise<void> {
  const { settings } = context.loaded;
  const given = settings.describe().some(({ name, from }) => {
    return isSettingName(name) && name !== 'ORCA_HOME' && table[name].scope === 'daemon' && from !== 'default';
  });
  if (!given) return;
  const daemon = await client.settings();
  const known = daemon.flatMap(({ name, value }) => {
    return isSettingName(name) && (typeof value === 'string' || typeof value === 'number') ? [{ name, value }] : [];
  });
  for (const difference of differences(settings, known)) await say(context, difference);
}
