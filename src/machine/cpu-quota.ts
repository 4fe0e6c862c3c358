import { join } from 'node:path';
import { ownPath, ownPathV1, pathsUp } from './own-path.ts';
import { readText } from './read-text.ts';
import type { KernelRoots } from './shared-counter.ts';

/** `cpu.max` as cores: `150000 100000` is 1.5; null for `max`, and for what it cannot be. */
export const parseCpuMax = (text: string): number | null => {
  const [, quota, period] = /^(\d{1,15}) (\d{1,15})\s*$/.exec(text) ?? [];
  return quota === undefined || period === undefined ? null : coresOf(Number(quota), Number(period));
};

/** Version 1 says the same in two files, and -1 for none. */
export const parseCfsQuota = (quota: string, period: string): number | null =>
  /^\d{1,15}\s*$/.test(quota) && /^\d{1,15}\s*$/.test(period) ? coresOf(Number(quota), Number(period)) : null;

const coresOf = (quota: number, period: number): number | null => (quota > 0 && period > 0 ? quota / period : null);

/**
 * The cores that this process's cgroup and those above it may use together, at the least of them; null without a quota. Node asks for its own cgroup, and in
 * version 1 not wherever the controller may be mounted.
 */
export const readCpuQuota = ({ procRoot, cgroupRoot }: KernelRoots): number | null => {
  const text = readText(join(procRoot, 'self/cgroup')) ?? '';
  const [v2, v1] = [ownPath(text), ownPathV1(text, 'cpu')];
  const quotas = [
    ...(v2 === '' ? [] : pathsUp(v2)).map((path) => parseCpuMax(readText(join(cgroupRoot, path, 'cpu.max')) ?? '')),
    ...(v1 === '' ? [] : pathsUp(v1)).flatMap((path) =>
      ['cpu', 'cpu,cpuacct'].map((mount) => {
        const folder = join(cgroupRoot, mount, path);
        const read = (file: string): string => readText(join(folder, file)) ?? '';
        return parseCfsQuota(read('cpu.cfs_quota_us'), read('cpu.cfs_period_us'));
      }),
    ),
  ].filter((quota) => quota !== null);
  return quotas.length === 0 ? null : Math.min(...quotas);
};
