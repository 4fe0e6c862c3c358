import { countedMemory } from '../admission/counted-memory.ts';
import { unknownMachine, type MachineState, type OthersHold } from '../admission/machine-state.ts';
import { FadingPressure } from '../containment/fading-pressure.ts';
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
import { steadyOf } from './steady.ts';

/** Where the machine's files are, and what was read of them last. */
export interface MachineLook {
  readonly cgroupRoot: string;
  readonly passwdFile: string;
  /** On the monotonic clock; null before the first look. */
  lookedMs: number | null;
  /** What costs more is looked at again then. */
  widelyDueMs: number;
  /** Since when runs have waited without a break; null while none does. */
  waitingSinceMs: number | null;
  others: readonly OthersHold[];
  largest: MachineState['largestForeign'];
  /** What others' runs cause at their own limits, as of the last walk. */
  othersOwnPressure: number;
  readonly othersFading: FadingPressure;
}

export const newMachineLook = (roots: Pick<MachineLook, 'cgroupRoot' | 'passwdFile'>): MachineLook => ({
  ...roots,
  lookedMs: null,
  widelyDueMs: 0,
  waitingSinceMs: null,
  others: [],
  largest: null,
  othersOwnPressure: 0,
  othersFading: new FadingPressure(),
});

/** Decisions come in bursts: those within so short a time go by the same look. */
const freshMs = 250;
/** The walk through all cgroups, and that through all processes: at most so often, and so seldom that it takes half a percent of a core. */
const widelyEveryMs = 2000;
const widelyPerCost = 200;
const widelySeldomMs = 30_000;
/** Who waits for less is gone before anybody asks why. */
const worthAReasonMs = 1000;
/** From this `some avg10` on somebody will ask who it is. */
const feltPercent = 5;

/**
 * Sees to it that `machineState` is as new as a decision needs it: a few small files at most every 250 ms; the cgroups of other daemons' runs at most every
 * 2 s, and the largest foreign process for runs that have waited a while on a machine that is short of memory. With nothing queued nothing is read.
 */
export const lookAtMachine = (scheduler: Scheduler): MachineState => {
  const { machineLook: look, host, queue, gpus } = scheduler;
  const nowMs = host.monotonicUs() / 1000;
  look.waitingSinceMs = queue.size === 0 ? null : (look.waitingSinceMs ?? nowMs);
  if (queue.size > 0 && (look.lookedMs === null || nowMs - look.lookedMs >= freshMs)) {
    look.lookedMs = nowMs;
    lookWidely(scheduler, nowMs);
    scheduler.machineState = stateNow(scheduler);
  }
  scheduler.machineState = { ...scheduler.machineState, ...gpus.state() };
  return scheduler.machineState;
};

/** What other daemons hold, as of the last 2 s, whether anything waits or not. */
export const othersLately = (scheduler: Scheduler): readonly OthersHold[] => {
  lookWidely(scheduler, scheduler.host.monotonicUs() / 1000);
  return scheduler.machineLook.others;
};

const lookWidely = (scheduler: Scheduler, nowMs: number): void => {
  const { machineLook: look, machineState } = scheduler;
  if (nowMs < look.widelyDueMs) return;
  const before = process.threadCpuUsage();
  look.others = othersNow(scheduler, nowMs);
  const waited = look.waitingSinceMs === null ? 0 : nowMs - look.waitingSinceMs;
  look.largest = waited >= worthAReasonMs && isShort(scheduler, machineState) ? largestNow(scheduler) : null;
  const { user, system } = process.threadCpuUsage(before);
  const restMs = ((user + system) / 1000) * widelyPerCost;
  look.widelyDueMs = nowMs + Math.min(widelySeldomMs, Math.max(widelyEveryMs, restMs));
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
    largestForeign: machineLook.largest,
    memoryPressure: pressure?.memory.some ?? null,
    ioPressure: pressure?.io.some ?? null,
    ownPressure: Math.max(contained.ownPressure(performance.now()), machineLook.othersOwnPressure),
    minute:
      minute === null
        ? null
        : { endedAt: steadyOf(host, millis(minute.at + minuteMs)), memory: minute.memory, disk: minute.disk },
  };
};

const othersNow = (scheduler: Scheduler, nowMs: number): OthersHold[] => {
  const { machineLook, budget } = scheduler;
  const runs = findOtherRuns(machineLook.cgroupRoot, (folder) => isOwnGroup(scheduler, folder));
  machineLook.othersOwnPressure = machineLook.othersFading.note(ownLimitPressure(runs), nowMs);
  const measures = { budgetBytes: budget.memory, shareBytes: countedMemory(null, null, budget).counted };
  return othersHold(runs, measures).map(({ uid, bytes: held }) => ({
    user: uid === null ? unknownUser : userName(machineLook.passwdFile, uid),
    bytes: bytes(held),
  }));
};

/** Less is available than the budget promises: then, and only then, that may be what a run waits for. */
const isShort = ({ budget }: Scheduler, { availableBytes, memoryPressure }: MachineState): boolean =>
  (availableBytes !== null && availableBytes < budget.memory) || (memoryPressure ?? 0) >= feltPercent;

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
