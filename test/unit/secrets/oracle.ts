import { valueParts } from '../../../src/secrets/value-parts.ts';

/**
 * Masking as slow and plain as it can be: for every value, every way of writing it and every offset, all ways through a pattern, byte by byte. It shares with
 * the code only the rule on which parts of a value count.
 */

/** One byte out of a set; or one of several sequences. */
type Node = ReadonlySet<number> | readonly (readonly Node[])[];

/** What may stand between two bytes of a value. */
type Gap = 'nothing' | 'invisible' | 'fold' | 'fold or invisible';

interface Way {
  readonly nodes: readonly Node[];
  readonly gap: Gap;
  /** Colours in between are no reason to show them. */
  readonly hidesColours: boolean;
  /** A character of base64 that has some of the value's bits may stand there. */
  readonly before: boolean;
  readonly after: boolean;
}

/** What is said of a byte is the same each time. */
const known = <Given, Said>(say: (given: Given) => Said): ((given: Given) => Said) => {
  const said = new Map<Given, Said>();
  return (given) => {
    const before = said.get(given);
    if (before !== undefined) return before;
    const now = say(given);
    said.set(given, now);
    return now;
  };
};

const oneOf = known((letters: string): Node => new Set(Buffer.from(letters, 'latin1')));
const literal = known((byte: number): Node => new Set([byte]));
const hexDigits = (value: number, width: number): Node[] =>
  [...value.toString(16).padStart(width, '0')].map((digit) => oneOf(digit + digit.toUpperCase()));
const letters = (text: string): Node[] => [...text].map(oneOf);

const controls: Readonly<Record<number, string>> = { 7: 'a', 8: 'b', 9: 't', 10: 'n', 11: 'v', 12: 'f', 13: 'r' };

const percentByte =
  (form: boolean) =>
  (byte: number): Node => {
    const ways = [[oneOf('%'), ...hexDigits(byte, 2)]];
    if (byte !== 0x25 && !(form && byte === 0x2b)) ways.push([literal(byte)]);
    if (form && byte === 0x20) ways.push([oneOf('+')]);
    return ways;
  };

const urlByte = known(percentByte(false));
const formByte = known(percentByte(true));

const quotedByte = (byte: number): Node =>
  byte === 0x27 ? [letters("'\\''"), letters(`'"'"'`), letters("'")] : literal(byte);

const slashByte = known((byte: number): Node => {
  const slash = oneOf('\\');
  const ways = [
    [slash, oneOf('x'), ...hexDigits(byte, 2)],
    [slash, ...letters(byte.toString(8).padStart(3, '0'))],
  ];
  const control = controls[byte];
  if (control !== undefined) ways.push([slash, oneOf(control)]);
  if (byte === 27) ways.push([slash, oneOf('eE')]);
  if (!/[abtnvfreEuUx0-7]/.test(String.fromCharCode(byte))) ways.push([slash, literal(byte)]);
  if (byte !== 0x5c) ways.push([literal(byte)]);
  return ways;
});

const slashValue = (value: Buffer): Node[] => {
  const text = value.toString();
  if (!Buffer.from(text).equals(value)) return [...value].map(slashByte);
  return [...text].map(slashLetter);
};

const slashLetter = known((letter: string): Node => {
  const code = letter.codePointAt(0) ?? 0;
  const units = letter.split('').flatMap((unit) => [...letters('\\u'), ...hexDigits(unit.charCodeAt(0), 4)]);
  return [[...Buffer.from(letter)].map(slashByte), units, [...letters('\\U'), ...hexDigits(code, 8)]];
});

const codedWay = (value: Buffer, others: number, gap: Gap): Way => {
  const text = Buffer.concat([Buffer.alloc(others), value]).toString('base64');
  const bits = (others + value.length) * 8;
  const own = [...text.slice(Math.ceil((others * 8) / 6), Math.floor(bits / 6))];
  const nodes = own.map((letter) => oneOf({ '+': '+-', '/': '/_' }[letter] ?? letter));
  return { nodes, gap, hidesColours: false, before: (others * 8) % 6 !== 0, after: bits % 6 !== 0 };
};

