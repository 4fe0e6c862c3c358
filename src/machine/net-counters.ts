import { readText } from './read-text.ts';
import type { Counters, Traffic } from './traffic.ts';

/** `/proc/net/dev`: bytes received and sent by interface, without the loopback (seed 001: parse_net_dev). */
export const parseNetDev = (text: string): Counters => {
  const counters = new Map<string, Traffic>();
  for (const whole of text.split('\n')) {
    const line = whole.slice(0, lineMost);
    // An alias (`eth0:1`) has a colon in its name.
    const colon = line.lastIndexOf(':');
    if (colon < 0) continue;
    const name = line.slice(0, colon).trim();
    const words = line
      .slice(colon + 1)
      .trim()
      .split(/[ \t]+/);
    const [received = '', sent = ''] = [words[0], words[8]];
    if (name === '' || name === 'lo' || counters.has(name)) continue;
    if (!/^\d{1,20}$/.test(received) || !/^\d{1,20}$/.test(sent)) continue;
    counters.set(name, { in: Number(received), out: Number(sent) });
  }
  return counters;
};

const lineMost = 1024;

export const readNetCounters = (procRoot: string): Counters => parseNetDev(readText(`${procRoot}/net/dev`) ?? '');
