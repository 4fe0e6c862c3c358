import { writeSync } from 'node:fs';
import type { ScreenLine } from './top-screen.ts';
import type { Size } from './top-state.ts';

/** A whole terminal, taken over and given back. */
export interface Terminal {
  readonly size: () => Size;
  readonly draw: (lines: readonly ScreenLine[]) => void;
  /** The next drawing draws all: something else may have written. */
  readonly forget: () => void;
  /** As it was before; safe to call twice. */
  readonly close: () => void;
}

export interface TerminalEvents {
  /** What was typed, as the terminal sent it. */
  readonly onKeys: (text: string) => void;
  readonly onResize: () => void;
  /** Nobody can type any more. */
  readonly onGone: () => void;
}

/** The other screen, no cursor, no wrapping: a line that the terminal holds for wider than we do must not push the others. */
const enter = '\u001b[?1049h\u001b[?25l\u001b[?7l\u001b[H\u001b[2J';
const leave = '\u001b[0m\u001b[?7h\u001b[?25h\u001b[?1049l';
const looks = { plain: '', head: '\u001b[1m', chosen: '\u001b[7m' };

/** Whether standard input and output are a terminal that can be drawn on. */
export const isTerminal = (env: Readonly<Record<string, string>>): boolean =>
  process.stdin.isTTY && process.stdout.isTTY && env['TERM'] !== 'dumb';

/** Takes the terminal over, until `close` or the end of the process. */
export const openTerminal = ({ onKeys, onResize, onGone }: TerminalEvents): Terminal => {
  const { stdin, stdout } = process;
  let drawn: string[] = [];
  let open = true;
  const keys = (text: string): void => onKeys(text);
  const close = (): void => {
    if (!open) return;
    open = false;
    process.off('exit', close);
    stdin
      .off('data', keys)
      .off('end', onGone)
      .off('error', onGone)
      .on('error', () => undefined)
      .pause();
    stdout.off('resize', onResize);
    try {
      stdin.setRawMode(false);
    } catch {
      // The terminal is gone: there is nothing to give back.
    }
    writeNow(leave);
  };
  stdin.setEncoding('utf8').setRawMode(true).on('data', keys).resume();
  // One that goes away mostly says so by SIGHUP, but not to whoever ignores that.
  stdin.once('end', onGone).once('error', onGone);
  stdout.on('resize', onResize);
  process.once('exit', close);
  writeNow(enter);
  return {
    size: () => ({ columns: stdout.columns || 80, rows: stdout.rows || 24 }),
    draw: (lines) => {
      if (!open) return;
      const next = lines.map(({ text, look }) => `${looks[look]}${text}${look === 'plain' ? '' : '\u001b[0m'}`);
      // Only what has changed: over a slow line that is a few bytes.
      const changed = next.flatMap((line, row) =>
        line === drawn[row] ? [] : [`\u001b[${row + 1};1H\u001b[2K${line}`],
      );
      drawn = next;
      if (changed.length > 0) writeNow(changed.join(''));
    },
    forget: () => {
      drawn = [];
      if (open) writeNow('\u001b[2J');
    },
    close,
  };
};

/** At once, so that it is out also when the process ends right after. */
const writeNow = (text: string): void => {
  const bytes = Buffer.from(text);
  try {
    for (let at = 0; at < bytes.length;) at += writeSync(1, bytes, at);
  } catch {
    // A terminal that is full or gone: the next drawing says it again.
  }
};
