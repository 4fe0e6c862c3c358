import { formatSize } from '../units/format-size.ts';
import { bytes } from '../units/brands.ts';
import { visibleText } from '../units/visible-text.ts';
import type { DaemonJson, GpuJson } from '../wire/api.ts';

/** `2: 0 has run 5, 1 is used by python (pid 77 of ada)`. */
export const gpusWords = (devices: readonly GpuJson[]): string =>
  devices.length === 0 ? 'none' : `${devices.length}: ${devices.map(deviceWords).join(', ')}`;

const deviceWords = ({ index, run, used_by: [user] }: GpuJson): string => {
  if (run !== null) return `${index} has run ${run}`;
  return user === undefined ? `${index} free` : `${index} is used by ${processWords(user)}`;
};

const processWords = ({ pid, user, name }: GpuJson['used_by'][number]): string =>
  `${name === '' ? 'a process' : visibleText(name)} (pid ${pid} of ${visibleText(user)})`;

/** `13 GB of ada, 512 MB of bob`. */
export const othersWords = (others: NonNullable<DaemonJson['others']>): string =>
  others.map(({ user, bytes: held }) => `${formatSize(bytes(held))} of ${visibleText(user)}`).join(', ');
