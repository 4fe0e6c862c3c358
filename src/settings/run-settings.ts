import { clientLayer } from './layer.ts';
import type { SettingDescription, Settings } from './settings.ts';
import { isSettingName, settingNames, table } from './table.ts';

/** What a client sends with a submission: its settings of scope `run` that are not the default. */
export function settingsToSend(settings: Settings): Record<string, string> {
  const sent: Record<string, string> = {};
  for (const name of settingNames) {
    if (table[name].scope === 'run' && settings.from(name) !== 'default') sent[name] = String(settings.get(name));
  }
  return sent;
}

/** The daemon's settings with what a client sent for one run over them. Throws `setting-invalid`, `setting-not-for-runs`. */
export const settingsForRun = (daemon: Settings, sent: Readonly<Record<string, string>>): Settings =>
  Object.keys(sent).length === 0 ? daemon : daemon.with(clientLayer(sent).values);

/**
 * One line for each daemon-scope setting that the client was given and the daemon does not go by, with the step that changes it: `orca restart`
 * does not, since the next daemon has the environment of the one before. What the client has by default is no wish of anybody's: that is told only
 * where it is shown (`defaults`).
 */
export function differences(
  client: Settings,
  daemon: readonly Pick<SettingDescription, 'name' | 'value'>[],
  { defaults = false }: { readonly defaults?: boolean } = {},
): string[] {
  const shown = new Map(client.describe().map((row) => [row.name, row.value]));
  return daemon.flatMap(({ name, value }) => {
    if (!isSettingName(name) || name === 'ORCA_HOME' || table[name].scope !== 'daemon') return [];
    if ((client.from(name) === 'default' && !defaults) || shown.get(name) === value) return [];
    const here = `${name} is ${shown.get(name)} here (${client.from(name)})`;
    return [
      `${here}, but the daemon goes by ${value === '' ? 'nothing' : value}. \`orca down; orca up\` starts one that goes by it.`,
    ];
  });
}
