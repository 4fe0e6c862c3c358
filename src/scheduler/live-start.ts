import type { Holding } from '../admission/types.ts';
import type { RunRow } from '../store/schema.ts';
import type { Meter } from '../usage/meter.ts';
import type { Bytes, Mib, Millis, RunId } from '../units/brands.ts';

/** A start that holds its part of the budget, from its claim until its end is stored. */
export interface LiveStart extends Holding {
  readonly run: RunId;
  readonly start: number;
  readonly uuid: string;
  readonly folder: string;
  /** The run as it was when the start was claimed. */
  readonly row: RunRow;
  readonly cpusMilli: number;
  readonly memory: Bytes;
  readonly limit: Mib | null;
  /** Where the sampled cap kills; null without a request. */
  readonly cap: Bytes | null;
  readonly claimedAt: Millis;
  startedAt: Millis | null;
  pid: number | null;
  keeperPid: number | null;
  /** Nothing reports its end: its folder is watched. */
  adopted: boolean;
  /** Nobody measured it for a while. */
  gap: boolean;
  meter: Meter;
  /** The tree's resident memory when it was last seen. */
  lastRss: Bytes | null;
  /** A request to end it that its keeper has not yet taken. */
  ask: Ask | null;
  /** Its end is being worked on. */
  ending: boolean;
  /** Ends the watch over its folder. */
  unwatch: (() => void) | null;
}

export interface Ask {
  readonly mark: 'user' | 'cap';
  readonly text: string;
  readonly now: boolean;
}
