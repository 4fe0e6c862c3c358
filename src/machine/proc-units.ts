import { readFileSync } from 'node:fs';

/** What `/proc` counts in on this machine. */
export interface ProcUnits {
  readonly pageBytes: number;
  readonly ticksPerSecond: number;
}

const pageKey = 6n;
const ticksKey = 17n;

/** From the auxiliary vector (getauxval(3): AT_PAGESZ, AT_CLKTCK), pairs of 64-bit words; what it lacks is 4096 and 100. */
export const parseAuxv = (auxv: Uint8Array): ProcUnits => {
  const words = new DataView(auxv.buffer, auxv.byteOffset, auxv.byteLength);
  let pageBytes = 4096;
  let ticksPerSecond = 100;
  for (let at = 0; at + 16 <= words.byteLength; at += 16) {
    const key = words.getBigUint64(at, true);
    const value = Number(words.getBigUint64(at + 8, true));
    if (key === pageKey && value >= 512 && value <= 2 ** 30) pageBytes = value;
    if (key === ticksKey && value >= 1 && value <= 1e6) ticksPerSecond = value;
  }
  return { pageBytes, ticksPerSecond };
};

export const readProcUnits = (procRoot: string): ProcUnits => {
  try {
    return parseAuxv(readFileSync(`${procRoot}/self/auxv`));
  } catch {
    return parseAuxv(new Uint8Array());
  }
};
