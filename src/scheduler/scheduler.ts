import type { Logger } from 'pino';
import type { KeptBackLog } from '../admission/kept-back.ts';
import type { Queue } from '../admission/queue.ts';
import type { MachineState } from '../admission/machine-state.ts';
import type { Remembered, Round } from '../admission/round.ts';
import type { Budget, Held } from '../admission/types.ts';
import type { ExitWatch } from '../keeper/watch-exits.ts';
import type { Ceiling } from '../containment/ceiling.ts';
import type { CgroupFs } from '../containment/cgroup-fs.ts';
import type { HeldWatch } from '../containment/held-watch.ts';
import type { SetUp } from '../containment/set-up.ts';
import type { Keepers } from '../keeper/keepers.ts';
import type { Capacity } from '../machine/capacity.ts';
import type { KernelLog } from '../machine/kernel-log.ts';
import type { ProcUnits } from '../machine/proc-units.ts';
import type { Paused } from '../runs/paused.ts';
import type { Raise } from '../runs/raise.ts';
import type { Settings } from '../settings/settings.ts';
import type { Store } from '../store/store.ts';
import type { Bytes, Millis, RunId } from '../units/brands.ts';
import type { Changes } from './changes.ts';
import type { Dependents } from './dependents.ts';
import type { GpuWatch } from './gpu-watch.ts';
import type { Host } from './host.ts';
import type { LearnedCommands } from './learned.ts';
import type { LogKeeping } from './keep-logs.ts';
import type { LiveStart } from './live-start.ts';
import type { LogMoving } from './log-moving.ts';
import type { MachineLook } from './machine-state.ts';
import type { EndsOnDisk } from './on-disk.ts';
import type { Outlook } from './outlook.ts';
import type { Owners } from './owners.ts';
import type { ContainedWatch } from './watch-contained.ts';
import type { Retention } from './retention.ts';
import type { Sampling } from './sampling.ts';
import type { UsageWatch } from './watch-usage.ts';
import type { StartFolders } from './start-folders.ts';
import type { Masks } from './start-masks.ts';
import type { StateFolder } from './state-folder.ts';
import type { Signal } from './signal.ts';
import type { InnerWait } from './stuck-wait.ts';
import type { Stall } from './stall.ts';

/** All that the scheduler's verbs work on. One process has one; what is in memory here follows what the store has committed. */
export interface Scheduler {
  readonly host: Host;
  /** As they are now: changed files are taken over while the daemon runs. */
  settings: Settings;
  readonly store: Store;
  readonly keepers: Keepers;
  readonly log: Logger;
  readonly state: StateFolder;
  readonly identity: Identity;
  /** What the machine has; the settings may say less or more. */
  readonly machine: Capacity;
  capacity: { readonly cpus: number; readonly memory: Bytes };
  budget: Budget;
  /** As it was when it was last looked at. */
  machineState: MachineState;
  readonly machineLook: MachineLook;
  readonly gpus: GpuWatch;
  /** Where runs' cgroups are made, or why there are none. */
  readonly cgroups: SetUp;
  readonly cgroupFs: CgroupFs;
  /** What all runs together may have, where the kernel sees to it. */
  ceiling: Ceiling;
  /** Cgroups of starts that are over, in which something still is. */
  readonly leftCgroups: Set<string>;
  /** Cgroups of runs that this store does not know; with when each was first seen empty, on the monotonic clock in µs. */
  readonly strangeCgroups: Map<string, number | null>;
  /** What was last read of the memory of contained starts. */
  readonly contained: ContainedWatch;
  /** Starts that are held at their limits, by their uuid: the watch must not take a retry for the start before it. */
  readonly held: HeldWatch<string>;
  /** The nearest readable counter of out-of-memory kills; null without any. */
  readonly sharedCounter: string | null;
  /** Read only where a start's own cgroup does not tell. */
  readonly kernelLog: KernelLog;
  /** The kernel log's pids are not those that we see. */
  readonly inPidNamespace: boolean;
  /** Of this boot; null where the machine does not say. */
  readonly bootId: string | null;
  /** What `/proc` counts in. */
  readonly units: ProcUnits;
  readonly exits: ExitWatch;
  readonly usage: UsageWatch;
  readonly sampling: Sampling;
  readonly startFolders: StartFolders;
  readonly retention: Retention;
  /** What is known of commands that died for memory, by their names. */
  readonly raises: Map<string, Raise>;
  /** Runs that wait. */
  readonly queue: Queue;
  /** Queued runs that are not simply for this machine, with what the store has of why they wait. */
  readonly heldStored: Map<RunId, string | null>;
  /** The daemon's own environment. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** What the submitters' variables held that `env:NAME` secrets name: in no file, so a daemon that ends forgets them. */
  readonly keptSecrets: Map<RunId, ReadonlyMap<string, string>>;
  readonly masks: Masks;
  readonly logKeeping: LogKeeping;
  readonly logMoving: LogMoving;
  /** Claimed starts whose secrets are being fetched; aborting ends that. */
  readonly fetching: Map<RunId, AbortController>;
  /** What the last decision saw and left, from which reasons are told; null before the first. */
  round: Round | null;
  /** What the next decision has to know of the last. */
  remembered: Remembered;
  /** What earlier runs of commands teach. */
  readonly learned: LearnedCommands;
  /** Who waits for the end of which run or group. */
  readonly dependents: Dependents;
  /** Waits that are parts of runs. */
  readonly innerWaits: Set<InnerWait>;
  readonly outlook: Outlook;
  /** Runs whose claim is on its way to the store: they hold their part of the budget already. */
  readonly claiming: Map<RunId, Held>;
  /** How many runs were made inside of commands that are not committed yet: they are in no other place. */
  entering: number;
  /** What keeps a run from being started, or its end from being stored, until it is mended. */
  readonly troubles: Map<RunId, string>;
  /** What keeps all runs from being claimed. */
  readonly stall: Stall;
  /** The start of every run that has one, by run. */
  readonly live: Map<RunId, LiveStart>;
  readonly endsOnDisk: EndsOnDisk;
  readonly changes: Changes;
  /** Events were committed. */
  readonly eventsWritten: Signal;
  /** The queue or the live starts changed: time to admit again, at the end of the turn. */
  readonly moved: Signal;
  /** A start gave back what it held, inside the command that stores its end: what is claimed at once shares the transaction. */
  readonly freed: Signal;
  readonly owners: Owners;
  readonly ownerPatience: Millis;
  /** After `orca down`: nothing is started. */
  down: boolean;
  /** What keeps the first runs of the queue, over time, and when that was last looked at. */
  readonly keptBack: { readonly log: KeptBackLog; notedAt: Millis };
  /** By a person, all that waits; null: by nobody. Runs inside others go on. */
  paused: Paused | null;
  /** The daemon is about to end: nothing more is started by it. */
  closing: boolean;
  /** Ends the wait for the next back-off, when there is one. */
  cancelWake: (() => void) | null;
}

/** Which daemon this is. */
export interface Identity {
  readonly pid: number;
  readonly version: string;
  /** The file it runs. */
  readonly program: string;
  readonly startedAt: Millis;
}
