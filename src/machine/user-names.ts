import { readText } from './read-text.ts';

/** The names of users by their numbers, as a passwd(5) says; the first line of a number holds. */
export const parsePasswd = (text: string): ReadonlyMap<number, string> => {
  const names = new Map<number, string>();
  for (const line of text.split('\n')) {
    const [, name, uid] = /^([^:#+-][^:]*):[^:]*:(\d{1,10}):/.exec(line) ?? [];
    if (name !== undefined && uid !== undefined && !names.has(Number(uid))) names.set(Number(uid), name);
  }
  return names;
};

/** `ada`, or `uid 1000` for one that the file does not name: a directory service may, and is not asked. */
export const userName = (passwdFile: string, uid: number): string =>
  parsePasswd(readText(passwdFile) ?? '').get(uid) ?? `uid ${uid}`;
