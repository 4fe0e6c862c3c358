import type { Paused } from '../runs/paused.ts';
import type { Bytes, Millis, RunId } from '../units/brands.ts';
import { bytes } from '../units/brands.ts';
import type { MemorySource } from './counted-memory.ts';
import { nameOf, type Dimension } from './dimension.ts';
import type { MachineState, OthersHold, ProcessName } from './machine-state.ts';
import type { Never } from './never-fits.ts';
import { firstInOrder, placeOf, type Place } from './place.ts';
import type { Pressure } from './pressure.ts';
import type { Queue } from './queue.ts';
import type { Round } from './round.ts';
import type { Need } from './shape.ts';
import type { Sized } from './sized.ts';
import type { Waiting } from './types.ts';

/** Something is short: how much is needed, how much is free, of how much, and which runs hold it, those with the most first. */
interface Short<Amount = number> {
  readonly needs: Amount;
  readonly free: Amount;
  readonly of: Amount;
  readonly holders: readonly RunId[];
}

/** One thing that keeps a run from starting, as it is. */
export type Fact =
  | { readonly kind: 'down' }
  /** `run`: it alone; null: the whole queue. */
  | { readonly kind: 'paused'; readonly paused: Paused; readonly ms: number; readonly run: RunId | null }
  /** What of its record cannot be read. */
  | { readonly kind: 'damaged'; readonly what: string; readonly run: RunId }
  | { readonly kind: 'after'; readonly names: readonly string[] }
  | { readonly kind: 'back-off'; readonly ms: number }
  | { readonly kind: 'never'; readonly never: Never }
  | { readonly kind: 'pressure'; readonly pressure: Pressure }
  /** The host is too full for another run on control, in the words of that rule. */
  | { readonly kind: 'control'; readonly words: string }
  /** It is not known which devices there are, or what uses them. */
  | { readonly kind: 'gpus-unknown'; readonly why: string }
  | ({ readonly kind: 'cpus' } & Short)
  | ({ readonly kind: 'memory'; readonly source: MemorySource } & Short<Bytes>)
  /** Without what other users' daemons have promised there would be room. */
  | ({ readonly kind: 'others'; readonly others: readonly OthersHold[] } & Short<Bytes>)
  /** The machine itself has too little, whatever the budget says. */
  | ({ readonly kind: 'machine-memory'; readonly largest: MachineState['largestForeign'] } & Short<Bytes>)
  | ({
      readonly kind: 'gpus';
      readonly foreign: readonly { readonly index: number; readonly by: ProcessName }[];
    } & Short)
  | ({ readonly kind: 'lock' | 'resource' | 'group'; readonly name: string } & Short)
  | ({ readonly kind: 'slot'; readonly placement: string } & Short)
  /** Nothing here starts runs of that placement. */
  | { readonly kind: 'placement'; readonly placement: string }
  /** It would fit, and that one could start later for it, by what is known. */
  | ({ readonly kind: 'delays'; readonly head: RunId } & Place)
  /** Others stand before it, the first of them `first`. */
  | ({ readonly kind: 'behind'; readonly first: RunId } & Place);

/**
 * What keeps a run from starting, by what the last decision saw; empty when nothing does. What counts most comes first. `now` is the queue's
 * clock; pauses have the moments of people's (`wall`).
 */
