/** A duration as people read it: `850 ms`, `2.5 s`, `1m 30s`, `1h 5m`, `2d 3h`. At most two units; nothing below zero. */
export const formatDuration = (duration: number): string => {
  if (!Number.isFinite(duration)) return 'unknown';
  const ms = Math.max(0, Math.round(duration));
  if (ms < 1000) return `${ms} ms`;
  if (ms < 59_950) return `${Math.round(ms / 100) / 10} s`;
  const s = Math.round(ms / 1000);
  if (s < 3600) return pair(s, 60, 'm', 's');
  const min = Math.round(s / 60);
  if (min < 1440) return pair(min, 60, 'h', 'm');
  return pair(Math.round(min / 60), 24, 'd', 'h');
};

const pair = (total: number, per: number, large: string, small: string): string =>
  total % per === 0 ? `${total / per}${large}` : `${Math.floor(total / per)}${large} ${total % per}${small}`;
