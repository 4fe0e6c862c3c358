import { formatFileSize } from '../units/format-size.ts';
import { visibleText } from '../units/visible-text.ts';
import type { DiskUseJson } from '../wire/api.ts';
import type { Context } from './context.ts';
import { exitStatus } from './exit-status.ts';
import { openClient } from './open-client.ts';
import { printJson, printLines } from './say.ts';
import { tableLines } from './table.ts';

/** `orca du`: what orca has on disk. */
export async function du(context: Context, options: { readonly json?: boolean }): Promise<number> {
  const use = await openClient(context).diskUse();
  if (options.json === true) await printJson(context.out, use);
  else await printLines(context.out, duLines(use, context.out.columns));
  return exitStatus.ok;
}

const elsewhere = ({ logs_to: to }: DiskUseJson): string =>
  to == null ? '' : `; those that were moved to ${visibleText(to)} are not counted`;

export function duLines(use: DiskUseJson, width: number): string[] {
  const parts: [string, number | null, string][] = [
    [
      'logs',
      use.logs_bytes,
      `of ${use.log_folders} ${use.log_folders === 1 ? 'run' : 'runs'}, in ${visibleText(use.logs_folder)}${elsewhere(use)}`,
    ],
    ['samples', use.samples_bytes, 'of the runs and of the machine'],
    ['store', use.store_bytes, use.store_bytes === null ? 'in PostgreSQL' : 'what is known of the runs'],
    ['runs', use.runs_bytes, 'environments and inputs of runs that are not over'],
    ['starts', use.starts_bytes, 'records of their keepers'],
    ['daemon.log', use.daemon_log_bytes, "the daemon's own log"],
  ];
  const rows = parts.map(([name, bytes, words]) => [name, bytes === null ? '–' : formatFileSize(bytes), words]);
  const sum = parts.reduce((all, [, bytes]) => all + (bytes ?? 0), 0);
  const lines = tableLines(
    [{ head: 'WHAT' }, { head: 'SIZE', right: true }, { head: '', flexible: true }],
    [...rows, ['all', formatFileSize(sum), `in ${visibleText(use.state)}`]],
    width,
  );
  const large = use.largest.filter(({ bytes }) => bytes > 0);
  if (large.length === 0) return lines;
  const runs = large.map(({ run, bytes, state }) => [String(run), formatFileSize(bytes), state ?? 'not known']);
  return [
    ...lines,
    '',
    ...tableLines([{ head: 'RUN', right: true }, { head: 'SIZE', right: true }, { head: 'STATE' }], runs, width),
  ];
}
