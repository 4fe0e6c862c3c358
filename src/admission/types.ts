import type { Paused } from '../runs/paused.ts';
import type { Learned } from '../runs/learning.ts';
import type { Bytes, Millis, RunId } from '../units/brands.ts';
import type { MachineState } from './machine-state.ts';
import type { Need, Shape } from './shape.ts';

/** What admission may hand out: the capacity less the reserve. */
export interface Budget {
  /** Thousandths of a core. */
  readonly cpusMilli: number;
  readonly memory: Bytes;
  /** Cores, for sizing a run without a request. */
  readonly cores: number;
  /** What is kept back of the capacity, for the rest of the machine. */
  readonly reserve: Bytes;
}

/** A run that waits. */
export interface Waiting {
  readonly run: RunId;
  /** Higher goes first. */
  readonly priority: number;
  /** Among whom the machine is shared fairly. */
  readonly submitter: string;
  readonly shape: Shape;
  /** Names its command, by which its shape may come to know what was learned of it; null when nothing can be learned. */
  readonly command: string | null;
  /** The run inside which it works, within what that one holds already; null for one that needs its own part. */
  readonly inside: RunId | null;
  /** Not before this moment, by the queue's clock: the back-off of a retry. */
  readonly notBefore: Millis | null;
  /** A person holds it back: nobody is behind it. */
  readonly paused: Paused | null;
  /** What has to be over first, by name: nobody is behind it. Null: nothing. */
  readonly after: readonly string[] | null;
  /** What of its record cannot be read: it is not started, and nobody is behind it. Null: all can. */
  readonly damage: string | null;
}

/** A run that holds a part of the budget: what stays the same from its admission to its end. */
export interface Held {
  readonly run: RunId;
  readonly submitter: string;
  readonly cpusMilli: number;
  /** What it counts for. */
  readonly memory: Bytes;
  /** What it is thought to come to use; equal to `memory` where that was asked for or learned. */
  readonly expected: Bytes;
  /** Devices, by their ids. */
  readonly gpus: readonly string[];
  readonly needs: readonly Need[];
  /** The admission that let it in: a larger one came later. */
  readonly turn: number;
}

export interface Holding extends Held {
  /** What it uses now; null: not measured yet. */
  readonly residentBytes: Bytes | null;
  /** When it should be over by what was learned of its command, by the queue's clock; null: unknown. */
  readonly endsAt: Millis | null;
  /** When it is over at the latest, by its time limit; null: it has none. */
  readonly endsBy: Millis | null;
}

/** All that a decision goes by, besides the queue and the moment. */
export interface AdmissionState {
  readonly budget: Budget;
  readonly machine: MachineState;
  /** How much there is of each named thing: `resource:licence`, `slot:control`. What is missing is not there at all. */
  readonly amounts: ReadonlyMap<string, number>;
  /** Percent of pressure over which nothing more is started; 0: never. */
  readonly pressure: { readonly memory: number; readonly io: number };
  readonly holding: readonly Holding[];
  readonly learned: (command: string) => Learned | null;
  /** A person holds the whole queue. */
  readonly paused: Paused | null;
  /** After `orca down`. */
  readonly down: boolean;
}

export interface Admitted {
  readonly run: RunId;
  /** The request's minimum after raises; null without a request. */
  readonly grant: Bytes | null;
  /** What it counts for in the budget; nothing inside another run. */
  readonly counted: Bytes;
  readonly expected: Bytes;
  readonly gpus: readonly string[];
  readonly turn: number;
}
