import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Puts an environment where only this user can read it, for a process that another program starts for us: what systemd is told of a
 * service's environment any user may ask it.
 */
export const writeEnvironmentFile = (file: string, env: Readonly<Record<string, string>>): void =>
  writeFileSync(file, JSON.stringify(Object.entries(env)), { mode: 0o600, flag: 'wx' });

/** Makes the file's environment, and nothing else, this process's own. The file is gone then. */
export const takeEnvironmentFile = (file: string, into: NodeJS.ProcessEnv): void => {
  const text = readFileSync(file, 'utf8');
  rmSync(file, { force: true });
  const entries: unknown = JSON.parse(text);
  if (!Array.isArray(entries)) throw new TypeError(`${file} is no list of variables`);
  for (const name of Object.keys(into)) delete into[name];
  for (const entry of entries as readonly unknown[]) {
    if (!Array.isArray(entry)) continue;
    const [name, value] = entry as readonly unknown[];
    if (typeof name === 'string' && typeof value === 'string') into[name] = value;
  }
};

/** By then the process that it was for has taken it, or there is none. */
const waitsMs = 60_000;

/** Removes those that nobody took: a client was ended while it waited, and what it had asked for never came. */
export const dropOldEnvironmentFiles = (folder: string, nowMs: number): void => {
  for (const name of readdirSync(folder)) {
    if (!/^environment\.[0-9a-f]{8}$/.test(name)) continue;
    const file = join(folder, name);
    const { mtimeMs = nowMs } = statSync(file, { throwIfNoEntry: false }) ?? {};
    if (nowMs - mtimeMs > waitsMs) rmSync(file, { force: true });
  }
};