export const waysOf = (values: readonly Buffer[]): Way[] => {
  const all = values.flatMap((value) => [value, ...valueParts(value).map((part) => Buffer.from(part))]);
  const way = (nodes: readonly Node[], gap: Gap): Way => {
    return { nodes, gap, hidesColours: gap === 'nothing', before: false, after: false };
  };
  return all.flatMap((value) => {
    const bytes = [...value];
    const lines = [...Buffer.from(value.toString('latin1').replace(/\r?\n/g, '\r\n'), 'latin1')];
    return [
      way(bytes.map(literal), 'nothing'),
      way(lines.map(literal), 'nothing'),
      ...(lines.length === bytes.length ? [bytes] : [bytes, lines]).flatMap((some) => [
        way(some.map(literal), 'invisible'),
        way(some.map(urlByte), 'invisible'),
        way(some.map(formByte), 'invisible'),
        way(some.map(quotedByte), 'invisible'),
        way(slashValue(Buffer.from(some)), 'invisible'),
      ]),
      ...(['fold or invisible', 'fold'] as const).flatMap((gap) => [
        { ...way(letters(value.toString('hex')), gap), hidesColours: false },
        { ...way(letters(value.toString('hex').toUpperCase()), gap), hidesColours: false },
        ...[0, 1, 2].map((others) => codedWay(value, others, gap)),
      ]),
    ];
  });
};

/** A value that begins as it is and goes on escaped: a reader of escapes knows what came before them, so this is masked too. */
export const mixedWaysOf = (values: readonly Buffer[]): Way[] => {
  const all = values.flatMap((value) => [value, ...valueParts(value).map((part) => Buffer.from(part))]);
  return all.flatMap((value) =>
    [...value.keys()].slice(1).flatMap((length) => {
      const begin = [...value.subarray(0, length)].map(literal);
      const rest = value.subarray(length);
      const rests = [[...rest].map(urlByte), [...rest].map(formByte), [...rest].map(quotedByte), slashValue(rest)];
      return rests.map((nodes): Way => {
        return { nodes: [...begin, ...nodes], gap: 'invisible', hidesColours: false, before: false, after: false };
      });
    }),
  );
};

