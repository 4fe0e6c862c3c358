import type { HostPressure, Waiting } from '../machine/host-pressure.ts';
import type { MinuteSample } from './minutes.ts';
import type { SampleLine } from './sample-line.ts';

/** What readers of samples go by; all else in a line is passed over. */
export type ReadSample = Pick<SampleLine, 't' | 'dt' | 'cgroup'> &
  MinuteSample & { readonly mem: Pick<SampleLine['mem'], 'rss'> };

/** A line of a file of samples; null for one that is none, such as the cut one that a full disk leaves. Never throws. */
export const readSample = (text: string): ReadSample | null => {
  const line = fieldsOf(parsed(text));
  const mem = fieldsOf(line?.['mem']);
  if (line?.['v'] !== 1 || mem === null) return null;
  const [t, dt, rss] = [amount(line['t']), amount(line['dt']), amount(mem['rss'])];
  if (t === null || dt === null || rss === null) return null;
  return {
    t,
    dt,
    mem: { rss, total: amount(mem['total']), used: amount(mem['used']) },
    disk: disksOf(line['disk']),
    psi: pressureOf(line['psi']),
    cgroup: cgroupOf(line['cgroup']),
  };
};

export type Fields = Readonly<Record<string, unknown>>;

/** The JSON value of a text; undefined for what is none. */
export const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
};

export const fieldsOf = (value: unknown): Fields | null =>
  typeof value === 'object' && value !== null ? (value as Fields) : null;

/** Any number that is not negative; null for all else. */
export const amount = (value: unknown): number | null =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : null;

const disksOf = (value: unknown): SampleLine['disk'] =>
  Array.isArray(value)
    ? value.flatMap((entry: unknown) => {
        const disk = fieldsOf(entry);
        const [total, used, free] = [amount(disk?.['total']), amount(disk?.['used']), amount(disk?.['free'])];
        if (typeof disk?.['path'] !== 'string' || total === null || used === null || free === null) return [];
        return [{ path: disk['path'], total, used, free }];
      })
    : [];

const pressureOf = (value: unknown): Pick<HostPressure, 'memory' | 'io'> | null => {
  const psi = fieldsOf(value);
  return psi === null ? null : { memory: waitingOf(psi['memory']), io: waitingOf(psi['io']) };
};

export const waitingOf = (value: unknown): Waiting => {
  const waiting = fieldsOf(value);
  return { some: amount(waiting?.['some']), full: amount(waiting?.['full']) };
};

const cgroupOf = (value: unknown): SampleLine['cgroup'] => {
  const cgroup = fieldsOf(value);
  const current = amount(cgroup?.['current']);
  return current === null ? null : { current, limit: amount(cgroup?.['limit']), full: amount(cgroup?.['full']) };
};
