/** Whether memory is at the limit: within 5 % of it, exactly 95 % included. Unreadable is not (seed 000: at_limit). */
export const atLimit = (currentBytes: number | null, limitBytes: number): boolean =>
  // Multiplied, since 95 % of a whole number of bytes need not be one.
  currentBytes !== null && currentBytes * 100 >= limitBytes * 95;
