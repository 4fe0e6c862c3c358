import { accessSync, constants, statSync } from 'node:fs';
import { chosenGpus, type GpuChoice } from './chosen-gpus.ts';
import { parseGpuList, type Gpu } from './gpu-list.ts';
import { readGpuNodes } from './gpu-nodes.ts';
import { findNvidiaSmi, NvidiaSmi, type Answer } from './nvidia-smi.ts';

/** Where devices are looked for. */
export interface GpuSources {
  /** Those that have nodes in `/dev`. */
  readonly nodes: readonly Gpu[];
  /** Asks `nvidia-smi`; null where there is none. */
  readonly ask: ((args: readonly string[]) => Promise<Answer>) | null;
}

export const gpuSources = (env: Readonly<Record<string, string | undefined>>): GpuSources => {
  const file = findNvidiaSmi(env['PATH'], isExecutable);
  const smi = file === null ? null : new NvidiaSmi(file, env);
  return { nodes: readGpuNodes('/dev'), ask: smi === null ? null : (args) => smi.ask(args) };
};

/** The devices, or null where nobody can say which there are, and why. */
export interface FoundGpus {
  readonly devices: readonly Gpu[] | null;
  readonly why: string | null;
}

/** What is known without asking `nvidia-smi`; null when it has to be asked. */
export const gpusWithoutAsking = (choice: GpuChoice, { nodes, ask }: GpuSources): readonly Gpu[] | null => {
  if (choice === 0) return [];
  if (ask !== null) return null;
  return chosenGpus(choice, nodes.length === 0 && choice !== 'auto' ? null : nodes);
};

/** What an answer to `nvidia-smi -L` tells. */
export const gpusByAnswer = (choice: GpuChoice, answer: Answer): FoundGpus => {
  if (answer.ok) return { devices: chosenGpus(choice, parseGpuList(answer.text)), why: null };
  const none = /no devices/i.test(answer.why);
  return { devices: chosenGpus(choice, none ? [] : null), why: none ? null : answer.why };
};

export const findGpus = async (choice: GpuChoice, sources: GpuSources): Promise<FoundGpus> => {
  const known = gpusWithoutAsking(choice, sources);
  if (known !== null || sources.ask === null) return { devices: known, why: null };
  return gpusByAnswer(choice, await sources.ask(['-L']));
};

const isExecutable = (file: string): boolean => {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
};
