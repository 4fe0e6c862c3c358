/** A file that holds one number of bytes, such as `memory.current`; null when it holds anything else. */
export const parseBytes = (text: string | null): number | null => {
  const word = text?.trim() ?? '';
  return /^\d{1,15}$/.test(word) ? Number(word) : null;
};
