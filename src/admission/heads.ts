import type { Millis, RunId } from '../units/brands.ts';
import { isAllOrNone, isRoom, type Dimension } from './dimension.ts';
import { holds } from './holds.ts';
import type { Room } from './room.ts';
import { roomAt } from './room-at.ts';
import type { Need } from './shape.ts';
import type { Sized } from './sized.ts';
import type { Holding, Waiting } from './types.ts';

/** What runs wait for together. `room`: cpus and memory; its head saves up all that it needs. */
export type Bottleneck = 'room' | Dimension;

/** A run for which is saved up what it needs: what would delay it does not pass it. It stays until it starts, or lacks what is not ours to give. */
export interface Head {
  readonly run: RunId;
  readonly priority: number;
  /** A smaller one was there before: it need not mind the later ones. */
  readonly order: number;
  /** What is saved up, each since which admission. Empty where an earlier head took it over. */
  readonly since: ReadonlyMap<Bottleneck, number>;
}

interface Reserving extends Head {
  readonly since: Map<Bottleneck, number>;
  readonly sized: Sized;
  /** What is saved up for it. */
  reserved: readonly Need[];
  /** How much of each dimension those hold that were let past it. */
  readonly passed: Map<Dimension, number>;
  /** When all of it is there, as far as is known; undefined: not worked out yet. */
  roomAt: Millis | null | undefined;
}

/** Who may start a run that fits would wait longer, and of what there would be too little. */
export interface Delay {
  readonly head: RunId;
  readonly of: Dimension;
}

interface Noted {
  readonly turn: number;
  readonly more: boolean;
}

/** Each had something of its own once, so that there are seldom many; more than so many would make decisions dear. */
const mostHeads = 64;

/** The heads in one decision. */
export class Heads {
  #heads: Reserving[] = [];
  readonly #room: Room;
  readonly #now: Millis;
  #nextOrder = 1;

  constructor(before: readonly (readonly [Head, Sized])[], room: Room, now: Millis) {
    this.#room = room;
    this.#now = now;
    for (const [head, sized] of before) this.#put(this.#reserving(head, new Map(head.since), sized));
  }

  /** In their order: higher priority first, then whoever was there first. */
  get all(): readonly Head[] {
    return this.#heads;
  }

