import { valueParts } from '../../../src/secrets/value-parts.ts';

/**
 * Masking as slow and plain as it can be: for every value, every way of writing it and every offset, a regular expression over bytes as latin-1. It shares
 * with the code only the rule on which parts of a value count.
 */
const invisible = '(?:\\x1b\\[[\\x20-\\x3f]{0,61}[\\x40-\\x7e]|\\x1b\\([^])';
const gap = `${invisible}*`;
const codedLetter = '[A-Za-z0-9+/_-]';
/** Between the characters of a text that is folded into lines of 16 or more. */
const folded = (unseen: string): string => {
  const lineEnd = `(?<=(?:${codedLetter}${unseen}){16}(?:[\\r\\n]${unseen})*)[\\r\\n]`;
  const indent = `(?<=[\\r\\n](?:[ \\t]${unseen === '' ? '' : `|${invisible}`})*)[ \\t]`;
  return `(?:${lineEnd}|${indent}${unseen === '' ? '' : `|${invisible}`})*`;
};
const folds = [folded(gap), folded('')];

const literal = (byte: number): string => `\\x${byte.toString(16).padStart(2, '0')}`;
const hexDigit = (digit: string): string => (/[a-f]/.test(digit) ? `[${digit}${digit.toUpperCase()}]` : digit);
const hexDigits = (value: number, width: number): string[] =>
  [...value.toString(16).padStart(width, '0')].map(hexDigit);
const spread = (pieces: readonly string[]): string => pieces.join(gap);
const letters = (text: string): string[] => [...text].map((letter) => literal(letter.charCodeAt(0)));

const controls: Readonly<Record<number, string>> = { 7: 'a', 8: 'b', 9: 't', 10: 'n', 11: 'v', 12: 'f', 13: 'r' };

const percentByte = (form: boolean) => (byte: number) => {
  const ways = [spread(['%', ...hexDigits(byte, 2)])];
  if (byte !== 0x25 && !(form && byte === 0x2b)) ways.push(literal(byte));
  if (form && byte === 0x20) ways.push('\\+');
  return `(?:${ways.join('|')})`;
};

const quotedByte = (byte: number): string =>
  byte === 0x27 ? `(?:${spread(letters("'\\''"))}|${spread(letters(`'"'"'`))}|')` : literal(byte);

const slashByte = (byte: number): string => {
  const ways: string[] = [];
  ways.push(spread(['\\\\', 'x', ...hexDigits(byte, 2)]));
  ways.push(spread(['\\\\', ...byte.toString(8).padStart(3, '0')]));
  const control = controls[byte];
  if (control !== undefined) ways.push(spread(['\\\\', control]));
  if (byte === 27) ways.push(spread(['\\\\', '[eE]']));
  if (!/[abtnvfreEuUx0-7]/.test(String.fromCharCode(byte))) ways.push(spread(['\\\\', literal(byte)]));
  if (byte !== 0x5c) ways.push(literal(byte));
  return `(?:${ways.join('|')})`;
};

const slashValue = (value: Buffer): string => {
  const text = value.toString();
  if (!Buffer.from(text).equals(value)) return spread([...value].map(slashByte));
  return spread(
    [...text].map((letter) => {
      const code = letter.codePointAt(0) ?? 0;
      const units = letter.split('').map((unit) => spread(['\\\\', 'u', ...hexDigits(unit.charCodeAt(0), 4)]));
      const wide = spread(['\\\\', 'U', ...hexDigits(code, 8)]);
      return `(?:${spread([...Buffer.from(letter)].map(slashByte))}|${units.join(gap)}|${wide})`;
    }),
  );
};

const codedValue = (value: Buffer, others: number, fold: string): string => {
  const text = Buffer.concat([Buffer.alloc(others), value]).toString('base64');
  const bits = (others + value.length) * 8;
  const own = [...text.slice(Math.ceil((others * 8) / 6), Math.floor(bits / 6))];
  const body = own.map((letter) => ({ '+': '[+-]', '/': '[/_]' })[letter] ?? letter).join(fold);
  const before = (others * 8) % 6 === 0 ? '' : `(?:(?<!\\x1b\\[[\\x20-\\x3f]*)${codedLetter})?`;
  const after = bits % 6 === 0 ? '' : `(?:${codedLetter})?`;
  return `${before}${body}${after}`;
};

interface Way {
  readonly expression: RegExp;
  readonly hidesColours: boolean;
}

export const waysOf = (values: readonly Buffer[]): Way[] => {
  const all = values.flatMap((value) => [value, ...valueParts(value).map((part) => Buffer.from(part))]);
  const way = (source: string, hidesColours = false): Way => ({ expression: new RegExp(source, 'g'), hidesColours });
  return all.flatMap((value) => {
    const bytes = [...value];
    const lines = [...Buffer.from(value.toString('latin1').replace(/\r?\n/g, '\r\n'), 'latin1')];
    return [
      way(bytes.map(literal).join(''), true),
      way(lines.map(literal).join(''), true),
      ...(lines.length === bytes.length ? [bytes] : [bytes, lines]).flatMap((some) => [
        way(spread(some.map(literal))),
        way(spread(some.map(percentByte(false)))),
        way(spread(some.map(percentByte(true)))),
        way(spread(some.map(quotedByte))),
        way(slashValue(Buffer.from(some))),
      ]),
      ...folds.flatMap((fold) => [
        way([...value.toString('hex')].join(fold)),
        way([...value.toString('hex').toUpperCase()].join(fold)),
        ...[0, 1, 2].map((others) => way(codedValue(value, others, fold))),
      ]),
    ];
  });
};

export const maskedSlowly = (text: Buffer, ways: readonly Way[]): Buffer => {
  const content = text.toString('latin1');
  const unseen = new Uint8Array(content.length);
  for (const match of content.matchAll(new RegExp(invisible, 'g'))) {
    unseen.fill(1, match.index, match.index + match[0].length);
    unseen[match.index] = 2;
  }
  const hidden = new Uint8Array(content.length);
  const matched = new Uint8Array(content.length);
  for (const { expression, hidesColours } of ways) {
    expression.lastIndex = 0;
    for (let match = expression.exec(content); match !== null; match = expression.exec(content)) {
      const [at, length] = [match.index, match[0].length];
      expression.lastIndex = at + 1;
      // A sequence that began before the match did is none inside it.
      let inside = false;
      for (let next = at; next < at + length; next += 1) {
        inside = unseen[next] === 2 || (inside && unseen[next] === 1);
        matched[next] = 1;
        if (hidesColours || !inside) hidden[next] = 1;
      }
    }
  }
  let out = '';
  let masking = false;
  for (let at = 0; at < content.length; at += 1) {
    if (hidden[at] === 1) {
      if (!masking) out += '***';
      masking = true;
      continue;
    }
    out += content[at] ?? '';
    if (matched[at] === 0) masking = false;
  }
  return Buffer.from(out, 'latin1');
};
