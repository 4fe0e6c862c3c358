import { readFileSync } from 'node:fs';

/** A small file of the kernel as text; null when it cannot be read, for whatever reason. */
export const readText = (file: string): string | null => {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
};
