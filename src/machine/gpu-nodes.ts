import { readdirSync } from 'node:fs';
import type { Gpu } from './gpu-list.ts';

/** The devices whose nodes are in a `/dev`: all that is known of them where there is no `nvidia-smi`. */
export const readGpuNodes = (devRoot: string): Gpu[] =>
  namesIn(devRoot)
    .flatMap((name) => /^nvidia(\d{1,4})$/.exec(name)?.[1] ?? [])
    .map(Number)
    .sort((a, b) => a - b)
    .map((index) => ({ id: String(index), index, uuid: null, name: '', whole: null }));

const namesIn = (folder: string): string[] => {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
};
