import { withSample, type Minute } from '../sample/minutes.ts';
import { sampleLine } from '../sample/sample-line.ts';
import { repeat } from './repeat.ts';
import { nextBeat, ownCpuSeconds, runsRss, sampleIntervalMs, sampleMs, tellLost } from './sampling.ts';
import type { Scheduler } from './scheduler.ts';

/** Samples the machine for as long as a run is queued or active; idle it does nothing at all. */
export const sampleHost = (scheduler: Scheduler): void => {
  const { sampling, host } = scheduler;
  const delayMs = (): number | null => {
    const intervalMs = sampleIntervalMs(scheduler.settings);
    if (intervalMs === null || !isBusy(scheduler)) return null;
    sampling.hostBefore ??= sampling.looks.look();
    const nowMs = sampleMs(host);
    return nextBeat(nowMs, intervalMs) - nowMs;
  };
  repeat(scheduler, delayMs, () => {
    if (isBusy(scheduler)) takeSample(scheduler);
    else sampling.hostBefore = null;
  });
};

const isBusy = ({ live, claiming, queue, closing }: Scheduler): boolean =>
  !closing && live.size + claiming.size + queue.size > 0;

const takeSample = (scheduler: Scheduler): void => {
  const { sampling } = scheduler;
  const look = sampling.looks.look();
  const line = sampleLine(sampling.machine, sampling.hostBefore ?? look, look, {
    rss: runsRss(scheduler.live.values()),
    containers: null,
    cgroup: null,
    selfCpu: ownCpuSeconds(),
  });
  sampling.hostBefore = look;
  const { minutes, closed } = withSample(sampling.minutes, line);
  sampling.minutes = minutes;
  sampling.hostFile.write(JSON.stringify(line)).catch((error: unknown) => tellLost(scheduler, error, {}));
  if (closed !== null) keepMinute(scheduler, closed);
};

const keepMinute = (scheduler: Scheduler, minute: Minute): void => {
  scheduler.sampling.minuteFile.write(JSON.stringify(minute)).catch((error: unknown) => tellLost(scheduler, error, {}));
};
