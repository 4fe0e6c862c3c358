/** A byte of a word: a letter, a digit, `_`, or part of a character beyond ASCII. */
export const isWordByte = (byte: number): boolean =>
  byte >= 0x80 ||
  byte === 0x5f ||
  (byte >= 0x30 && byte <= 0x39) ||
  (byte >= 0x41 && byte <= 0x5a) ||
  (byte >= 0x61 && byte <= 0x7a);

/** What base64 and hexadecimal digits may be broken by, when they are folded into lines; neither one of theirs. */
export const foldingByte = 254;
export const foreignByte = 255;

/** Each byte as base64's standard alphabet has it, or one of the two above. */
export const codedBytes = Uint8Array.from({ length: 256 }, (_, byte) => {
  const letter = String.fromCharCode(byte);
  if (letter === '\n' || letter === '\r') return foldingByte;
  if (letter === '-') return 0x2b;
  if (letter === '_') return 0x2f;
  return /[A-Za-z0-9+/]/.test(letter) ? byte : foreignByte;
});
