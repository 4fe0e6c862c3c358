/** The most that a timer of Node's takes; one that is longer goes off at once. */
const mostMs = 2 ** 31 - 1;

/** As `setTimeout`, for however long; returns what cancels it. */
export const setLongTimer = (ms: number, then: () => void): (() => void) => {
  let timer: NodeJS.Timeout;
  const wait = (left: number): void => {
    const part = Math.min(left, mostMs);
    timer = setTimeout(() => (left > part ? wait(left - part) : then()), part);
  };
  wait(ms);
  return () => clearTimeout(timer);
};
