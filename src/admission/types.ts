import type { Paused } from '../runs/paused.ts';
import type { Bytes, Millis, RunId } from '../units/brands.ts';

/** What admission may hand out: the capacity less the reserve. */
export interface Budget {
  /** Thousandths of a core. */
  readonly cpusMilli: number;
  readonly memory: Bytes;
  /** Cores, for sizing a run without a request. */
  readonly cores: number;
}

/** A run that waits. */
export interface Waiting {
  readonly run: RunId;
  /** Higher goes first. */
  readonly priority: number;
  readonly cpusMilli: number;
  /** The request's minimum after raises; null without a request. */
  readonly memory: Bytes | null;
  /** The run inside which it works, within what that one holds already; null for one that needs its own part. */
  readonly inside: RunId | null;
  /** Not before this moment: the back-off of a retry. */
  readonly notBefore: Millis | null;
  /** A person holds it back. */
  readonly paused: Paused | null;
}

/** A run that holds a part of the budget. */
export interface Holding {
  readonly run: RunId;
  readonly cpusMilli: number;
  /** What it counts for. */
  readonly memory: Bytes;
}

export interface Admitted {
  readonly run: RunId;
  /** The request's minimum after raises; null without a request. */
  readonly grant: Bytes | null;
  /** What it counts for in the budget. */
  readonly counted: Bytes;
}

export interface Decision {
  readonly admitted: readonly Admitted[];
  /** When the next back-off ends, if nothing else happens first. */
  readonly wakeAt: Millis | null;
}
