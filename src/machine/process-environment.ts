import { readFileSync } from 'node:fs';

/** Some variables of a process that is our own user's, as it was started with them; null when it cannot be read or they are not all there. */
export const processVariables = (
  procRoot: string,
  pid: number,
  names: readonly string[],
): ReadonlyMap<string, string> | null => {
  let text: string;
  try {
    text = readFileSync(`${procRoot}/${pid}/environ`, 'utf8');
  } catch {
    return null;
  }
  const found = new Map<string, string>();
  for (const entry of text.split('\0')) {
    const at = entry.indexOf('=');
    const name = entry.slice(0, at);
    if (at > 0 && names.includes(name)) found.set(name, entry.slice(at + 1));
  }
  return found.size === new Set(names).size ? found : null;
};
