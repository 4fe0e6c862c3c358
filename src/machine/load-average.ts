import { readText } from './read-text.ts';

/** Processes that ran or waited, on average of 1, 5 and 15 minutes (`/proc/loadavg`); null when the text is none. */
export const parseLoadAverage = (text: string): readonly number[] | null => {
  const words = text.trimStart().split(/[ \t\n]+/, 3);
  if (words.length < 3 || !words.every((word) => /^\d{1,9}(\.\d{1,9})?$/.test(word))) return null;
  return words.map(Number);
};

export const readLoadAverage = (procRoot: string): readonly number[] | null =>
  parseLoadAverage(readText(`${procRoot}/loadavg`) ?? '');
