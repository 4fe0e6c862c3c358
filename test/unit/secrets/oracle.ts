import { isWeak } from '../../../src/secrets/common-values.ts';
import { valueParts } from '../../../src/secrets/value-parts.ts';

/**
 * Masking as slow and plain as it can be: for every value, every way of writing it and every offset, all ways through a pattern, byte by byte. It shares with
 * the code only the rule on which parts of a value count.
 */

/** One byte out of a set; or one of several sequences. */
type Node = ReadonlySet<number> | readonly (readonly Node[])[];

/** What may stand between two bytes of a value. */
type Gap = 'nothing' | 'invisible' | 'fold' | 'fold or invisible' | 'separators';

/** How an escape begins that the end of a text may have cut. */
type Escaping = 'percent' | 'slash' | 'quoted' | 'html';
const begunEscapes: Readonly<Record<Escaping, RegExp>> = {
  percent: /^%[0-9a-f]?$/i,
  slash:
    /^\\(?:x[0-9a-fA-F]?|u[0-9a-fA-F]{0,3}|[xu]\{[0-9a-fA-F]{0,8}|[0-7]{1,2}|u[dD][89abAB][0-9a-fA-F]{2}(?:\\(?:u[0-9a-fA-F]{0,3})?)?|U[0-9a-fA-F]{0,7})?$/,
  quoted: /^'(?:\\'?|"(?:'"?)?)?$/,
  html: /^(?=[^]{1,11}$)&(?:#(?:\d*|[xX][0-9a-fA-F]*)|a(?:mp?|p|po|pos)?|l(?:t)?|g(?:t)?|q(?:u(?:ot?)?)?)?$/,
};

/** The two digits of a byte are together. */
const insideOf = (gap: Gap): Gap => (gap === 'separators' ? 'invisible' : gap);

interface Way {
  readonly nodes: readonly Node[];
  readonly gap: Gap;
  /** Colours in between are no reason to show them. */
  readonly hidesColours: boolean;
  /** A character of base64 that has some of the value's bits may stand there. */
  readonly before: boolean;
  readonly after: boolean;
  /** How many bytes of what is looked for each node is. */
  readonly sizes: readonly number[];
  /** Null: none. */
  readonly escaping: Escaping | null;
  /** What a value begins with that is read in a text with backslashes: one before that byte as it is, is not the value's. */
  readonly afterSlash?: number | undefined;
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

const doubledByte =
  (quote: number) =>
  (byte: number): Node =>
    byte === quote ? [[literal(byte), literal(byte)], [literal(byte)]] : literal(byte);

const csvByte = known(doubledByte(0x22));
const sqlByte = known(doubledByte(0x27));

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
  const widths = [1, 2, 3, 4, 5, 6, 7, 8].filter((width) => width >= code.toString(16).length);
  const braced = widths.map((width) => [
    ...letters('\\'),
    oneOf('xu'),
    ...letters('{'),
    ...hexDigits(code, width),
    oneOf('}'),
  ]);
  return [[...Buffer.from(letter)].map(slashByte), units, [...letters('\\U'), ...hexDigits(code, 8)], ...braced];
});

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};

const htmlLetter = known((letter: string): Node => {
  const code = letter.codePointAt(0) ?? 0;
  const named = entities[letter];
  return [
    letter === '&' ? letters('&amp;') : [...Buffer.from(letter)].map(literal),
    ...(named === undefined ? [] : [letters(named)]),
    ...['', '0', '00'].map((zeros) => letters(`&#${zeros}${code};`)),
    ...[1, 2, 3, 4, 5].map((width) => [...letters('&#'), oneOf('xX'), ...hexDigits(code, width), oneOf(';')]),
  ];
});

const htmlValue = (value: Buffer): Node[] => {
  const text = value.toString();
  if (Buffer.from(text).equals(value)) return [...text].map(htmlLetter);
  return [...value].map((byte) => (byte < 0x80 ? htmlLetter(String.fromCharCode(byte)) : literal(byte)));
};

/** How many bytes the letters of a value have; as many ones where it is no text. */
const letterSizes = (value: Buffer): number[] => {
  const text = value.toString();
  return Buffer.from(text).equals(value)
    ? [...text].map((letter) => Buffer.byteLength(letter))
    : [...value].map(() => 1);
};

