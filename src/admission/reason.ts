import { pausedWords } from '../runs/paused.ts';
import { formatSize } from '../units/format-size.ts';
import { bytes, type Millis, type RunId } from '../units/brands.ts';
import { countedMemory } from './counted-memory.ts';
import { freeOf } from './free.ts';
import { neverFits } from './never-fits.ts';
import type { Budget, Holding, Waiting } from './types.ts';

/** Why `run` waits, in a person's words, from the same state that `admit` decides on; null when nothing holds it. */
export const reason = (
  run: RunId,
  budget: Budget,
  holding: readonly Holding[],
  waiting: Iterable<Waiting>,
  now: Millis,
): string | null => {
  const due: Waiting[] = [];
  for (const next of waiting) {
    if (next.run === run) return reasonFor(next, due, budget, holding, now);
    if (next.inside !== null) continue;
    const isDue = next.notBefore === null || next.notBefore <= now;
    if (isDue && next.paused === null && neverFits(next, budget) === null) due.push(next);
  }
  return null;
};

const reasonFor = (
  wanted: Waiting,
  before: readonly Waiting[],
  budget: Budget,
  holding: readonly Holding[],
  now: Millis,
): string | null => {
  if (wanted.paused !== null)
    return `is ${pausedWords(wanted.paused, now)}; \`orca resume ${wanted.run}\` lets it start`;
  if (wanted.notBefore !== null && wanted.notBefore > now) {
    return `waits ${Math.ceil((wanted.notBefore - now) / 1000)} s before its next start`;
  }
  if (wanted.inside !== null) return null;
  const never = neverFits(wanted, budget);
  if (never !== null) return `can never start here: ${shortage(never, wanted, budget, holding)}`;
  const head = before[0];
  if (head !== undefined) {
    return `is number ${before.length + 1} in the queue, behind run ${head.run}`;
  }
  const free = freeOf(budget, holding);
  if (wanted.cpusMilli > free.cpusMilli) return `needs ${shortage('cpus', wanted, budget, holding)}`;
  if (countedMemory(wanted.memory, budget) > free.memory) return `needs ${shortage('memory', wanted, budget, holding)}`;
  return null;
};

const cores = (milli: number): string => `${milli / 1000} ${milli === 1000 ? 'core' : 'cores'}`;

const shortage = (kind: 'cpus' | 'memory', wanted: Waiting, budget: Budget, holding: readonly Holding[]): string => {
  const free = freeOf(budget, holding);
  if (kind === 'cpus') {
    return `${cores(wanted.cpusMilli)}; ${cores(Math.max(0, free.cpusMilli))} of ${cores(budget.cpusMilli)} free${holders(holding)}`;
  }
  const needed = formatSize(countedMemory(wanted.memory, budget));
  const left = formatSize(bytes(Math.max(0, free.memory)));
  const share = wanted.memory === null ? ' (its share: it has no --memory)' : '';
  return `${needed} of memory${share}; ${left} of ${formatSize(budget.memory)} free${holders(holding)}`;
};

const holders = (holding: readonly Holding[]): string => {
  if (holding.length === 0) return '';
  const largest = holding.toSorted((a, b) => b.memory - a.memory || a.run - b.run).slice(0, 3);
  const rest = holding.length - largest.length;
  const names = largest.map((held) => held.run).join(', ');
  return `; held by ${holding.length === 1 ? 'run' : 'runs'} ${names}${rest > 0 ? ` and ${rest} more` : ''}`;
};
