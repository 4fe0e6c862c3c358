import { readText } from './read-text.ts';

/** The boot's name (`/proc/sys/kernel/random/boot_id`); null when the text is none. */
export const parseBootId = (text: string): string | null => {
  const id = text.trim().toLowerCase();
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id) ? id : null;
};

export const readBootId = (procRoot: string): string | null => {
  const text = readText(`${procRoot}/sys/kernel/random/boot_id`);
  return text === null ? null : parseBootId(text);
};