const withoutSequences = (value: Buffer): Buffer =>
  Buffer.from(value.toString('latin1').replaceAll(shownSequences, ''), 'latin1');

const codedWay = (value: Buffer, others: number, gap: Gap): Way => {
  const text = Buffer.concat([Buffer.alloc(others), value]).toString('base64');
  const bits = (others + value.length) * 8;
  const own = [...text.slice(Math.ceil((others * 8) / 6), Math.floor(bits / 6))];
  const nodes = own.map((letter) => oneOf({ '+': '+-', '/': '/_' }[letter] ?? letter));
  const edges = { before: (others * 8) % 6 !== 0, after: bits % 6 !== 0 };
  return { nodes, gap, hidesColours: false, ...edges, sizes: nodes.map(() => 1), escaping: null };
};

const spacedWay = (value: Buffer, isUpper: boolean): Way => {
  const pair = (byte: number): Node => {
    const digits = byte.toString(16).padStart(2, '0');
    return [letters(isUpper ? digits.toUpperCase() : digits)];
  };
  const nodes = [...value].map(pair);
  const rest = { hidesColours: false, before: false, after: false, escaping: null };
  return { nodes, gap: 'separators', sizes: nodes.map(() => 2), ...rest };
};

/** A value, its parts, and how else they are looked for as they are: with other ends of lines, without what a terminal hides. */
const wanted = (values: readonly Buffer[]): { readonly value: Buffer; readonly forms: readonly Buffer[] }[] =>
  values
    .flatMap((value) => [value, ...valueParts(value).map((part) => Buffer.from(part))])
    .map((value) => {
      const lines = Buffer.from(value.toString('latin1').replace(/\r?\n/g, '\r\n'), 'latin1');
      const visible = withoutSequences(value);
      const others = [lines, visible].filter((one) => !one.equals(value) && !isWeak(one));
      return { value, forms: [value, ...others] };
    });

export const waysOf = (values: readonly Buffer[]): Way[] => {
  const all = wanted(values);
  const quotes = all.some(({ value }) => value.includes("'"));
  return all.flatMap(({ value, forms }) => [
    ...forms.flatMap((form) => {
      const bytes = [...form];
      const sizes = bytes.map(() => 1);
      const seen = { hidesColours: false, before: false, after: false, gap: 'invisible', sizes } as const;
      const plain = bytes.map(literal);
      return [
        { ...seen, nodes: plain, gap: 'nothing', hidesColours: true, escaping: null },
        { ...seen, nodes: plain, escaping: null },
        ...escapedNodes(form).map((way) => {
          return { ...seen, ...way, escaping: way.escaping === 'quoted' && !quotes ? null : way.escaping };
        }),
      ] satisfies Way[];
    }),
    ...(['fold or invisible', 'fold'] as const).flatMap((gap): Way[] => {
      const digits = value.toString('hex');
      const rest = { gap, hidesColours: false, before: false, after: false, sizes: [...digits].map(() => 1) } as const;
      return [
        { ...rest, nodes: letters(digits), escaping: null },
        { ...rest, nodes: letters(digits.toUpperCase()), escaping: null },
        ...[0, 1, 2].map((others) => codedWay(value, others, gap)),
      ];
    }),
    spacedWay(value, false),
    spacedWay(value, true),
  ]);
};

/**
 * A value of which one part is as it is and the other escaped: a reader of escapes knows what came before them, and takes what is no escape for itself, so
 * this is masked too.
 */
export const mixedWaysOf = (values: readonly Buffer[]): Way[] =>
  wanted(values).flatMap(({ forms }) =>
    forms.flatMap((value) =>
      [...value.keys()].slice(1).flatMap((length) => {
        const [first, second] = [value.subarray(0, length), value.subarray(length)];
        const [firsts, seconds] = [escapedNodes(first), escapedNodes(second)];
        const rest = { gap: 'invisible', hidesColours: false, before: false, after: false } as const;
        return firsts.flatMap((begin, index): Way[] => {
          const end = seconds[index] ?? begin;
          const { escaping } = end;
          const ones = [...value].map(() => 1);
          return [
            {
              ...rest,
              escaping,
              nodes: [...[...first].map(literal), ...end.nodes],
              sizes: [...ones.slice(0, length), ...end.sizes],
            },
            {
              ...rest,
              escaping,
              nodes: [...begin.nodes, ...[...second].map(literal)],
              sizes: [...begin.sizes, ...ones.slice(length)],
              afterSlash: begin.afterSlash,
            },
          ];
        });
      }),
    ),
  );

