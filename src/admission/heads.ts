import type { Millis, RunId } from '../units/brands.ts';
import { isRoom, isSavedUp, type Dimension } from './dimension.ts';
import { holds } from './holds.ts';
import type { Room } from './room.ts';
import { roomAt } from './room-at.ts';
import type { Need } from './shape.ts';
import type { Sized } from './sized.ts';
import type { Holding, Waiting } from './types.ts';

/** What runs wait for together. `room`: cpus and memory; its head saves up all that it needs. */
export type Bottleneck = 'room' | Dimension;

/** A run for which is saved up what it needs: what would delay it does not pass it. It stays until it starts, or must wait for something else. */
export interface Head {
  readonly run: RunId;
  readonly priority: number;
  /** A smaller one was there before: it need not mind the later ones. */
  readonly order: number;
  /** What is saved up, each since which admission. */
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
  delayedBy(entry: Waiting, sized: Sized): RunId | null {
    for (const head of this.#heads) {
      if (head.run === entry.run || head.priority < entry.priority) return null;
      if (!this.#mayPass(sized, head)) return head.run;
    }
    return null;
  }

  /** A run that is due lacks `short`: it becomes a head where nobody is one, and stops being one of what it does not lack any more. */
  note(entry: Waiting, sized: Sized, short: readonly Need[], turn: number): void {
    const wanted = this.#bottlenecks(sized, short);
    const known = this.#find(entry.run);
    const since = new Map<Bottleneck, number>();
    for (const one of wanted) {
      const owner = this.#heads.find((head) => head.since.has(one));
      if (owner !== undefined && owner !== known && owner.priority >= entry.priority) continue;
      since.set(one, known?.since.get(one) ?? turn);
      if (owner !== undefined && owner !== known) this.#release(owner, one);
    }
    if (known !== null) this.#drop(known);
    if (since.size === 0) return;
    const order = known?.order ?? this.#nextOrder;
    this.#put(this.#reserving({ run: entry.run, priority: entry.priority, order, since }, since, sized));
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
   * What a run that lacks `short` is the first to wait for. For a lock, a slot or a group's turn nothing is saved up: it comes free or not.
   * Of devices and resources those that are short are saved up, and nothing else for so long. Nor is anything for a run that could not
   * start if all of ours were over: what others hold is not ours to save up.
   */
  #bottlenecks(sized: Sized, short: readonly Need[]): Bottleneck[] {
    if (short.some((need) => need.amount > this.#room.there(need))) return [];
    const apart = short.filter(({ of }) => !isRoom(of));
    if (apart.some(({ of }) => !isSavedUp(of))) return [];
    if (apart.length > 0) return apart.map(({ of }) => of);
    return ['room', ...sized.needs.map(({ of }) => of).filter((of) => !isRoom(of))];
  }

  #mayPass(sized: Sized, head: Reserving): boolean {
    const beside = head.reserved.every((kept) => {
      const need = sized.needs.find(({ of }) => of === kept.of);
      return (
        need === undefined || need.amount + (head.passed.get(kept.of) ?? 0) <= this.#room.there(kept) - kept.amount
      );
    });
    return beside || this.#isOverBefore(sized, head);
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

  #put(head: Reserving): void {
    this.#nextOrder = Math.max(this.#nextOrder, head.order + 1);
    this.#heads = [...this.#heads, head].sort((a, b) => b.priority - a.priority || a.order - b.order);
  }

  #drop(head: Reserving): void {
    this.#heads = this.#heads.filter((one) => one !== head);
  }

  #release(head: Reserving, one: Bottleneck): void {
    head.since.delete(one);
    this.#drop(head);
    if (head.since.size > 0) this.#put(this.#reserving(head, head.since, head.sized));
  }

  #find(run: RunId): Reserving | null {
    return this.#heads.find((head) => head.run === run) ?? null;
  }
}

/** Counts a run that came after something was saved up, in what was. */
const addPassed = (head: Reserving, holding: Holding): void => {
  for (const [of, amount] of holds(holding)) {
    const since = Math.min(head.since.get('room') ?? Infinity, head.since.get(of) ?? Infinity);
    if (holding.turn >= since) head.passed.set(of, (head.passed.get(of) ?? 0) + amount);
  }
};
