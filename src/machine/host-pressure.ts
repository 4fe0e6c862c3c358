import { avg10Of } from './pressure.ts';
import { readText } from './read-text.ts';

/** Percent of the last 10 s in which at least one task (`some`), or all of them (`full`), waited; null where the kernel does not say. */
export interface Waiting {
  readonly some: number | null;
  readonly full: number | null;
}

/** The machine's own pressure (Documentation/accounting/psi.rst). */
export interface HostPressure {
  readonly cpu: Waiting;
  readonly memory: Waiting;
  readonly io: Waiting;
}

/** `/proc/pressure`; null on a kernel without PSI. */
export const readHostPressure = (procRoot: string): HostPressure | null => {
  const [cpu, memory, io] = ['cpu', 'memory', 'io'].map((name) => waiting(readText(`${procRoot}/pressure/${name}`)));
  if (cpu == null && memory == null && io == null) return null;
  return { cpu: cpu ?? unknown, memory: memory ?? unknown, io: io ?? unknown };
};

const unknown: Waiting = { some: null, full: null };

const waiting = (text: string | null): Waiting | null =>
  text === null ? null : { some: avg10Of(text, 'some'), full: avg10Of(text, 'full') };
