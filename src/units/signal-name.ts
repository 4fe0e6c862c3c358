import { constants } from 'node:os';

const names = new Map<number, string>();
for (const [name, number] of Object.entries(constants.signals)) if (!names.has(number)) names.set(number, name);

/** `signal 9 (SIGKILL)`; a number without a name stays a number. */
export const signalText = (signal: number): string => {
  const name = names.get(signal);
  return name === undefined ? `signal ${signal}` : `signal ${signal} (${name})`;
};
