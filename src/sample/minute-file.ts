import { lastLines } from './file-lines.ts';
import { minuteMs, minutesKept, noMinutes, withMinute, withSample, type Minute, type Minutes } from './minutes.ts';
import { amount, fieldsOf, parsed, readSample, waitingOf } from './read-sample.ts';

/** More than fall into two minutes at the usual interval, in which the newest one can hide. */
const samplesRead = 200;

/** What the files of an earlier process say: the minutes that it wrote, and the samples since; what they lack is none. */
export const restoreMinutes = (minuteFile: string, sampleFile: string): Minutes => {
  let minutes: Minutes = noMinutes;
  for (const line of linesOf(minuteFile, minutesKept)) {
    const minute = readMinute(line);
    if (minute !== null) minutes = { ended: withMinute(minutes.ended, minute), open: null };
  }
  const since = (minutes.ended.at(-1)?.at ?? -minuteMs) + minuteMs;
  for (const line of linesOf(sampleFile, samplesRead)) {
    const sample = readSample(line);
    if (sample !== null && sample.t * 1000 >= since) ({ minutes } = withSample(minutes, sample));
  }
  return minutes;
};

const linesOf = (file: string, most: number): string[] => {
  try {
    return lastLines(file, most).toString('utf8').split('\n');
  } catch {
    return [];
  }
};

/** A line of the minutes' file; null for one that is none. */
const readMinute = (text: string): Minute | null => {
  const line = fieldsOf(parsed(text));
  const [at, samples] = [amount(line?.['at']), amount(line?.['samples'])];
  if (line === null || at === null || samples === null || at % minuteMs !== 0) return null;
  const [disk, pressure] = [fieldsOf(line['disk']), fieldsOf(line['pressure'])];
  const share = amount(disk?.['percent']);
  return {
    at,
    samples,
    memory: amount(line['memory']),
    disk: typeof disk?.['path'] === 'string' && share !== null ? { path: disk['path'], percent: share } : null,
    pressure: { memory: waitingOf(pressure?.['memory']), io: waitingOf(pressure?.['io']) },
  };
};
