import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { readCurrent, readPressure } from '../containment/read.ts';
import type { CgroupUse } from '../machine/cgroup-use.ts';
import { fileWriter } from '../sample/file-writer.ts';
import { sampleLine, type HostLook } from '../sample/sample-line.ts';
import type { SampleWriter } from '../sample/sample-writer.ts';
import { bytesOfMib } from '../units/brands.ts';
import { isControl } from './control.ts';
import type { LiveStart } from './live-start.ts';
import { nextBeat, ownCpuSeconds, sampleIntervalMs, sampleMs, tellLost } from './sampling.ts';
import type { Scheduler } from './scheduler.ts';
import { metricsFile } from './state-folder.ts';

/** Of a run: a day at the usual interval. */
const linesKept = 17_280;

/** The samples of one start. */
export interface StartSamples {
  /** What its next line is the difference to. */
  before: HostLook;
  dueMs: number;
  /** Null before the first line. */
  writer: SampleWriter | null;
}

/** A start that is over by then leaves no samples: a folder and a file for each would cost a short one more than it does itself. */
const firstMs = 200;

/** Its first line is due a moment from now. */
export const beginSamples = (scheduler: Scheduler, live: LiveStart): void => {
  const { sampling, settings, host } = scheduler;
  if (live.samples !== null || sampleIntervalMs(settings) === null) return;
  live.samples = { before: sampling.looks.look(), dueMs: sampleMs(host) + firstMs, writer: null };
};

/** Writes the lines that are due of starts that were just measured. */
export const sampleStarts = (scheduler: Scheduler, measured: readonly LiveStart[]): void => {
  const { sampling, settings, host } = scheduler;
  const intervalMs = sampleIntervalMs(settings);
  if (intervalMs === null) return;
  const nowMs = sampleMs(host);
  for (const live of measured) {
    // One that an earlier daemon started, or that began while samples were off.
    if (live.samples === null) beginSamples(scheduler, live);
    if (live.samples === null || nowMs < live.samples.dueMs) continue;
    live.samples.dueMs = nextBeat(nowMs, intervalMs);
    addLine(scheduler, live, live.samples, sampling.looks.look(live.samples.before), {
      rss: live.lastRss ?? 0,
      cgroup: cgroupUse(scheduler, live),
    });
  }
};

/** The line at a start's end, when nothing of it is left; only after others. */
export const endSamples = (scheduler: Scheduler, live: LiveStart): void => {
  const { samples } = live;
  live.samples = null;
  if (samples === null || samples.writer === null) return;
  addLine(scheduler, live, samples, scheduler.sampling.looks.look(samples.before), { rss: 0, cgroup: null });
};

const addLine = (
  scheduler: Scheduler,
  live: LiveStart,
  samples: StartSamples,
  look: HostLook,
  run: { readonly rss: number; readonly cgroup: CgroupUse | null },
): void => {
  const { sampling } = scheduler;
  const file = metricsFile(live.logs, live.run, isControl(scheduler, live.row) ? 'control' : 'local');
  const lost = (error: unknown): void => tellLost(scheduler, error, { run: live.run, file });
  const line = sampleLine(sampling.machine, samples.before, look, {
    ...run,
    containers: null,
    selfCpu: ownCpuSeconds(),
  });
  samples.before = look;
  try {
    samples.writer ??= openFile(file);
    samples.writer.write(JSON.stringify(line)).catch(lost);
  } catch (error) {
    lost(error);
  }
};

/** In the run's log folder, which is not made again should somebody have deleted it. */
const openFile = (file: string): SampleWriter => {
  try {
    mkdirSync(dirname(file), { mode: 0o700 });
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  }
  return fileWriter(file, { keep: linesKept, mode: 0o600 });
};

const cgroupUse = ({ cgroupFs }: Scheduler, { cgroup, limit }: LiveStart): CgroupUse | null => {
  const current = cgroup === null ? null : readCurrent(cgroupFs, cgroup);
  if (cgroup === null || current === null) return null;
  return { current, limit: bytesOfMib(limit), full: readPressure(cgroupFs, cgroup)?.fullAvg10 ?? null };
};
