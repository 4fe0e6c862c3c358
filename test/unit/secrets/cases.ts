/** Generated values, ways of writing them, and outputs with them inside; the same ones for the same seed. */
export class Dice {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** From 0 up to, not including, `count`. */
  roll(count: number): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % count;
  }

  pick<T>(list: readonly [T, ...T[]]): T {
    return list[this.roll(list.length)] ?? list[0];
  }

  bytes(length: number, from = 0, to = 256): Buffer {
    return Buffer.from(Array.from({ length }, () => from + this.roll(to - from)));
  }

  text(length: number, letters: string): string {
    const all = [...letters];
    return Array.from({ length }, () => all[this.roll(all.length)] ?? '').join('');
  }
}

const awkward = `%\\'"+/=& \t\n\x1b[0;1mm(){}ABab41nux7e-_é😀ß&<>`;

export const makeValue = (dice: Dice): Buffer => {
  const length = 9 + dice.roll(30);
  switch (dice.roll(9)) {
    case 0:
      return Buffer.from(`k${dice.text(length, 'abcdefghijklmnopqrstuvwxyzABCDEF0123456789')}`);
    case 1:
      return Buffer.from(`x${dice.text(length, awkward)}y`);
    case 2:
      return Buffer.from(dice.bytes(length).toString('base64'));
    case 3:
      return Buffer.from(
        ['-----BEGIN KEY-----', ...[1, 2].map(() => dice.bytes(24).toString('base64')), 'end'].join('\n'),
      );
    case 4:
      return Buffer.concat([Buffer.from('b'), dice.bytes(length, 1), Buffer.from('b')]);
    case 5:
      return Buffer.from(dice.pick(['a', 'ab', '%41', '\\n', "'", '\\\\', 'aab', '😀', 'x ']).repeat(10));
    case 6:
      return Buffer.from(JSON.stringify({ user: dice.text(3, 'abc'), password: dice.text(12, `${awkward}qrst`) }));
    case 7:
      return Buffer.from(`é${dice.text(length, 'éßü😀日本aA')}`);
    default:
      return Buffer.from(`p${dice.text(length, 'aA0!$%^*()_+-=~`|;:,.?/ \'"')}p`);
  }
};

const hexEscape = (dice: Dice, text: string, prefix: string): string =>
  dice.roll(2) === 0 ? prefix + text.toLowerCase() : prefix + text.toUpperCase();

const each = (value: Buffer, write: (byte: number) => string): Buffer =>
  Buffer.from([...value].map(write).join(''), 'latin1');

const inJson = (dice: Dice, value: Buffer): Buffer => {
  let text = JSON.stringify(value.toString()).slice(1, -1);
  if (dice.roll(2) === 0) text = text.replaceAll('/', '\\/');
  if (dice.roll(2) === 0) {
    text = text.replace(/[\u0080-\uffff&<>]/g, (unit) =>
      hexEscape(dice, unit.charCodeAt(0).toString(16).padStart(4, '0'), '\\u'),
    );
  }
  return Buffer.from(text);
};

const folded = (text: string, width: number, between: string): Buffer =>
  Buffer.from(text.replace(new RegExp(`.{${width}}`, 'g'), `$&${between}`));

const inHtml = (dice: Dice, value: Buffer): Buffer => {
  const letters = dice.roll(2) === 0 ? /[&<>"'/=`]/g : /[^a-z0-9 ]/gu;
  return Buffer.from(
    value.toString().replace(letters, (letter) => {
      const code = letter.codePointAt(0) ?? 0;
      switch (dice.roll(4)) {
        case 0:
          return hexEscape(dice, `${code.toString(16)};`, '&#x');
        case 1:
          return `&#${dice.pick(['', '0'])}${code};`;
        default:
          return { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }[letter] ?? letter;
      }
    }),
  );
};

const apart = (dice: Dice, value: Buffer): Buffer => {
  const digits = value.toString('hex');
  const between = dice.pick([' ', ':', '-', ', 0x', ',\n  0x', '  ', '\n ', ':\n    ']);
  const width = dice.pick([2, 4, 4, 8]);
  const odd = dice.pick(['', digits.slice(0, 2)]);
  const rest = digits.slice(odd.length).replace(new RegExp(`.{${width}}(?=.)`, 'g'), `$&${between}`);
  const text = `${odd}${odd === '' ? '' : between}${rest}`;
  return Buffer.from(dice.roll(2) === 0 ? text : text.toUpperCase().replaceAll('X', 'x'));
};

const inBraces = (dice: Dice, value: Buffer): Buffer =>
  Buffer.from(
    value.toString().replace(/[^ -~]|[\\"$@]/gu, (letter) => {
      const code = letter.codePointAt(0) ?? 0;
      if (code > 0x20 && code < 0x7f) return `\\${letter}`;
      return hexEscape(dice, `${dice.pick(['', '0', '00'])}${code.toString(16)}}`, dice.pick(['\\x{', '\\u{']));
    }),
  );

const foldedInJson = (dice: Dice, value: Buffer): Buffer => {
  const text = value.toString('base64');
  const lines = folded(text, dice.pick([76, 64, 20, 16]), dice.pick(['\\n', '\\r\\n', '\\\\n', '\\n  '])).toString();
  return Buffer.from(dice.roll(2) === 0 ? lines : lines.replaceAll('/', dice.pick(['\\/', '\\\\/'])));
};

