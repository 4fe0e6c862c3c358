/** The output was that long at that moment (epoch ms): what comes after it was written later. */
export interface LogTime {
  readonly offset: number;
  readonly ms: number;
}

/** What was written since a moment, of a start that began then and ended then; null: it goes on. */
export interface Since {
  readonly ms: number;
  readonly began: number;
  readonly ended: number | null;
  /** What is known of the output now, and not in its records. */
  readonly seen: LogTime | null;
}

/** More are thinned out. */
export const mostTimes = 4096;
/** Digits of an offset and of a moment, a space and a newline. */
export const recordBytes = 30;

export const timeRecord = ({ offset, ms }: LogTime): string =>
  `${String(offset).padStart(15, '0')} ${String(ms).padStart(13, '0')}\n`;

/** Every whole record, in its order. What a full disk or a failed machine left of others is left out. */
export const parseTimes = (text: string): LogTime[] => {
  const times: LogTime[] = [];
  for (let at = 0; at + recordBytes <= text.length; at += recordBytes) {
    const [, offset, ms] = /^(\d{15}) (\d{13})\n$/.exec(text.slice(at, at + recordBytes)) ?? [];
    if (offset !== undefined && ms !== undefined) times.push({ offset: Number(offset), ms: Number(ms) });
  }
  return times;
};

/**
 * Where what was written since a moment begins; `ms`: all from there on was written after that. Rather too early than too late: nobody knows when a byte
 * between two records was written, so all of them count. Null: nothing was written since then.
 */
export const placeSince = (records: readonly LogTime[], { ms: since, began, ended, seen }: Since): LogTime | null => {
  if (ended !== null && since > ended) return null;
  const times = [{ offset: 0, ms: began }, ...records, ...(seen === null ? [] : [seen])];
  // The first of all that is later, and not the last that is earlier: a clock may have been set back.
  const next = times.findIndex(({ ms }) => ms > since);
  const place = times.at(next < 0 ? -1 : Math.max(0, next - 1)) ?? { offset: 0, ms: began };
  const nothingBetween = next >= 0 && times[next]?.offset === place.offset;
  return { offset: place.offset, ms: nothingBetween ? Math.max(place.ms, since) : place.ms };
};

/** Half of the older half goes, so that what is newer is known more exactly. */
export const thinned = (times: readonly LogTime[]): LogTime[] => {
  const middle = Math.floor(times.length / 2);
  return times.filter((_, index) => index >= middle || index % 2 === 0);
};
