import { pressureReason } from '../runs/control-reasons.ts';
import { control } from '../runs/placement.ts';
import { bytes, millis, type Bytes, type Millis } from '../units/brands.ts';
import { FairShares, type Passes } from './fair-shares.ts';
import type { Dimension } from './dimension.ts';
import { Heads, type Delay, type Head } from './heads.ts';
import { pressureOf, type Pressure } from './pressure.ts';
import type { Queue } from './queue.ts';
import { Room } from './room.ts';
import type { Need, Shape } from './shape.ts';
import { sized, type Sized } from './sized.ts';
import type { AdmissionState, Admitted, Holding, Waiting } from './types.ts';
import type { Taken } from './walk.ts';

/** What is carried from one decision to the next. */
export interface Remembered {
  readonly passes: Passes;
  readonly heads: readonly Head[];
  /** The number of the next admission. */
  readonly turn: number;
}

/** Why a run that is due does not start in this decision. */
export type Block =
  | { readonly kind: 'never' }
  | { readonly kind: 'pressure'; readonly pressure: Pressure }
  | { readonly kind: 'control'; readonly words: string }
  | { readonly kind: 'gpus-unknown'; readonly why: string }
  | { readonly kind: 'short'; readonly short: readonly Need[] }
  /** There is room, and with it that head would start later. */
  | ({ readonly kind: 'delays' } & Delay);

/** One decision, while it is made and after: what was admitted, what is left, and what keeps the rest. */
export class Round {
  readonly state: AdmissionState;
  readonly now: Millis;
  readonly room: Room;
  readonly heads: Heads;
  readonly shares: FairShares;
  readonly taken: Taken;
  /** Shapes that were looked at in vain: what keeps one of them keeps all. */
  readonly closed = new Set<Shape>();
  readonly admitted: Admitted[] = [];
  /** How many were looked at in vain. */
  looks = 0;
  /** Those that fit and would delay a head. */
  readonly #delayed = new Set<Shape>();
  /** Who needs so much of a lock, a slot, a resource … would delay a head. */
  readonly #kept = new Map<string, number>();
  readonly #sized = new Map<Shape, Sized>();
  #never: readonly Shape[] | null = null;
  #turn: number;

  constructor(queue: Queue, state: AdmissionState, before: Remembered, now: Millis, taken: Taken) {
    this.state = state;
    this.now = now;
    this.taken = taken;
    this.room = new Room(state);
    this.#turn = before.turn;
    this.shares = new FairShares(state, queue.submitters(), before.passes);
    const heads = before.heads.flatMap((head) => {
      const entry = taken.has(head.run) ? null : queue.standing(head.run);
      return entry?.priority === head.priority ? [[head, this.sizedOf(entry)] as const] : [];
    });
    this.heads = new Heads(heads, this.room, now);
  }

