import { basename, join } from 'node:path';
import { ceilingMarkName, parseCeilingMark, type CeilingMark } from '../machine/ceiling-mark.ts';
import { event } from '../machine/memory-events.ts';
import { parseLimit } from '../machine/memory-limit.ts';
import { bytes, type Bytes } from '../units/brands.ts';
import { formatSize } from '../units/format-size.ts';
import type { CgroupFs } from './cgroup-fs.ts';
import { ownUnit, type SetUnitLimit } from './unit-limit.ts';

const mb = 1048576;

/**
 * What all runs together, with the daemon beside them, may have (design: Memory 2): the capacity less half of the reserve,
 * so that the other half is left to the machine; in whole MB, never below the budget.
 */
export const ceilingBytes = ({ capacity, budget }: { capacity: Bytes; budget: Bytes }): Bytes =>
  bytes(Math.max(budget, Math.floor((capacity + budget) / 2 / mb) * mb));

export interface CeilingHost {
  readonly fs: CgroupFs;
  /** This daemon's pid: it owns the ceilings that it sets. */
  readonly pid: number;
  readonly isAlive: (pid: number) => boolean;
  /** Sets the limit of the base, `max` for none: null when it was, else why not, in a few words. */
  readonly put: (base: string, limit: Bytes | 'max') => string | null;
}

/** The ceiling that is in force; or none, and why: one sentence without its full stop. */
export type Ceiling =
  { readonly bytes: Bytes; readonly why: null } | { readonly bytes: null; readonly why: string | null };

/** Writes the file. The cgroup of a unit is systemd's to limit: what is written there behind its back it writes over. It is asked for our own unit. */
export const putLimit =
  (fs: CgroupFs, setUnit: SetUnitLimit): CeilingHost['put'] =>
  (base, limit) => {
    const unit = ownUnit(base);
    if (unit !== null) return setUnit(unit, limit);
    return /\.(service|scope|slice)$/.test(basename(base))
      ? 'it is the cgroup of a systemd unit, whose MemoryMax= is systemd’s to set'
      : fs.write(join(base, 'memory.max'), String(limit));
  };

/**
 * Sees to it that the base has this ceiling, where it may have one. A limit that somebody else set is left alone: it is a
 * ceiling already. One of another daemon that lives is only raised: its runs count on it.
 */
export const keepCeiling = (host: CeilingHost, base: string, wanted: Bytes): Ceiling => {
  const { fs, pid } = host;
  const text = fs.read(join(base, 'memory.max'));
  if (text === null) return none('the top of the hierarchy can have no limit');
  const now = parseLimit(text);
  if (now === null) return none(`memory.max of ${base} holds no limit: ${text.trim()}`);
  const marks = marksIn(fs, base);
  const set = marks.filter((mark) => mark.bytes === now);
  if (now !== 'max') {
    if (set.length === 0) return none(`${base} has a limit of ${formatSize(now)} that is not orca's`);
    if (now > wanted && set.some(({ owner }) => othersLive(host, owner))) {
      // So that it stays when the other one leaves.
      fs.mkdir(join(base, ceilingMarkName({ bytes: now, owner: pid })));
      return inForce(bytes(now));
    }
  }
  if (now !== wanted) {
    const refused = setCeiling(host, base, wanted);
    // What was in force stays so.
    if (refused !== null) return now === 'max' ? none(refused) : inForce(bytes(now));
  } else fs.mkdir(join(base, ceilingMarkName({ bytes: wanted, owner: pid })));
  dropMarks(host, base, ({ bytes: size, owner }) => (owner === pid ? size !== wanted : !host.isAlive(owner)));
  return inForce(wanted);
};

/** Takes this daemon's ceiling away; what another daemon that lives wanted is in force then, as far as what is in use fits under it. */
export const liftCeiling = (host: CeilingHost, base: string): void => {
  const { fs } = host;
  const now = parseLimit(fs.read(join(base, 'memory.max')) ?? '');
  const marks = marksIn(fs, base);
  const others = marks.filter(({ owner }) => othersLive(host, owner)).map((mark) => mark.bytes);
  const next = others.length === 0 ? 'max' : bytes(Math.max(...others));
  if (next !== now && marks.some((mark) => mark.bytes === now)) {
    if (next !== 'max' && inUse(fs, base) >= next) return;
    if (host.put(base, next) !== null) return;
  }
  dropMarks(host, base, ({ owner }) => !othersLive(host, owner));
};

/** Of `memory.stat`: what programs have for themselves, and what the kernel has for them. */
const unreclaimable = ['anon', 'shmem', 'slab_unreclaimable', 'pagetables', 'kernel_stack', 'percpu', 'sock'];

/** Bytes that cannot be reclaimed: under a lower limit the kernel would kill for them at once. */
const inUse = (fs: CgroupFs, base: string): number => {
  const stat = fs.read(join(base, 'memory.stat')) ?? '';
  return Number(unreclaimable.reduce((sum, name) => sum + event(stat, name), 0n));
};

/** The mark comes first: a limit without its mark would be taken for the machine's by the next daemon. */
const setCeiling = ({ fs, put, pid }: CeilingHost, base: string, wanted: Bytes): string | null => {
  const used = inUse(fs, base);
  if (used >= wanted) return `${formatSize(used)} are in use in ${base} already`;
  const folder = join(base, ceilingMarkName({ bytes: wanted, owner: pid }));
  const code = fs.mkdir(folder);
  if (code !== null && code !== 'EEXIST') return `${folder} could not be made (${code})`;
  const refused = put(base, wanted);
  if (refused !== null) fs.rmdir(folder);
  return refused === null ? null : `the limit of ${base} could not be set: ${refused}`;
};

const othersLive = ({ pid, isAlive }: CeilingHost, owner: number): boolean => owner !== pid && isAlive(owner);

const marksIn = (fs: CgroupFs, base: string): CeilingMark[] =>
  (fs.folders(base) ?? []).flatMap((name) => parseCeilingMark(name) ?? []);

const dropMarks = ({ fs }: CeilingHost, base: string, which: (mark: CeilingMark) => boolean): void => {
  for (const mark of marksIn(fs, base)) if (which(mark)) fs.rmdir(join(base, ceilingMarkName(mark)));
};

const inForce = (limit: Bytes): Ceiling => ({ bytes: limit, why: null });
const none = (why: string): Ceiling => ({ bytes: null, why });