const invisible = '(?:\\x1b\\[[\\x20-\\x3f]{0,61}[\\x40-\\x7e]|\\x1b\\([^])';
const codedLetter = '[A-Za-z0-9+/_-]';
/** A newline in a text that is folded into lines of 16 or more, and what such a line is indented by. */
const folds = (unseen: string): RegExp[] => [
  new RegExp(`(?<=(?:${codedLetter}${unseen}){16}(?:[\\r\\n]${unseen})*)[\\r\\n]`, 'g'),
  new RegExp(`(?<=[\\r\\n](?:[ \\t]${unseen === '' ? '' : `|${invisible}`})*)[ \\t]`, 'g'),
];
const plainFolds = folds('');
const colouredFolds = folds(`${invisible}*`);
const sequences = new RegExp(`(?=(${invisible}))`, 'g');
const shownSequences = new RegExp(invisible, 'g');
/** The last byte of a sequence is no data. */
const edges = /(?<!\x1b(?:\[[\x20-\x3f]*|\())[A-Za-z_]|[0-9+/-]/g;

/** What can be said of each offset of a text, whatever the values. */
class Text {
  readonly bytes: Buffer;
  readonly content: string;
  /** How long the terminal sequence is that begins there. */
  readonly #sequence: Uint8Array;
  readonly #plainFold: Uint8Array;
  readonly #colouredFold: Uint8Array;
  /** It may be a character at the edge of base64, and no part of a sequence. */
  readonly edge: Uint8Array;

  constructor(bytes: Buffer) {
    this.bytes = bytes;
    this.content = bytes.toString('latin1');
    this.#sequence = new Uint8Array(bytes.length + 1);
    for (const match of this.content.matchAll(sequences)) this.#sequence[match.index] = match[1]?.length ?? 0;
    this.#plainFold = this.#where(plainFolds);
    this.#colouredFold = this.#where(colouredFolds);
    this.edge = this.#where([edges]);
  }

  #where(expressions: readonly RegExp[]): Uint8Array {
    const found = new Uint8Array(this.bytes.length + 1);
    for (const expression of expressions) for (const match of this.content.matchAll(expression)) found[match.index] = 1;
    return found;
  }

  isCoded(at: number): boolean {
    return at < this.content.length && /[A-Za-z0-9+/_-]/.test(this.content[at] ?? '');
  }

  /** Where one may be after a gap. */
  over(positions: readonly number[], gap: Gap): readonly number[] {
    if (gap === 'nothing') return positions;
    const reached = [...positions];
    for (let index = 0; index < reached.length; index += 1) {
      const at = reached[index] ?? 0;
      const sequence = gap === 'fold' ? 0 : (this.#sequence[at] ?? 0);
      const fold = gap === 'invisible' ? 0 : ((gap === 'fold' ? this.#plainFold : this.#colouredFold)[at] ?? 0);
      if (sequence > 0 && !reached.includes(at + sequence)) reached.push(at + sequence);
      if (fold > 0 && !reached.includes(at + 1)) reached.push(at + 1);
    }
    return reached;
  }

  /** Where a match may end that begins at one of these. */
  through(nodes: readonly Node[], begins: readonly number[], gap: Gap): readonly number[] {
    let positions = begins;
    for (const [index, node] of nodes.entries()) {
      if (index > 0) positions = this.over(positions, gap);
      const reached: number[] = [];
      if (node instanceof Set) {
        for (const at of positions) if (node.has(this.bytes[at] ?? -1)) reached.push(at + 1);
      } else {
        for (const sequence of node as readonly (readonly Node[])[])
          for (const at of this.through(sequence, positions, gap)) if (!reached.includes(at)) reached.push(at);
      }
      if (reached.length === 0) return reached;
      positions = reached;
    }
    return positions;
  }
}

const beginsWith = (node: Node | undefined): readonly number[] =>
  node instanceof Set
    ? [...node]
    : ((node ?? []) as readonly (readonly Node[])[]).flatMap(([first]) => beginsWith(first));

/** The longest that begins there; null: none. */
const matchAt = (text: Text, way: Way, at: number): { from: number; to: number } | null => {
  const ends = text.through(way.nodes, [at], way.gap);
  if (ends.length === 0) return null;
  const longest = (end: number): number => (way.after && text.isCoded(end) ? end + 1 : end);
  const from = way.before && at > 0 && text.edge[at - 1] === 1 ? at - 1 : at;
  return { from, to: Math.max(...ends.map(longest)) };
};

export const maskedSlowly = (bytes: Buffer, ways: readonly Way[]): Buffer => {
  const text = new Text(bytes);
  const { content } = text;
  const unseen = new Uint8Array(content.length);
  for (const match of content.matchAll(shownSequences)) {
    unseen.fill(1, match.index, match.index + match[0].length);
    unseen[match.index] = 2;
  }
  const hidden = new Uint8Array(content.length);
  const matched = new Uint8Array(content.length);
  for (const way of ways) {
    const firsts = new Uint8Array(256);
    for (const byte of beginsWith(way.nodes[0])) firsts[byte] = 1;
    for (let at = 0; at < bytes.length; at += 1) {
      const match = firsts[bytes[at] ?? 0] === 1 ? matchAt(text, way, at) : null;
      if (match === null) continue;
      // A sequence that began before the match did is none inside it.
      let inside = false;
      for (let next = match.from; next < match.to; next += 1) {
        inside = unseen[next] === 2 || (inside && unseen[next] === 1);
        matched[next] = 1;
        if (way.hidesColours || !inside) hidden[next] = 1;
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