export const factsOf = (queue: Queue, round: Round, entry: Waiting, now: Millis, wall: Millis): Fact[] => {
  const { state } = round;
  const { paused, after, notBefore, inside, run, damage } = entry;
  if (damage !== null) return [{ kind: 'damaged', what: damage, run }];
  if (paused !== null) return [{ kind: 'paused', paused, ms: wall - paused.at, run }];
  if (after !== null) return [{ kind: 'after', names: after }];
  if (state.down && inside === null) return [{ kind: 'down' }];
  if (notBefore !== null && notBefore > now) return [{ kind: 'back-off', ms: notBefore - now }];
  if (inside !== null) return [];
  if (state.paused !== null) return [{ kind: 'paused', paused: state.paused, ms: wall - state.paused.at, run: null }];
  const block = round.blockOf(entry);
  const place = placeOf(queue, round, entry);
  const behind = behindOf(queue, round, entry, place);
  switch (block?.kind) {
    case undefined:
      return behind;
    case 'never': {
      const { never } = round.sizedOf(entry);
      return never === null ? [] : [{ kind: 'never', never }];
    }
    case 'pressure':
    case 'control':
    case 'gpus-unknown':
      return [block];
    case 'delays':
      return place === null ? [] : [{ kind: 'delays', head: block.head, ...place }];
    case 'short': {
      const facts = block.short.map((need) => shortOf(round, round.sizedOf(entry), need));
      // Where nothing here starts it, it is for a machine of which nothing is known.
      const elsewhere = facts.find(({ kind }) => kind === 'placement');
      if (elsewhere !== undefined) return [elsewhere];
      // What has a name is its own to wait for; cpus and memory come to whoever stands first.
      const apart = block.short.some(({ of }) => nameOf(of) !== null || of === 'gpus');
      return apart ? facts.toSorted((a, b) => Number(isRoomFact(a)) - Number(isRoomFact(b))) : [...behind, ...facts];
    }
  }
};

const isRoomFact = ({ kind }: Fact): boolean => ['cpus', 'memory', 'others', 'machine-memory'].includes(kind);

const behindOf = (queue: Queue, round: Round, entry: Waiting, place: Place | null): Fact[] => {
  const heads = round.heads.all.filter(({ priority }) => priority >= entry.priority);
  const self = heads.find(({ run }) => run === entry.run);
  // For whom room is saved up is behind nobody; of another head it is not known yet for which of those before it.
  if (self?.since.has('room') === true) return [];
  const head = heads.find(({ since }) => since.has('room')) ?? (self === undefined ? undefined : heads[0]);
  const first = head?.run ?? firstInOrder(queue, round)?.run ?? entry.run;
  return place === null || first === entry.run ? [] : [{ kind: 'behind', first, ...place }];
};

const shortOf = (round: Round, { memory }: Sized, need: Need): Fact => {
  const { room, state } = round;
  const { machine, amounts } = state;
  const there = Math.max(0, room.there(need));
  const free = Math.max(0, room.free(need));
  const short: Short = { needs: need.amount, free, of: there, holders: holdersOf(round, need.of) };
  const sizes = { ...short, needs: bytes(need.amount), free: bytes(free), of: bytes(there) };
  switch (need.of) {
    case 'cpus':
      return { kind: 'cpus', ...short };
    case 'memory': {
      const others = machine.others.reduce((sum, one) => sum + one.bytes, 0);
      if (need.amount <= room.free(need) + others) return { kind: 'others', others: machine.others, ...sizes };
      return { kind: 'memory', source: memory.source, ...sizes };
    }
    case 'machine':
      return { kind: 'machine-memory', largest: machine.largestForeign, ...sizes };
    case 'gpus': {
      const foreign = machine.gpus.flatMap(({ index, foreign: by }) =>
        by[0] === undefined ? [] : [{ index, by: by[0] }],
      );
      return { kind: 'gpus', foreign, ...short, of: machine.gpus.length };
    }
  }
  const named = nameOf(need.of);
  if (named?.kind !== 'slot') return { kind: named?.kind ?? 'resource', name: named?.name ?? need.of, ...short };
  if (!amounts.has(need.of)) return { kind: 'placement', placement: named.name };
  return { kind: 'slot', placement: named.name, ...short };
};

/** Which runs hold some of it, those with the most first. */
const holdersOf = ({ room }: Round, of: Dimension): RunId[] =>
  room.holding
    .map(({ run, cpusMilli, memory, expected, residentBytes, gpus, needs }) => {
      const named = needs.find((need) => need.of === of)?.amount ?? 0;
      const amount = { cpus: cpusMilli, memory, machine: Math.max(expected, residentBytes ?? 0), gpus: gpus.length };
      return { run, amount: of in amount ? amount[of as keyof typeof amount] : named };
    })
    .filter(({ amount }) => amount > 0)
    .sort((a, b) => b.amount - a.amount || a.run - b.run)
    .map(({ run }) => run);
