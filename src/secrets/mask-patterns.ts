import { AutomatonBuilder, type PatternRule } from './automaton.ts';
import { codedBytes, foldingByte } from './byte-classes.ts';
import { isWeak } from './common-values.ts';
import { isOfQuotes, wokenBy, type Escaping } from './escapes.ts';
import { beginsInvisible, withoutInvisible } from './invisible.ts';
import type { Patterns } from './mask-stream.ts';
import { valueParts } from './value-parts.ts';

const anywhere: PatternRule = { whole: false, before: false, after: false, pairs: false };
const asWord: PatternRule = { ...anywhere, whole: true };
const inPairs: PatternRule = { ...anywhere, pairs: true };
/** Shorter ones are not looked for in base64 or hexadecimal digits: those would be words and numbers like any other. */
const dash = 0x2d;
const shortestCodedWord = 4;

/** What to look for, for values that are not empty. */
export const maskPatterns = (values: readonly Uint8Array[]): Patterns => {
  const plain = new AutomatonBuilder();
  const coded = new AutomatonBuilder();
  let words = -1;
  for (const value of values) {
    if (isWeak(value)) {
      plain.add(value, asWord);
      words = Math.max(words, value.length);
      if (value.length >= shortestCodedWord) addCodedWords(coded, value);
      continue;
    }
    for (const one of [value, ...valueParts(value)]) {
      plain.add(one, anywhere);
      // As terminals and some protocols end lines.
      plain.add(Buffer.from(Buffer.from(one).toString('latin1').replace(/\r?\n/g, '\r\n'), 'latin1'), anywhere);
      // Readers that step over what is invisible see a value without what of its own would be.
      const visible = withoutInvisible(one);
      if (!isWeak(visible)) plain.add(visible, anywhere);
      addCoded(coded, one);
    }
  }
  const all = Buffer.concat([...values, ...values.flatMap(valueParts)]);
  const escapings: Escaping[] = ['none', 'percent', 'slash', 'html'];
  if (all.includes(' ')) escapings.push('form');
  if (all.includes("'")) escapings.push('quoted', 'sql');
  if (all.includes('"')) escapings.push('csv');
  const special = Uint8Array.from({ length: 256 }, (_, byte) => {
    const always =
      beginsInvisible(byte) ||
      codedBytes[byte] === foldingByte ||
      escapings.some((escaping) => !isOfQuotes(escaping) && wokenBy(escaping, byte));
    if (always) return 1;
    return byte === dash ? 2 : escapings.some((escaping) => wokenBy(escaping, byte)) ? 3 : 0;
  });
  return { plain: plain.build(), coded: coded.build(), escapings, special, words };
};

/** A value in hexadecimal digits, and in base64 as it looks after no, one and two other bytes: only the characters that are all its own. */
const addCoded = (coded: AutomatonBuilder, value: Uint8Array): void => {
  addHex(coded, value, inPairs);
  for (const others of [0, 1, 2]) {
    const text = Buffer.concat([Buffer.alloc(others), value]).toString('base64');
    const bits = (others + value.length) * 8;
    const own = text.slice(Math.ceil((others * 8) / 6), Math.floor(bits / 6));
    coded.add(Buffer.from(own), { ...anywhere, before: (others * 8) % 6 !== 0, after: bits % 6 !== 0 });
  }
};

/** By itself, or with the newline that `echo` adds. */
const addCodedWords = (coded: AutomatonBuilder, value: Uint8Array): void => {
  addHex(coded, value, asWord);
  for (const end of ['', '\n']) {
    const text = Buffer.concat([value, Buffer.from(end)]).toString('base64');
    coded.add(Buffer.from(text.replace(/=+$/, '')), asWord);
  }
};

const addHex = (coded: AutomatonBuilder, value: Uint8Array, rule: PatternRule): void => {
  const text = Buffer.from(value).toString('hex');
  coded.add(Buffer.from(text), rule);
  coded.add(Buffer.from(text.toUpperCase()), rule);
};
