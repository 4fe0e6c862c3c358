import type { Read } from './records.ts';

/** A JSON object whose values are taken with their type checked; what is not so throws Misshapen. */
export class Shape {
  private readonly values: Readonly<Record<string, unknown>>;

  constructor(value: unknown, what: string) {
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      throw new Misshapen(`${what} is no object`);
    this.values = value as Readonly<Record<string, unknown>>;
  }

  text(key: string): string {
    const value = this.values[key];
    if (typeof value !== 'string') throw new Misshapen(`\`${key}\` is no text`);
    return value;
  }

  number(key: string): number {
    const value = this.values[key];
    if (typeof value !== 'number' || !Number.isFinite(value)) throw new Misshapen(`\`${key}\` is no number`);
    return value;
  }

  /** A whole number, 0 or more. */
  count(key: string): number {
    const value = this.number(key);
    if (!Number.isSafeInteger(value) || value < 0) throw new Misshapen(`\`${key}\` is no count`);
    return value;
  }

  oneOf<const Word extends string>(key: string, words: readonly Word[]): Word {
    const value = this.values[key];
    const word = words.find((known) => known === value);
    if (word === undefined) throw new Misshapen(`\`${key}\` is none of ${words.join(', ')}`);
    return word;
  }

  object(key: string): Shape {
    return new Shape(this.values[key], `\`${key}\``);
  }

  list(key: string): readonly Shape[] {
    const value = this.values[key];
    if (!Array.isArray(value)) throw new Misshapen(`\`${key}\` is no list`);
    return value.map((item: unknown) => new Shape(item, `an item of \`${key}\``));
  }

  /** Null where there is nothing, else what `take` gives. */
  maybe<T>(key: string, take: () => T): T | null {
    return this.values[key] === null || this.values[key] === undefined ? null : take();
  }
}

class Misshapen extends Error {}

/** Reads a JSON text; never throws for what is in it. */
export function reading<T>(text: string, take: (json: Shape) => T): Read<T> {
  try {
    return { value: take(new Shape(JSON.parse(text), 'it')), why: null };
  } catch (error) {
    if (error instanceof Misshapen) return { value: null, why: error.message };
    if (error instanceof SyntaxError) return { value: null, why: text === '' ? 'it is empty' : 'it is not JSON' };
    throw error;
  }
}
