/** Bytes without those at their end that are among `ends`. Not by an expression, which takes a second for each ten thousand newlines that are not at the end. */
export const withoutEnd = (bytes: Uint8Array, ends: readonly number[]): Uint8Array => {
  let end = bytes.length;
  while (end > 0 && ends.includes(bytes[end - 1] ?? -1)) end -= 1;
  return bytes.subarray(0, end);
};

export const newline = 0x0a;
export const carriageReturn = 0x0d;