const escapedNodes = (value: Buffer): Pick<Way, 'nodes' | 'sizes' | 'escaping' | 'afterSlash'>[] => {
  const bytes = [...value];
  const sizes = bytes.map(() => 1);
  return [
    { nodes: bytes.map(urlByte), sizes, escaping: 'percent' },
    { nodes: bytes.map(formByte), sizes, escaping: 'percent' },
    { nodes: bytes.map(quotedByte), sizes, escaping: 'quoted' },
    { nodes: bytes.map(csvByte), sizes, escaping: null },
    { nodes: bytes.map(sqlByte), sizes, escaping: null },
    { nodes: slashValue(value), sizes: letterSizes(value), escaping: 'slash', afterSlash: value[0] },
    { nodes: htmlValue(value), sizes: letterSizes(value), escaping: 'html' },
  ];
};

const invisible = '(?:\\x1b\\[[\\x20-\\x3f]{0,61}[\\x40-\\x7e]|\\x1b\\([^])';
const codedLetter = '[A-Za-z0-9+/_-]';
/**
 * A newline in a text that is folded into lines of 16 or more, as it is or as backslashes and a letter; what such a line is indented by; and backslashes
 * before `/`.
 */
const folds = (unseen: string): RegExp[] => {
  const slashes = `(?:\\\\${unseen})*`;
  const lineEnd = `(?:[\\r\\n]|\\\\${unseen}${slashes}[nr])`;
  const line = `(?:${codedLetter}${unseen}${slashes}){16}(?:${lineEnd}${unseen})*`;
  const cut = '(?:\\x1b(?:\\[[\\x20-\\x3f]*|\\(?)?)?$';
  return [
    new RegExp(`(?<=${line})[\\r\\n]`, 'g'),
    new RegExp(`(?<=${line}${slashes})\\\\(?=${unseen}${slashes}[nr])`, 'g'),
    new RegExp(`(?<=${line}\\\\${unseen}${slashes})[nr]`, 'g'),
    new RegExp(`\\\\(?=${unseen}${slashes}(?:/|${cut}))`, 'g'),
    new RegExp(`(?<=${lineEnd}${unseen}(?:[ \\t]${unseen})*)[ \\t]`, 'g'),
  ];
};
const plainFolds = folds('');
const colouredFolds = folds(`${invisible}*`);
const sequences = new RegExp(`(?=(${invisible}))`, 'g');
const shownSequences = new RegExp(invisible, 'g');
const zeroX = new RegExp(`^0(?:${invisible})*[xX]`);
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
  /** Where a terminal's sequence begins that the end cut; the end, if there is none. */
  readonly cutSequence: number;
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
    const begun = new RegExp(`^(?:[^\\x1b]|${invisible}|\\x1b(?!\\[[\\x20-\\x3f]{0,61}$|\\(?$))*`).exec(this.content);
    this.cutSequence = begun?.[0].length ?? bytes.length;
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
    if (gap === 'separators') return this.#apart(positions);
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

  /** Blanks, ends of lines, `:`, `-` and `,`, after one of them also `0x`, and sequences. */
  #apart(positions: readonly number[]): readonly number[] {
    const reached = [...positions];
    const add = (at: number): void => {
      if (!reached.includes(at)) reached.push(at);
    };
    for (let index = 0; index < reached.length; index += 1) {
      const at = reached[index] ?? 0;
      const sequence = this.#sequence[at] ?? 0;
      if (sequence > 0) add(at + sequence);
      if (isSeparator(this.content[at])) add(at + 1);
      const prefix = zeroX.exec(this.content.slice(at, at + 80))?.[0].length ?? 0;
      if (prefix > 0 && this.#isAfterSeparator(at)) add(at + prefix);
    }
    return reached;
  }

  #isAfterSeparator(at: number): boolean {
    return isSeparator(this.content.slice(0, at).replaceAll(shownSequences, '').at(-1));
  }

  /** Where a match may end that begins at one of these. `seen` hears of each node where it may be over. */
  through(
    nodes: readonly Node[],
    begins: readonly number[],
    gap: Gap,
    seen?: (count: number, positions: readonly number[]) => void,
  ): readonly number[] {
    let positions = begins;
    const inside = insideOf(gap);
    for (const [index, node] of nodes.entries()) {
      if (index > 0) positions = this.over(positions, gap);
      const reached: number[] = [];
      if (node instanceof Set) {
        for (const at of positions) if (node.has(this.bytes[at] ?? -1)) reached.push(at + 1);
      } else {
        for (const sequence of node as readonly (readonly Node[])[])
          for (const at of this.through(sequence, positions, inside)) if (!reached.includes(at)) reached.push(at);
      }
      if (reached.length === 0) return reached;
      positions = reached;
      seen?.(index + 1, positions);
    }
    return positions;
  }

  /** Where a byte is that a backslash here, which changes nothing, only precedes; else here. */
  afterSlash(at: number, byte: number): number {
    if (this.content[at] !== '\\' || /[abtnvfreEuUx0-7]/.test(String.fromCharCode(byte))) return at;
    return this.over([at + 1], 'invisible').find((next) => this.bytes[next] === byte) ?? at;
  }

  /** Where what ends here of a value is over, if nothing but the end of the text follows, or what it cut; null: more does. */
  cutAfter(at: number, { gap, escaping }: Way): number | null {
    if (this.bytes.length - at > 300) return null;
    if (at === this.bytes.length && (gap === 'nothing' || gap === 'fold')) return at;
    const end = this.cutSequence;
    if (at > end) return null;
    for (const next of this.over([at], gap)) {
      if (next === end) return at;
      const begun = this.content.slice(next, end).replaceAll(shownSequences, '');
      if (escaping !== null && begunEscapes[escaping].test(begun)) return end;
      if (gap === 'separators' && begun === '0' && this.#isAfterSeparator(next)) return end;
    }
    return null;
  }
}

