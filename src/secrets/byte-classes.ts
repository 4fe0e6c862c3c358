const isWord = (character: string): boolean => /^[\p{L}\p{M}\p{N}_]/u.test(character);

/** How many bytes a character of UTF-8 has that begins with this one; 0: none does. */
const lengthFrom = (byte: number): number => {
  if (byte < 0x80) return 1;
  if (byte < 0xc2 || byte > 0xf4) return 0;
  return byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4;
};

const utf8 = new TextDecoder('utf-8', { fatal: true });

const isWordCharacter = (bytes: readonly number[]): boolean => {
  try {
    return isWord(utf8.decode(Uint8Array.from(bytes)));
  } catch {
    return false;
  }
};

/** The longest character. */
export const longestCharacter = 4;

/** Whether bytes end with a letter, a digit or `_`. What is no UTF-8 is none. */
export const endsInWord = (bytes: readonly number[]): boolean => {
  for (let length = 1; length <= Math.min(longestCharacter, bytes.length); length += 1) {
    if (lengthFrom(bytes.at(-length) ?? 0) === length) return isWordCharacter(bytes.slice(-length));
  }
  return false;
};

/** Whether bytes begin with one; null: that takes more of them to know. */
export const beginsWithWord = (bytes: readonly number[]): boolean | null => {
  const length = lengthFrom(bytes[0] ?? 0);
  const isWhole = bytes.length >= length || bytes.slice(1).some((byte) => byte < 0x80 || byte > 0xbf);
  return isWhole ? isWordCharacter(bytes.slice(0, length)) : null;
};

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

/** What may stand between bytes in hexadecimal digits: `53 33`, `53:33`, `0x53, 0x33`. */
export const isSeparator = (byte: number): boolean =>
  byte === 0x20 || byte === 0x3a || byte === 0x2d || byte === 0x2c || (byte >= 0x09 && byte <= 0x0d);

export const isHexDigit = (byte: number): boolean =>
  (byte >= 0x30 && byte <= 0x39) || (byte >= 0x41 && byte <= 0x46) || (byte >= 0x61 && byte <= 0x66);
