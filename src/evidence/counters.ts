import { countNamed, parseMemoryEvents, type OomCounts } from '../machine/memory-events.ts';
import type { Evidence, ExitFacts } from './evidence.ts';

/** The own cgroup's counts since the start began: it was made for the start, so all of them are rises. Null: not readable. */
export const ownCounts = (evidence: OwnTexts): OomCounts | null => {
  const text = ownText(evidence);
  return text === null ? null : parseMemoryEvents(text);
};

type OwnTexts = Pick<Evidence, 'exit' | 'ownEvents'>;

const ownText = ({ exit, ownEvents }: OwnTexts): string | null => exit?.cgroup?.events ?? ownEvents;

/** The same as they are kept for people and programs; null for what was not told. */
export interface KeptCounts {
  readonly oom: number | null;
  readonly oom_kill: number | null;
  /** Since kernel 5.17. */
  readonly oom_group_kill: number | null;
}

export const keptCounts = (evidence: OwnTexts): KeptCounts => {
  const text = ownText(evidence) ?? '';
  const count = (name: keyof KeptCounts): number | null => {
    const counted = countNamed(text, name);
    return counted === null ? null : Number(counted);
  };
  return { oom: count('oom'), oom_kill: count('oom_kill'), oom_group_kill: count('oom_group_kill') };
};

export type SharedRise =
  | { readonly kind: 'rose'; readonly by: bigint; readonly file: string }
  | { readonly kind: 'same' | 'none'; readonly file: string | null };

/**
 * How the shared counter moved. Old kills are never ours: a file that was not readable before, a number that was not, and
 * a count lower than before are no evidence (`none`), not a rise from zero.
 */
export const sharedRise = (exit: ExitFacts | null): SharedRise => {
  const shared = exit?.shared ?? null;
  if (shared === null) return { kind: 'none', file: null };
  const before = shared.before === null ? null : countNamed(shared.before, 'oom_kill');
  const after = shared.after === null ? null : countNamed(shared.after, 'oom_kill');
  if (before === null || after === null || after < before) return { kind: 'none', file: shared.file };
  return after > before ? { kind: 'rose', by: after - before, file: shared.file } : { kind: 'same', file: shared.file };
};

/** systemd-oomd counts its kills in attributes of the cgroup, which has none when it is new. */
export const oomdMarked = (exit: ExitFacts | null): boolean =>
  positive(exit?.cgroup?.oomd_kill ?? null) || positive(exit?.cgroup?.oomd_ooms ?? null);

const positive = (text: string | null): boolean =>
  text !== null && /^\d+$/.test(text.trim()) && BigInt(text.trim()) > 0n;
