/** Of any number of values, where spreading them into `Math.max` would overflow the stack; `least` when there are none. */
export const largest = (values: Iterable<number>, least: number): number => {
  let most = least;
  for (const value of values) if (value > most) most = value;
  return most;
};
