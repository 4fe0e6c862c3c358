import type { Gpu } from './gpu-list.ts';

/** What `ORCA_GPUS` says: all that are found, the first few, or those with these indexes. */
export type GpuChoice = 'auto' | number | readonly number[];

export const parseGpuChoice = (text: string): GpuChoice => {
  if (text === 'auto') return 'auto';
  return text.includes(',') ? text.split(',').flatMap((index) => (index === '' ? [] : Number(index))) : Number(text);
};

/**
 * The devices that runs may have. Where none was found, since nobody could say which there are (`found` null), those that are named are
 * taken to be there.
 */
export const chosenGpus = (choice: GpuChoice, found: readonly Gpu[] | null): readonly Gpu[] | null => {
  if (choice === 'auto') return found;
  if (typeof choice === 'number') return (found ?? declared(choice)).slice(0, choice);
  if (found === null) return choice.map(declaredGpu);
  return found.filter(({ index }) => choice.includes(index));
};

const declared = (count: number): Gpu[] => Array.from({ length: count }, (_, index) => declaredGpu(index));

const declaredGpu = (index: number): Gpu => ({ id: String(index), index, uuid: null, name: '', whole: null });
