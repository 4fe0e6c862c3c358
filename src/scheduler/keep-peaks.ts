import { keepPeak } from '../store/keep-peak.ts';
import { bytes } from '../units/brands.ts';
import type { LiveStart } from './live-start.ts';
import type { Scheduler } from './scheduler.ts';

/** A daemon that is killed loses the peaks of so many seconds at most. */
const everySeconds = 5;
/** A peak that has hardly grown is not worth a write. */
const worthAWrite = 1.02;

/** Stores peaks that have grown, now and then: a daemon that comes after this one could not know them. `now` is in meters' time. */
export const keepPeaks = (scheduler: Scheduler, running: readonly LiveStart[], now: number): void => {
  const { usage, log } = scheduler;
  if (now < usage.peaksKeptAt + everySeconds) return;
  usage.peaksKeptAt = now;
  storePeaks(scheduler, running).catch((error: unknown) => {
    log.error({ err: error }, 'the peaks of running starts could not be stored');
  });
};

/** Stores all peaks that have grown since they were stored last. */
export const storePeaks = async (scheduler: Scheduler, running: Iterable<LiveStart>): Promise<void> => {
  const grown = [...running].flatMap((live) => {
    const peak = live.meter.peakRss;
    return live.ending || peak === null || peak <= live.keptPeak * worthAWrite ? [] : [{ live, peak: bytes(peak) }];
  });
  if (grown.length === 0) return;
  await scheduler.store.command(async (tx) => {
    for (const { live, peak } of grown) {
      const { run, start, meter } = live;
      await keepPeak(tx, { run, start, peak_rss_bytes: peak, peak_cpus: meter.peakCpus });
    }
  });
  for (const { live, peak } of grown) live.keptPeak = peak;
};
