import { countedMemory } from '../admission/counted-memory.ts';
import { unknownMachine, type MachineState, type OthersHold } from '../admission/machine-state.ts';
import { findOtherRuns } from '../containment/other-runs.ts';
import { ownLimitPressure } from '../containment/own-limit-pressure.ts';
import { othersHold } from '../containment/others-hold.ts';
import { readAvailable } from '../machine/available-memory.ts';
import { readHostPressure } from '../machine/host-pressure.ts';
import { describeProcess, largestForeign } from '../machine/largest-process.ts';
import { readPidStats } from '../machine/read-pid-stats.ts';
import { userName } from '../machine/user-names.ts';
import { minuteMs, newestMinute } from '../sample/minutes.ts';
import { bytes, millis } from '../units/brands.ts';
import { isOwnGroup, ownTops, unknownUser } from './own-processes.ts';
import type { Scheduler } from './scheduler.ts';

/** Where the machine's files are, and what was read of them last. */
export interface MachineLook {
  readonly cgroupRoot: string;
  readonly passwdFile: string;
  /** On the monotonic clock; null before the first look. */
  lookedMs: number | null;
  /** What costs more was looked at then. */
  widelyMs: number | null;
  others: readonly OthersHold[];
  largest: MachineState['largestForeign'];
  /** The pressure of others' runs at their own limits. */
  othersOwnPressure: number;
}

export const newMachineLook = (roots: Pick<MachineLook, 'cgroupRoot' | 'passwdFile'>): MachineLook => ({
  ...roots,
  lookedMs: null,
  widelyMs: null,
  others: [],
  largest: null,
  othersOwnPressure: 0,
});

/** Decisions come in bursts: those within so short a time go by the same look. */
const freshMs = 250;
/** The walk through all cgroups, and that through all processes. */
const widelyEveryMs = 2000;
/** From this `some avg10` on, or with less available than the budget has left, somebody will ask who it is. */
const someoneIsFeltPercent = 5;

/**
 * Sees to it that `machineState` is as new as a decision needs it: a few small files at most every 250 ms; the cgroups of other daemons' runs at most every
 * 2 s, and the largest foreign process where the machine is short of memory. With nothing queued nothing is read.
 */
export const lookAtMachine = (scheduler: Scheduler): MachineState => {
  const { machineLook: look, host, queue, gpus } = scheduler;
  if (queue.size === 0) return scheduler.machineState;
  const nowMs = host.monotonicUs() / 1000;
  if (look.lookedMs === null || nowMs - look.lookedMs >= freshMs) {
    look.lookedMs = nowMs;
    const widely = lookWidely(scheduler, nowMs);
    const state = stateNow(scheduler);
    if (widely) look.largest = isShort(scheduler, state) ? largestNow(scheduler) : null;
    scheduler.machineState = { ...state, largestForeign: look.largest };
  }
  scheduler.machineState = { ...scheduler.machineState, ...gpus.state() };
  return scheduler.machineState;
};

/** What other daemons hold, as of the last 2 s, whether anything waits or not. */
export const othersLately = (scheduler: Scheduler): readonly OthersHold[] => {
  lookWidely(scheduler, scheduler.host.monotonicUs() / 1000);
  return scheduler.machineLook.others;
};

/** Whether it was time. */
const lookWidely = (scheduler: Scheduler, nowMs: number): boolean => {
  const { machineLook: look } = scheduler;
  if (look.widelyMs !== null && nowMs - look.widelyMs < widelyEveryMs) return false;
  look.widelyMs = nowMs;
  look.others = othersNow(scheduler);
  return true;
};

/** Nothing of it throws: what cannot be read is null, and holds nobody. */
const stateNow = (scheduler: Scheduler): MachineState => {
  const { host, machineLook, cgroups, contained, sampling, machineState } = scheduler;
  const roots = { procRoot: host.procRoot, cgroupRoot: machineLook.cgroupRoot };
  const available = readAvailable(roots, cgroups.on ? cgroups.base : null);
  const pressure = readHostPressure(host.procRoot);
  const minute = newestMinute(sampling.minutes, host.now());
  return {
    ...unknownMachine,
    gpus: machineState.gpus,
    availableBytes: available === null ? null : bytes(available),
    others: machineLook.others,
    memoryPressure: pressure?.memory.some ?? null,
    ioPressure: pressure?.io.some ?? null,
    ownPressure: Math.max(contained.ownPressure, machineLook.othersOwnPressure),
    minute:
      minute === null ? null : { endedAt: millis(minute.at + minuteMs), memory: minute.memory, disk: minute.disk },
  };
};

const othersNow = (scheduler: Scheduler): OthersHold[] => {
  const { machineLook, budget } = scheduler;
  const runs = findOtherRuns(machineLook.cgroupRoot, (folder) => isOwnGroup(scheduler, folder));
  machineLook.othersOwnPressure = ownLimitPressure(runs);
  const measures = { budgetBytes: budget.memory, shareBytes: countedMemory(null, budget) };
  return othersHold(runs, measures).map(({ uid, bytes: held }) => ({
    user: uid === null ? unknownUser : userName(machineLook.passwdFile, uid),
    bytes: bytes(held),
  }));
};

const isShort = ({ budget, live, claiming }: Scheduler, state: MachineState): boolean => {
  if ((state.memoryPressure ?? 0) >= someoneIsFeltPercent) return true;
  let left: number = budget.memory;
  for (const held of [...live.values(), ...claiming.values()]) left -= held.memory;
  return state.availableBytes !== null && state.availableBytes < left;
};

const largestNow = (scheduler: Scheduler): MachineState['largestForeign'] => {
  const { host, machineLook, units } = scheduler;
  const stat = largestForeign(readPidStats(host.procRoot), ownTops(scheduler));
  if (stat === null) return null;
  const { pid, name, user } = describeProcess(
    { procRoot: host.procRoot, passwdFile: machineLook.passwdFile },
    stat.pid,
  );
  return { pid, name, user: user ?? unknownUser, residentBytes: bytes(stat.rssPages * units.pageBytes) };
};
