/** A number to one decimal, as sample lines have it (seed 001: fixed1). */
export const tenths = (x: number): number => Math.round(x * 10) / 10;
