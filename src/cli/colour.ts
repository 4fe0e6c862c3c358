import type { RunState } from './final-state.ts';

const codes: Readonly<Partial<Record<RunState, number>>> = {
  running: 36,
  starting: 36,
  succeeded: 32,
  failed: 31,
  'out-of-memory': 31,
  'timed-out': 31,
  lost: 31,
  killed: 33,
};

/** Whether colour is wanted: on a terminal, unless NO_COLOR is set (no-color.org). */
export const wantsColour = (isTTY: boolean, env: Readonly<Record<string, string>>): boolean =>
  isTTY && (env['NO_COLOR'] ?? '') === '' && env['TERM'] !== 'dumb';

/** Colours the first word that is a state's name in a finished line, so that widths were counted without the colour. */
export function colourState(line: string, state: RunState, on: boolean): string {
  const code = codes[state];
  return on && code !== undefined ? line.replace(` ${state}`, ` \x1b[${code}m${state}\x1b[0m`) : line;
}
