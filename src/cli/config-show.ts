import { daemonSilent } from '../client/look.ts';
import { differences } from '../settings/run-settings.ts';
import { isSettingName, table } from '../settings/table.ts';
import { visibleText } from '../units/visible-text.ts';
import type { SettingJson } from '../wire/api.ts';
import type { Context } from './context.ts';
import { exitStatus } from './exit-status.ts';
import { openClient } from './open-client.ts';
import { printJson, printLines, say } from './say.ts';
import { tableLines, textWidth, type Column } from './table.ts';

const columns: readonly Column[] = [{ head: 'NAME' }, { head: 'VALUE' }, { head: 'SCOPE' }, { head: 'FROM' }];

/** `orca config show`: the settings as this command has them, and where the running daemon goes by others. */
export async function configShow(context: Context, options: { json?: boolean }): Promise<number> {
  const rows: readonly SettingJson[] = context.loaded.settings.describe();
  if (options.json === true) {
    await printJson(context.out, rows);
    return exitStatus.ok;
  }
  const width = Number.isFinite(context.out.columns) ? context.out.columns : 80;
  await printLines(context.out, settingLines(rows, width));
  const client = openClient(context);
  const looked = await client.look();
  if (looked.kind === 'silent') throw daemonSilent(client.place.state, looked.pid);
  if (looked.kind === 'none') return exitStatus.ok;
  const daemon = (await client.settings()).flatMap(({ name, value }) => {
    return isSettingName(name) && (typeof value === 'string' || typeof value === 'number') ? [{ name, value }] : [];
  });
  const told = differences(context.loaded.settings, daemon, { defaults: true });
  for (const difference of told) await say(context, difference);
  return exitStatus.ok;
}

/** The table, and under each setting what it means, in lines of at most `width` where words allow. */
export function settingLines(rows: readonly SettingJson[], width: number): string[] {
  const cells = rows.map(({ name, value, scope, from }) => [name, valueWords(name, value), scope, visibleText(from)]);
  const [head = '', ...lines] = tableLines(columns, cells, Number.POSITIVE_INFINITY);
  return [
    head,
    ...lines.flatMap((line, index) => [
      line,
      ...wrapped(rows[index]?.doc ?? '', width - 4).map((text) => `    ${text}`),
    ]),
  ];
}

function valueWords(name: string, value: SettingJson['value']): string {
  if (value === '' || value === null) return '(nothing)';
  const unit = isSettingName(name) ? table[name].unit : null;
  return `${visibleText(String(value))}${unit === null ? '' : ` ${unit}`}`;
}

/** Broken between words. */
export function wrapped(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && textWidth(line) + 1 + textWidth(word) > width) {
      lines.push(line);
      line = '';
    }
    line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line];
}
