import type { Counters, Traffic } from '../traffic.ts';

/**
 * `netstat -ibn` of macOS: bytes received and sent by interface, without the loopback. Each interface has a row for each address; only that of its
 * link is taken. Columns count from the right, since a link may have no address of its own.
 */
export const parseNetstat = (text: string): Counters => {
  const counters = new Map<string, Traffic>();
  for (const line of text.split('\n')) {
    const words = line.slice(0, 1024).trim().split(/ +/);
    const name = words[0]?.replace(/\*$/, '') ?? '';
    const [received = '', sent = ''] = [words.at(-5), words.at(-2)];
    if (!words[2]?.startsWith('<Link#') || /^lo\d*$/.test(name) || counters.has(name)) continue;
    if (!/^\d{1,20}$/.test(received) || !/^\d{1,20}$/.test(sent)) continue;
    counters.set(name, { in: Number(received), out: Number(sent) });
  }
  return counters;
};