/** The value as some program writes it. Only bytes that are UTF-8 can be written as JSON. */
export const encode = (dice: Dice, value: Buffer): Buffer => {
  const isText = Buffer.from(value.toString()).equals(value);
  const around = Buffer.concat([dice.bytes(dice.roll(4)), value, dice.bytes(dice.roll(4))]);
  switch (dice.roll(19)) {
    case 0:
      return Buffer.from(around.toString('base64'));
    case 1:
      return Buffer.from(around.toString('base64url'));
    case 2:
      return folded(around.toString('base64'), dice.pick([76, 64, 20, 16]), dice.pick(['\n', '\r\n', '\n    ']));
    case 3:
      return Buffer.from(value.toString('hex'));
    case 4:
      return folded(value.toString('hex').toUpperCase(), dice.pick([60, 32]), '\n');
    case 5:
      return each(value, (byte) => hexEscape(dice, byte.toString(16).padStart(2, '0'), '%'));
    case 6:
      return isText ? Buffer.from(encodeURIComponent(value.toString())) : value;
    case 7:
      return isText ? Buffer.from(new URLSearchParams([['', value.toString()]]).toString().slice(1)) : value;
    case 8:
      return isText ? inJson(dice, value) : value;
    case 9:
      return each(value, (byte) =>
        byte < 0x20 || byte > 0x7e
          ? hexEscape(dice, byte.toString(16).padStart(2, '0'), '\\x')
          : byte === 0x5c
            ? '\\\\'
            : String.fromCharCode(byte),
      );
    case 10:
      if (value.includes(0x1b)) return value;
      return Buffer.from(value.toString('latin1').replaceAll("'", dice.pick(["'\\''", `'"'"'`])), 'latin1');
    case 11:
      return each(value, (byte) => {
        if (byte > 0x7e || byte < 0x20) return `\\${byte.toString(8).padStart(3, '0')}`;
        return /[A-Za-z0-9_]/.test(String.fromCharCode(byte))
          ? String.fromCharCode(byte)
          : `\\${String.fromCharCode(byte)}`;
      });
    case 12:
      return isText && !value.includes(0x1b) ? inHtml(dice, value) : value;
    case 13:
      return apart(dice, value);
    case 14:
    case 15: {
      if (value.includes(0x1b)) return value;
      const quote = dice.pick(['"', "'"]);
      return Buffer.from(value.toString('latin1').replaceAll(quote, quote + quote), 'latin1');
    }
    case 16:
      return isText ? inBraces(dice, value) : value;
    case 17:
      return foldedInJson(dice, around);
    default:
      return value;
  }
};

const colours = ['\x1b[0m', '\x1b[31m', '\x1b[1;38;5;208m', '\x1b[K', '\x1b(B\x1b[m', '\x1b[m'] as const;

export const coloured = (dice: Dice, text: Buffer): Buffer => {
  const parts: Buffer[] = [];
  for (const byte of text) {
    if (dice.roll(6) === 0) parts.push(Buffer.from(dice.pick([...colours])));
    parts.push(Buffer.of(byte));
  }
  return Buffer.concat(parts);
};

/** Not inside what selects a set of characters: that takes any byte. */
const perhapsColoured = (dice: Dice, text: Buffer): Buffer =>
  dice.roll(3) === 0 && !text.includes('\x1b(') ? coloured(dice, text) : text;

export const surroundings = (dice: Dice): Buffer => {
  const length = dice.roll(12);
  switch (dice.roll(4)) {
    case 0:
      return dice.bytes(length);
    case 1:
      return Buffer.from(dice.text(length, awkward));
    case 2:
      return Buffer.from(
        dice.pick([
          '%',
          '%A',
          '%4',
          '\\',
          '\\u00',
          '\\x',
          "'",
          "'\\",
          '\x1b',
          '\x1b[',
          '\x1b[3',
          '+',
          '&',
          '&#',
          '&#x4',
          '',
        ]),
      );
    default:
      return Buffer.from(`${dice.text(length, 'the quick brown fox\n')}=`);
  }
};

export interface MaskCase {
  readonly values: readonly Buffer[];
  readonly written: readonly Buffer[];
  readonly text: Buffer;
  readonly pieces: readonly Buffer[];
}

export const makeCase = (seed: number): MaskCase => {
  const dice = new Dice(seed);
  const values = Array.from({ length: 1 + dice.roll(3) }, () => makeValue(dice));
  const written: Buffer[] = [];
  const parts: Buffer[] = [surroundings(dice)];
  for (let count = dice.roll(4); count >= 0; count -= 1) {
    const one = encode(dice, values[dice.roll(values.length)] ?? Buffer.alloc(0));
    written.push(one);
    parts.push(perhapsColoured(dice, one), surroundings(dice));
    // Once in a while only the beginning.
    if (dice.roll(8) === 0) parts.push(one.subarray(0, dice.roll(one.length)), surroundings(dice));
  }
  // Or it ends inside one.
  if (dice.roll(3) === 0) {
    const one = encode(dice, values[dice.roll(values.length)] ?? Buffer.alloc(0));
    const written = perhapsColoured(dice, one);
    parts.push(written.subarray(0, dice.roll(written.length)));
  }
  const text = Buffer.concat(parts);
  const pieces: Buffer[] = [];
  const most = dice.pick([1, 4, 40, 400]);
  for (let at = 0; at < text.length;) {
    const length = dice.roll(most + 1);
    pieces.push(text.subarray(at, at + length));
    at += length;
  }
  return { values, written, text, pieces };
};