  /** The head that this run, which fits now, would delay; null: it may start. */
  delayedBy(entry: Waiting, sized: Sized): Delay | null {
    for (const head of this.#heads) {
      if (head.run === entry.run || head.priority < entry.priority) return null;
      const of = this.#tooLittle(sized, head);
      if (of !== null && !this.#isOverBefore(sized, head)) return { head: head.run, of };
    }
    return null;
  }

  /**
   * A run that is due does not start, since it lacks `short`, or, where that is empty, would delay another one. With `more` it gets what it wants next and
   * no earlier head has, and becomes a head by that; without, it only gives up what it does not wait for any more. Whether anybody has
   * something else saved up now.
   */
  note(entry: Waiting, sized: Sized, short: readonly Need[], { turn, more }: Noted): boolean {
    const known = this.#find(entry.run);
    const order = known?.order ?? this.#nextOrder;
    const all = this.#wanted({ run: entry.run, priority: entry.priority, order }, sized, short);
    if (known !== null) this.#drop(known);
    if (all === null) return known !== null;
    const wanted = more ? all : all.filter((one) => known?.since.has(one));
    if (known === null && (wanted.length === 0 || !this.#hasPlace(entry.priority))) return false;
    const had = [...(known?.since.keys() ?? [])];
    const tookOver = wanted.filter((one) => this.#release(one)).length > 0;
    const since = new Map(wanted.map((one) => [one, known?.since.get(one) ?? turn]));
    this.#put(this.#reserving({ run: entry.run, priority: entry.priority, order, since }, since, sized));
    return tookOver || had.length !== wanted.length || had.some((one) => !wanted.includes(one));
  }

  /** Whether it is saved up for somebody who is before all others of a priority. */
  isSavedUp(one: Bottleneck, priority: number): boolean {
    return (this.#ownerOf(one)?.priority ?? -Infinity) >= priority;
  }

  leave(run: RunId): void {
    const head = this.#find(run);
    if (head !== null) this.#drop(head);
  }

  /** A run starts. */
  admitted(holding: Holding): void {
    this.leave(holding.run);
    for (const other of this.#heads) addPassed(other, holding);
  }

  /**
   * What is to be saved up for a run: it gathers what it needs one after the other, as far as no earlier head is before it, up to the first that is short; room
   * last. So what it has is not taken from it again while it waits for the next, and nothing lies idle for it that it could not use yet. Null: nothing is, for a run that
   * could not start if all of ours were over: what others hold is not ours to save up.
   */
  #wanted(self: Pick<Head, 'run' | 'priority' | 'order'>, sized: Sized, short: readonly Need[]): Bottleneck[] | null {
    if (short.some((need) => need.amount > this.#room.there(need))) return null;
    const lacks = new Set<Bottleneck>(short.map(({ of }) => of));
    const apart = sized.needs.map(({ of }) => of).filter((of) => !isRoom(of));
    const wanted: Bottleneck[] = [];
    for (const one of [...apart, 'room'] as const) {
      const owner = this.#ownerOf(one);
      if (owner !== undefined && owner.run !== self.run && byOrder(owner, self) < 0) break;
      wanted.push(one);
      if (lacks.has(one)) break;
    }
    return wanted;
  }

  /** Of what there would not be enough for the head beside it; null: of nothing. */
  #tooLittle(sized: Sized, head: Reserving): Dimension | null {
    const lacking = head.reserved.filter((kept) => {
      const need = sized.needs.find(({ of }) => of === kept.of);
      return need !== undefined && need.amount + (head.passed.get(kept.of) ?? 0) > this.#room.there(need) - kept.amount;
    });
    return (lacking.find(({ of }) => isAllOrNone(of)) ?? lacking[0])?.of ?? null;
  }

  #isOverBefore({ longestMs }: Sized, head: Reserving): boolean {
    if (longestMs === null) return false;
    if (head.roomAt === undefined) head.roomAt = roomAt(head.reserved, this.#room, this.#now);
    return head.roomAt !== null && this.#now + longestMs <= head.roomAt;
  }

  #reserving(head: Head, since: Map<Bottleneck, number>, sized: Sized): Reserving {
    const reserved = sized.needs.filter(({ of }) => since.has('room') || since.has(of));
    const made: Reserving = { ...head, since, sized, reserved, passed: new Map(), roomAt: undefined };
    for (const holding of this.#room.holding) addPassed(made, holding);
    return made;
  }

  /** Makes room for a new one, which is the last of its priority. */
  #hasPlace(priority: number): boolean {
    const last = this.#heads.at(-1);
    if (last === undefined || this.#heads.length < mostHeads) return true;
    if (last.priority >= priority) return false;
    this.#drop(last);
    return true;
  }

  #put(head: Reserving): void {
    this.#nextOrder = Math.max(this.#nextOrder, head.order + 1);
    this.#heads = [...this.#heads, head].sort(byOrder);
  }

  #drop(head: Reserving): void {
    this.#heads = this.#heads.filter((one) => one !== head);
  }

  /** From a later one that has it, which keeps its place among the heads. */
  #release(one: Bottleneck): boolean {
    const owner = this.#ownerOf(one);
    if (owner === undefined) return false;
    this.#drop(owner);
    owner.since.delete(one);
    this.#put(this.#reserving(owner, owner.since, owner.sized));
    return true;
  }

  #ownerOf(one: Bottleneck): Reserving | undefined {
    return this.#heads.find((head) => head.since.has(one));
  }

  #find(run: RunId): Reserving | null {
    return this.#heads.find((head) => head.run === run) ?? null;
  }
}

/** Higher priority first, then whoever was there first. */
const byOrder = (a: Pick<Head, 'priority' | 'order'>, b: Pick<Head, 'priority' | 'order'>): number =>
  b.priority - a.priority || a.order - b.order;

/** Counts a run that came after something was saved up, in what was. */
const addPassed = (head: Reserving, holding: Holding): void => {
  for (const [of, amount] of holds(holding)) {
    const since = Math.min(head.since.get('room') ?? Infinity, head.since.get(of) ?? Infinity);
    if (holding.turn >= since) head.passed.set(of, (head.passed.get(of) ?? 0) + amount);
  }
};
