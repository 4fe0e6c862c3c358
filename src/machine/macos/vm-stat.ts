import type { MemoryUse } from '../memory-use.ts';

/**
 * A macOS machine's memory from what `vm_stat` and `sysctl -n vm.swapusage` print. Used is, as in seed 001, app, wired and compressed memory;
 * null when `vm_stat` did not say so much.
 */
export const parseVmStat = (vmStat: string, swapUsage: string, total: number): MemoryUse | null => {
  const page = Number(/page size of (\d{3,7}) bytes/.exec(vmStat.slice(0, 200))?.[1] ?? 4096);
  const pages = new Map<string, number>();
  for (const line of vmStat.split('\n')) {
    const [, name, count] = /^"?([A-Za-z][A-Za-z -]{0,60})"?: +(\d{1,15})\.?$/.exec(line.slice(0, 200)) ?? [];
    if (name !== undefined) pages.set(name, Number(count));
  }
  const [app, wired] = [pages.get('Anonymous pages'), pages.get('Pages wired down')];
  if (app === undefined || wired === undefined) return null;
  const of = (name: string): number => pages.get(name) ?? 0;
  const held = Math.max(0, app - of('Pages purgeable')) + wired + of('Pages occupied by compressor');
  const used = Math.min(total, held * page);
  return {
    total,
    used,
    available: total - used,
    cache: of('File-backed pages') * page,
    swapTotal: swapSize(swapUsage, 'total'),
    swapUsed: swapSize(swapUsage, 'used'),
  };
};

const units: Readonly<Record<string, number>> = { K: 1024, M: 1024 ** 2, G: 1024 ** 3, T: 1024 ** 4 };

/** In `total = 2048.00M  used = 1036.25M  free = 1011.75M`; 0 when it is not there. */
const swapSize = (text: string, name: 'total' | 'used'): number => {
  const [, size, unit = ''] =
    new RegExp(`\\b${name} = (\\d{1,12}(?:[.,]\\d{1,6})?)([KMGT])`).exec(text.slice(0, 500)) ?? [];
  return size === undefined ? 0 : Math.round(Number(size.replace(',', '.')) * (units[unit] ?? 0));
};
