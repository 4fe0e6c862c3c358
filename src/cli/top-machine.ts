import { pausedWords } from '../runs/paused.ts';
import { formatSize } from '../units/format-size.ts';
import { visibleText } from '../units/visible-text.ts';
import type { MachineJson, SampleJson } from '../wire/api.ts';
import { cut } from './table.ts';
import { bar } from './top-bar.ts';

const barWidth = 15;
/** Over a shorter time rates tell nothing. */
const shortestSeconds = 0.1;

/** The machine in three lines. */
export const machineLines = (machine: MachineJson, columns: number): string[] => {
  const { sample, capacity, running, queued_count: queued, down, paused } = machine;
  const budget = formatSize(capacity.memory_bytes - capacity.reserve_bytes);
  const stopped = down
    ? '; down: nothing is started until `orca up`'
    : paused == null
      ? ''
      : `; ${visibleText(pausedWords(paused, machine.at))}`;
  const held = `${running.length} running, ${queued} queued${stopped}`;
  const load = sample.load === null ? '' : `   load ${sample.load.map((one) => one.toFixed(2)).join(' ')}`;
  return [
    `${visibleText(sample.host)}: ${held}   budget ${capacity.cpus} cpus, ${budget}${load}`,
    `cpu ${cpuWords(sample)}   memory ${memoryWords(sample)}`,
    `waits: ${waitWords(sample)}   ${diskWords(sample)}`,
  ].map((line) => cut(line, columns));
};

const cpuWords = ({ cpu, dt }: SampleJson): string => {
  if (dt < shortestSeconds) return `[${'?'.repeat(barWidth)}]    -`;
  const busy = cpu.user + cpu.system;
  return `${bar(busy / 100, barWidth)} ${percent(busy)}`;
};

const memoryWords = ({ mem: { total, used } }: SampleJson): string =>
  total === null || used === null
    ? 'not known'
    : `${bar(used / total, barWidth)} ${formatSize(used)} of ${formatSize(total)}`;

/** Percent of the last 10 s in which some task waited. */
const waitWords = ({ psi }: SampleJson): string =>
  psi === null
    ? 'not told by this kernel'
    : (['cpu', 'memory', 'io'] as const).map((what) => `${what} ${waitedWords(psi[what].some)}`).join('  ');

const waitedWords = (some: number | null): string => (some === null ? '-' : percent(some));

const diskWords = ({ disk }: SampleJson): string => {
  const fullest = disk
    .map(({ path, used, free }) => ({ path, share: used + free > 0 ? used / (used + free) : 0 }))
    .reduce<{ path: string; share: number } | null>(
      (most, one) => (most === null || one.share > most.share ? one : most),
      null,
    );
  return fullest === null ? '' : `fullest disk ${percent(100 * fullest.share)} (${visibleText(fullest.path)})`;
};

const percent = (value: number): string => `${value.toFixed(0).padStart(2)} %`;
