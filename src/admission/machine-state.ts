import type { Bytes, Millis } from '../units/brands.ts';

/** The machine as it was when it was last looked at, as far as the queue minds. What could not be read is null and holds nobody. */
export interface MachineState {
  /** What could be given out now without swapping (`MemAvailable`; in a container or slice what that has left, if it is less). */
  readonly availableBytes: Bytes | null;
  /** What other users' daemons have promised to their runs. */
  readonly others: readonly OthersHold[];
  /** `some avg10` of the whole machine, in percent. */
  readonly memoryPressure: number | null;
  readonly ioPressure: number | null;
  /** The part of both that runs cause at their own limits: the largest `some avg10` among those; 0 for none. */
  readonly ownPressure: number;
  /** The newest minute of the host that is over; null when there is none. */
  readonly minute: MachineMinute | null;
  /** Every device that is there, by number. */
  readonly gpus: readonly GpuDevice[];
  /** Why it is not known which are there, or what uses them: runs that need one wait with these words, and none is refused. Null: it is known. */
  readonly gpusUnknown: string | null;
  /** The largest process that belongs to no run of ours, for words. */
  readonly largestForeign: (ProcessName & { readonly residentBytes: Bytes }) | null;
}

/** What one user's daemon has promised to its runs on this machine. */
export interface OthersHold {
  readonly user: string;
  readonly bytes: Bytes;
}

export interface ProcessName {
  readonly pid: number;
  /** Its owner's name, or number where that has none. */
  readonly user: string;
  readonly name: string;
}

export interface MachineMinute {
  readonly endedAt: Millis;
  /** Percent of the memory that was in use. */
  readonly memory: number | null;
  /** The fullest disk. */
  readonly disk: { readonly path: string; readonly percent: number } | null;
}

export interface GpuDevice {
  /** What `CUDA_VISIBLE_DEVICES` takes and a start stores: its uuid where it has one, else its number. */
  readonly id: string;
  /** As `nvidia-smi` numbers it; where one is divided (MIG) its place in `nvidia-smi -L`, where each part is a device. */
  readonly index: number;
  readonly uuid: string | null;
  /** What uses it and belongs to no run of ours: while there is any, it is not handed out. */
  readonly foreign: readonly ProcessName[];
}

/** Of a machine that nothing was read of. */
export const unknownMachine: MachineState = {
  availableBytes: null,
  others: [],
  memoryPressure: null,
  ioPressure: null,
  ownPressure: 0,
  minute: null,
  gpus: [],
  gpusUnknown: null,
  largestForeign: null,
};
