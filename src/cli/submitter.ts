import { OrcaError } from '../errors/orca-error.ts';
import { ancestorsOf, terminalName } from '../machine/ancestors.ts';
import { callerOf } from '../runs/caller.ts';
import { visibleText } from '../units/visible-text.ts';
import type { Context } from './context.ts';

type Caller = Pick<Context, 'loaded' | 'pid' | 'user'>;

/** Among whom the machine is shared fairly: `--as`, `ORCA_AS`, or where this process comes from. */
export function submitterOf({ loaded, pid, user }: Caller, as?: string, procRoot = '/proc'): string {
  if (as !== undefined) return checked('--as', as);
  const set = loaded.settings.get('ORCA_AS');
  if (set !== '') return checked('ORCA_AS', set);
  const ancestors = ancestorsOf(procRoot, pid).map(({ terminal, ...process }) => ({
    ...process,
    terminal: terminal === 0 ? null : terminalName(terminal),
  }));
  return visibleText(callerOf(ancestors) ?? user);
}

/** Whose doing a kill or a pause is: the user, and before that the name that `ORCA_AS` gives, where several share a user. */
export function doerOf({ loaded, user }: Pick<Caller, 'loaded' | 'user'>): string {
  const set = loaded.settings.get('ORCA_AS');
  return set === '' ? user : `${checked('ORCA_AS', set)} (${user})`;
}

function checked(option: string, value: string): string {
  const why = fault(value);
  if (why === null) return value;
  const hint = `Write for example ${option === '--as' ? '--as ' : `${option}=`}nightly.`;
  throw new OrcaError('option-invalid', { option, value, why, hint });
}

function fault(value: string): string | null {
  if (value.trim() === '') return 'a submitter has at least one character';
  if (value.length > 100) return 'a submitter has at most 100 characters';
  return visibleText(value) === value
    ? null
    : 'it has characters that would change a terminal (escape or control bytes)';
}
