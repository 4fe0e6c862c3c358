/** What moves a cursor, hides, or turns the order of text: controls, format characters, line separators, private and unpaired ones. */
const unsafe = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cs}]/gu;
/** Joiners belong to words and emoji, and move nothing. */
const joiners: ReadonlySet<string> = new Set(['\u200c', '\u200d']);
const short: ReadonlyMap<string, string> = new Map([
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['\t', '\\t'],
]);

/**
 * Any user's text, safe to print on a terminal: control bytes (C0, C1), bidirectional overrides and other invisible
 * characters appear as escapes, bytes that are no UTF-8 as `\xNN`. Printing it moves no cursor and changes no colour (Q11).
 * Safe text comes back as it is; so does a backslash, since the result is for eyes, not to be read back.
 */
export const visibleText = (text: string | Uint8Array): string =>
  typeof text === 'string' ? text.replace(unsafe, escaped) : visibleBytes(text);

const escaped = (char: string): string => {
  if (joiners.has(char)) return char;
  const code = char.codePointAt(0) ?? 0;
  if (code > 0xffff) return `\\u{${code.toString(16)}}`;
  const hex = code.toString(16);
  return short.get(char) ?? (code < 0x100 ? `\\x${hex.padStart(2, '0')}` : `\\u${hex.padStart(4, '0')}`);
};

/** JSON on one line, as safe to print: what JSON itself leaves as it is appears as its escapes, which every reader of JSON reads back. */
export const visibleJson = (value: unknown): string =>
  JSON.stringify(value).replace(unsafe, (char) => (joiners.has(char) ? char : unitsOf(char)));

const unitsOf = (char: string): string =>
  Array.from({ length: char.length }, (_, at) => `\\u${char.charCodeAt(at).toString(16).padStart(4, '0')}`).join('');

const visibleBytes = (bytes: Uint8Array): string => {
  const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  let out = '';
  for (let at = 0; at < bytes.length;) {
    const length = sequenceLength(bytes[at] ?? 0);
    try {
      out += visibleText(strict.decode(bytes.subarray(at, at + length)));
      at += length;
    } catch {
      out += `\\x${(bytes[at] ?? 0).toString(16).padStart(2, '0')}`;
      at += 1;
    }
  }
  return out;
};

/** How many bytes the sequence has that a byte leads. */
const sequenceLength = (lead: number): number => (lead < 0xc0 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4);