  get remembered(): Remembered {
    return { passes: this.shares.passes, heads: this.heads.all, turn: this.#turn };
  }

  sizedOf({ shape }: Pick<Waiting, 'shape'>): Sized {
    const known = this.#sized.get(shape);
    if (known !== undefined) return known;
    const made = sized(shape, this.state);
    this.#sized.set(shape, made);
    return made;
  }

  /** The shapes in the order of which no run can ever start here; seldom any. Looked for once. */
  neverOf(queue: Queue): readonly Shape[] {
    if (this.#never !== null) return this.#never;
    const shapes = new Set<Shape>();
    for (const { lines } of queue.levels())
      for (const { lanes } of lines.values()) for (const lane of lanes) shapes.add(lane.shape);
    this.#never = [...shapes].filter((shape) => this.sizedOf({ shape }).never !== null);
    return this.#never;
  }

  /** What keeps a run that stands in the order; null: nothing does. */
  blockOf(entry: Waiting): Block | null {
    const size = this.sizedOf(entry);
    if (size.never !== null) return { kind: 'never' };
    // Nobody waits for ever for what is not ours: with nothing of ours going on, one starts under any pressure.
    const pressure = this.room.holding.length === 0 ? null : pressureOf(this.state);
    if (pressure !== null) return { kind: 'pressure', pressure };
    const { machine } = this.state;
    if (entry.shape.gpus > 0 && machine.gpusUnknown !== null) return { kind: 'gpus-unknown', why: machine.gpusUnknown };
    const full = isOnControl(entry.shape) ? pressureReason(machine.minute, this.now) : null;
    if (full !== null) return { kind: 'control', words: full };
    const short = this.room.short(size.needs);
    if (short.length > 0) return { kind: 'short', short };
    const delay = this.heads.delayedBy(entry, size);
    return delay === null ? null : { kind: 'delays', ...delay };
  }

  /**
   * Whether a run, no head, lacks the first that it would gather, or what is left of that is saved up: then nothing is saved up for it, and it is not looked at
   * further. That costs little, and hundreds of different commands that wait for one thing must not keep those behind them from being looked at.
   */
  passOver(entry: Waiting): boolean {
    const { shape } = entry;
    const [first = devicesOf(shape)] = shape.needs;
    if (!this.heads.isSavedUp(first?.of ?? 'room', entry.priority)) return false;
    if (first === undefined ? !this.#lacksRoom(shape) : !this.#lacks(entry, first)) return false;
    this.closed.add(shape);
    this.looks += passedOverCost;
    return true;
  }

  #lacks(entry: Waiting, need: Need): boolean {
    if (need.amount > this.room.free(need)) return true;
    // What is saved up may be had by who is over before it is used.
    if (need.amount < (this.#kept.get(keyOf(need)) ?? Infinity) || this.sizedOf(entry).longestMs !== null) return false;
    this.#delayed.add(entry.shape);
    return true;
  }

  #lacksRoom({ cpusMilli, memory, most }: Shape): boolean {
    const lacks = (of: Dimension, amount: number): boolean => amount > this.room.free({ of, there: null });
    return lacks('cpus', cpusMilli) || (memory !== null && lacks('memory', Math.min(memory, most ?? memory)));
  }

  /** Starts a run if nothing keeps it; else says what does. `more`: now is its turn to have more saved up for it. */
  consider(entry: Waiting, more: boolean): Block | null {
    const block = this.blockOf(entry);
    if (block === null) {
      this.#admit(entry);
      return null;
    }
    if (block.kind === 'delays') this.#delayed.add(entry.shape);
    if (block.kind === 'short' || block.kind === 'delays') this.#noteHead(entry, block, more);
    // Pressure is everybody's and passes; what else is not ours to give may last.
    else if (block.kind !== 'pressure') this.heads.leave(entry.run);
    this.closed.add(entry.shape);
    this.looks += this.#mayLast(block) ? passedOverCost : 1;
    return block;
  }

  /** What is not ours to give may be lacking for days: hundreds that wait for it must not keep those behind them from being looked at. */
  #mayLast(block: Block): boolean {
    if (block.kind !== 'short') return block.kind !== 'delays' && block.kind !== 'pressure';
    return block.short.some((need) => need.amount > this.room.there(need));
  }

  /** A head that did not start has more saved up for it, when all whose turn it was had theirs. Whether anything changed by that. */
  gather(entry: Waiting): boolean {
    const block = this.blockOf(entry);
    return (block?.kind === 'short' || block?.kind === 'delays') && this.#noteHead(entry, block, true);
  }

  /** Who would have delayed a head is looked at again, since something else is saved up now. Whether there is any. */
  reopen(): boolean {
    if (this.#delayed.size === 0) return false;
    for (const shape of this.#delayed) this.closed.delete(shape);
    this.#delayed.clear();
    this.#kept.clear();
    return true;
  }

  #noteHead(entry: Waiting, block: Block & { readonly kind: 'short' | 'delays' }, more: boolean): boolean {
    const size = this.sizedOf(entry);
    const short = block.kind === 'short' ? block.short : [];
    const changed = this.heads.note(entry, size, short, { turn: this.#turn, more });
    if (block.kind === 'delays') {
      const need = size.needs.find(({ of }) => of === block.of);
      if (need !== undefined)
        this.#kept.set(keyOf(need), Math.min(need.amount, this.#kept.get(keyOf(need)) ?? Infinity));
    }
    return changed;
  }

  /** Within what its parent holds. */
  admitNested({ run, shape }: Waiting): void {
    this.taken.add(run);
    this.admitted.push({ run, grant: shape.memory, counted: none, expected: none, gpus: [], turn: this.#turn });
  }

  #admit(entry: Waiting): void {
    const { run, shape, submitter } = entry;
    const { memory, longestMs, typicalMs } = this.sizedOf(entry);
    const { counted, expected } = memory;
    const gpus = this.room.devices(shape.gpus);
    const holding: Holding = {
      run,
      submitter,
      cpusMilli: shape.cpusMilli,
      memory: counted,
      expected,
      residentBytes: null,
      gpus,
      needs: shape.needs,
      turn: this.#turn,
      endsAt: typicalMs === null ? null : millis(this.now + typicalMs),
      endsBy: longestMs === null ? null : millis(this.now + longestMs),
    };
    this.taken.add(run);
    this.room.take(holding);
    this.shares.take(holding);
    this.heads.admitted(holding);
    this.admitted.push({ run, grant: shape.memory, counted, expected, gpus, turn: this.#turn });
    this.#turn += 1;
  }
}

/** A part of a look. */
const passedOverCost = 1 / 16;
const devicesOf = ({ gpus }: Shape): Need | undefined =>
  gpus === 0 ? undefined : { of: 'gpus', amount: gpus, there: null };
const keyOf = ({ of, there }: Need): string => `${of} ${there ?? ''}`;

const isOnControl = ({ needs }: Shape): boolean => needs.some(({ of }) => of === `slot:${control}`);
const none: Bytes = bytes(0);
