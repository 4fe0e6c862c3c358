import type { AdmissionState, Held, Holding } from '../admission/types.ts';
import { control } from '../runs/placement.ts';
import { bytes, millis, type Bytes, type Millis, type RunId } from '../units/brands.ts';
import type { LiveStart } from './live-start.ts';
import type { Scheduler } from './scheduler.ts';

/** What the next decision goes by. */
export const admissionState = (scheduler: Scheduler): AdmissionState => {
  const { budget, machineState, settings, learned, paused, down } = scheduler;
  return {
    budget,
    machine: machineState,
    amounts: new Map([
      ...[...settings.resources].map(([name, amount]) => [`resource:${name}`, amount] as const),
      [`slot:${control}`, settings.get('ORCA_CONTROL_MAX_RUNS')],
    ]),
    pressure: { memory: settings.get('ORCA_PRESSURE_MEMORY'), io: settings.get('ORCA_PRESSURE_IO') },
    holding: holdings(scheduler),
    learned: (command) => learned.get(command),
    paused,
    down,
  };
};

/** Everything that holds a part of the budget. */
const holdings = ({ live, claiming, learned }: Scheduler): Holding[] => {
  const resident = residentOf(live);
  const holding: Holding[] = [];
  for (const start of live.values()) {
    if (start.parent !== null || start.released) continue;
    const { row, run, since } = start;
    const known = row.command === null ? null : learned.get(row.command);
    holding.push({
      ...heldOf(start),
      residentBytes: resident.get(run) ?? null,
      endsAt: after(since, known?.typicalMs ?? null),
      endsBy: after(since, row.timeout_ms),
    });
  }
  for (const held of claiming.values()) {
    if (held.cpusMilli > 0) holding.push({ ...held, residentBytes: null, endsAt: null, endsBy: null });
  }
  return holding;
};

const heldOf = ({ run, submitter, cpusMilli, memory, expected, gpus, needs, turn }: LiveStart): Held => ({
  run,
  submitter,
  cpusMilli,
  memory,
  expected,
  gpus,
  needs,
  turn,
});

/** What each start uses, with the runs inside it: they live off its part. */
const residentOf = (live: ReadonlyMap<RunId, LiveStart>): Map<RunId, Bytes> => {
  const resident = new Map<RunId, Bytes>();
  for (const start of live.values()) {
    if (start.lastRss === null) continue;
    const outermost = outermostOf(live, start).run;
    resident.set(outermost, bytes((resident.get(outermost) ?? 0) + start.lastRss));
  }
  return resident;
};

const outermostOf = (live: ReadonlyMap<RunId, LiveStart>, start: LiveStart): LiveStart => {
  const parent = start.parent === null ? undefined : live.get(start.parent.run);
  return parent === undefined ? start : outermostOf(live, parent);
};

const after = (since: Millis, duration: Millis | null): Millis | null =>
  duration === null ? null : millis(since + duration);
