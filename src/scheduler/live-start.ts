import type { KeptBack } from '../admission/kept-back.ts';
import type { Held } from '../admission/types.ts';
import type { StoredRun } from '../store/run.ts';
import { Meter } from '../usage/meter.ts';
import { SeenPids } from '../usage/seen-pids.ts';
import type { Bytes, Mib, Millis, RunId } from '../units/brands.ts';
import type { Host } from './host.ts';
import type { LogFiles } from './state-folder.ts';
import { steadyOf } from './steady.ts';
import type { StartSamples } from './sample-starts.ts';
import type { LogTimes } from './time-logs.ts';
import type { KillsSeen } from './watch-kills.ts';

/** A start that holds its part of the budget, from its claim until its end is stored. */
export interface LiveStart extends Held {
  readonly run: RunId;
  readonly start: number;
  /** `ORCA_START`. */
  readonly uuid: string;
  readonly folder: string;
  /** The run as it was when the start was claimed. */
  readonly row: StoredRun;
  readonly limit: Mib;
  /** Where it is killed: by the kernel when it has a cgroup, else by the sampled cap; null when neither is there. */
  readonly cap: Bytes | null;
  /** Where its outputs are kept, by the ORCA_LOGS of its claim. */
  readonly logs: LogFiles;
  /** The folder of its own cgroup; null when it has none. */
  readonly cgroup: string | null;
  /** The devices that it has, as `CUDA_VISIBLE_DEVICES` names them. */
  readonly gpus: readonly string[];
  /** The start inside which it works, holding nothing of the budget itself; null for one of its own. */
  readonly parent: Parent | null;
  readonly claimedAt: Millis;
  /** What kept its run from starting, as far as that was seen. */
  readonly keptBack: readonly KeptBack[];
  /** An event says it. */
  keptBackTold: boolean;
  startedAt: Millis | null;
  /** When it began, or was claimed, by the queue's clock. */
  since: Millis;
  pid: number | null;
  keeperPid: number | null;
  /** What it used so far, in seconds of `meterTime`. */
  meter: Meter;
  /** The peak that the store has, in bytes. */
  keptPeak: number;
  /** Nobody measured it for a while. */
  gap: boolean;
  /** What its file of samples gets; null before it began, and with samples off. */
  samples: StartSamples | null;
  /** When its outputs were written; null before the first look. */
  times: LogTimes | null;
  /** The tree's resident memory when it was last seen. */
  lastRss: Bytes | null;
  /** Of its tree; kept where there is no cgroup that counts its kills. */
  readonly seenPids: SeenPids;
  /** Kills for memory in its cgroup while it goes on; null before the first look. */
  kills: KillsSeen | null;
  /** A request to end it that its keeper has not yet taken. */
  ask: Ask | null;
  /** The store knows it as running in an earlier boot: none of its processes can be there. */
  otherBoot: boolean;
  /** Nothing may report its end: its folder is looked at. */
  adopted: boolean;
  /** Ends the watch over its folder. */
  unwatch: (() => void) | null;
  /** Its outputs may go by way of the stage. */
  staged: boolean;
  /** When it was first seen with neither a record nor a keeper, by the queue's clock. */
  missingSince: Millis | null;
  /** Its end is being stored. */
  ending: boolean;
  /** Its end is being committed, and it holds nothing of the budget any more. */
  released: boolean;
  /** It is over, and storing that has failed so far. */
  unstoredEnd: boolean;
}

/** The start inside which another one works. */
export interface Parent {
  readonly run: RunId;
  readonly start: number;
  readonly folder: string;
  readonly limit: Mib;
  /** The cgroup that both are in; null without one. */
  readonly cgroup: string | null;
}

export interface Ask {
  readonly mark: 'user' | 'cap' | 'held';
  readonly text: string;
  /** Without the grace. */
  readonly now: boolean;
}

type Known = Pick<
  LiveStart,
  'row' | 'start' | 'folder' | 'uuid' | 'limit' | 'cap' | 'logs' | 'cgroup' | 'parent' | 'claimedAt'
> & { readonly held: Held; readonly keptBack?: readonly KeptBack[] };

export const newLiveStart = (host: Host, { held, ...known }: Known): LiveStart => ({
  ...known,
  ...held,
  keptBack: known.keptBack ?? [],
  keptBackTold: false,
  startedAt: null,
  since: steadyOf(host, known.claimedAt),
  pid: null,
  keeperPid: null,
  meter: new Meter(meterTime(host, known.claimedAt)),
  keptPeak: 0,
  gap: false,
  samples: null,
  times: null,
  lastRss: null,
  seenPids: new SeenPids(),
  kills: null,
  ask: null,
  otherBoot: false,
  adopted: false,
  unwatch: null,
  staged: true,
  missingSince: null,
  ending: false,
  released: false,
  unstoredEnd: false,
});

/** A wall-clock moment of the past as meters count it, in seconds that no clock set back or forth can disturb. */
export const meterTime = (host: Pick<Host, 'now' | 'monotonicUs'>, moment: Millis = host.now()): number =>
  host.monotonicUs() / 1e6 - Math.max(0, host.now() - moment) / 1000;
