import { readFile } from 'node:fs/promises';
import { formatSize } from '../units/format-size.ts';

/** What is gone of a log that was over its cap, as offsets of the output (docs/keeper-protocol.md). */
export interface Gone {
  readonly from: number;
  readonly to: number;
  /** The file that was written without it, by its inode, and how long the line is that stands there instead; null: it is a hole. */
  readonly cut: { readonly inode: number; readonly line: number } | null;
}

export const goneFile = (log: string): string => `${log}.gone`;

export const goneText = ({ from, to, cut }: Gone): string =>
  `${from} ${to}${cut === null ? '' : ` ${cut.inode} ${cut.line}`}\n`;

/** Null: nothing is gone. */
export const readGone = async (log: string): Promise<Gone | null> => {
  const text = await readFile(goneFile(log), 'latin1').catch(() => '');
  const [, from, to, inode, line] = /^(\d+) (\d+)(?: (\d+) (\d+))?\n$/.exec(text) ?? [];
  if (from === undefined || to === undefined) return null;
  const cut = inode === undefined ? null : { inode: Number(inode), line: Number(line) };
  return { from: Number(from), to: Number(to), cut };
};

/** What stands in its place. */
export const goneLine = ({ from, to }: Gone): Buffer => {
  const size = formatSize(to - from);
  return Buffer.from(`orca: ${size} are not kept here, from byte ${from} to byte ${to} (ORCA_LOG_MAX_MB)\n`);
};