const isSeparator = (letter: string | undefined): boolean => letter !== undefined && /[\x09-\x0d :,-]/.test(letter);

const beginsWith = (node: Node | undefined): readonly number[] =>
  node instanceof Set
    ? [...node]
    : ((node ?? []) as readonly (readonly Node[])[]).flatMap(([first]) => beginsWith(first));

/** The longest that begins there, whole or cut short; null: none. */
const matchAt = (text: Text, way: Way, at: number): { from: number; to: number } | null => {
  // A character of base64 is followed by a blank only after the end of a line.
  if ((way.gap === 'fold or invisible' || way.gap === 'fold') && /[ \t]/.test(text.content[at + 1] ?? '')) return null;
  const cuts: number[] = [];
  const total = way.sizes.reduce((sum, size) => sum + size, 0);
  const tell = (length: number, positions: readonly number[]): void => {
    if (length < Math.max(8, total / 2) || length >= total) return;
    for (const position of positions) {
      const end = text.cutAfter(position, way);
      if (end !== null) cuts.push(end);
    }
  };
  let length = 0;
  const ends = [
    ...text.through(way.nodes, [at], way.gap, (count, positions) => {
      length += way.sizes[count - 1] ?? 0;
      tell(length, positions);
      // Some bytes of the next letter, or one digit of the next two.
      const next = way.nodes[count];
      const letter = next === undefined || next instanceof Set ? [] : ((next as readonly (readonly Node[])[])[0] ?? []);
      for (let some = 1; some < (way.sizes[count] ?? 0); some += 1) {
        const inside = insideOf(way.gap);
        const reached = text.through(letter.slice(0, some), text.over(positions, way.gap), inside);
        tell(
          length + some,
          way.gap === 'separators'
            ? reached.filter((end) => text.over([end], 'invisible').includes(text.cutSequence))
            : reached,
        );
      }
    }),
  ];
  ends.push(...cuts);
  if (ends.length === 0) return null;
  const longest = (end: number): number => (way.after && text.isCoded(end) ? end + 1 : end);
  if (way.afterSlash !== undefined) return { from: text.afterSlash(at, way.afterSlash), to: Math.max(...ends) };
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
