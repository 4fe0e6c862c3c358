import { differences } from '../settings/run-settings.ts';
import { isSettingName } from '../settings/table.ts';
import { visibleText } from '../units/visible-text.ts';
import type { SettingJson } from '../wire/api.ts';
import type { Context } from './context.ts';
import { exitStatus } from './exit-status.ts';
import { openClient } from './open-client.ts';
import { printJson, printLines, say } from './say.ts';
import { tableLines, type Column } from './table.ts';

const columns: readonly Column[] = [{ head: 'NAME' }, { head: 'VALUE' }, { head: 'SCOPE' }, { head: 'FROM' }];

/** `orca config show`: the settings as this command has them, and where the running daemon goes by others. */
export async function configShow(context: Context, options: { json?: boolean }): Promise<number> {
  const rows: readonly SettingJson[] = context.loaded.settings.describe();
  if (options.json === true) {
    await printJson(context.out, rows);
    return exitStatus.ok;
  }
  await printLines(context.out, settingLines(rows));
  const client = openClient(context);
  if ((await client.peek()) === null) return exitStatus.ok;
  const daemon = (await client.settings()).flatMap(({ name, value }) => {
    return isSettingName(name) && (typeof value === 'string' || typeof value === 'number') ? [{ name, value }] : [];
  });
  for (const difference of differences(context.loaded.settings, daemon)) await say(context, difference);
  return exitStatus.ok;
}

/** The table, and under each setting what it means. */
export function settingLines(rows: readonly SettingJson[]): string[] {
  const cells = rows.map(({ name, value, scope, from }) => [
    name,
    value === '' || value === null ? '(nothing)' : visibleText(String(value)),
    scope,
    visibleText(from),
  ]);
  const [head = '', ...lines] = tableLines(columns, cells, Number.POSITIVE_INFINITY);
  return [head, ...lines.flatMap((line, index) => [line, `    ${rows[index]?.doc ?? ''}`])];
}
