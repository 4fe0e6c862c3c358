/** What a value that was kept as JSON has to be: null when it is so, else what it is not. Keys that are not named here may be there. */
export type Shape = (value: unknown) => string | null;

const when =
  (is: (value: unknown) => boolean, what: string): Shape =>
  (value) =>
    is(value) ? null : `is not ${what}`;

export const text = when((value) => typeof value === 'string', 'a text');
export const flag = when((value) => typeof value === 'boolean', 'true or false');
export const number = when((value) => Number.isFinite(value), 'a number');
export const count = when((value) => Number.isSafeInteger(value) && (value as number) >= 0, 'a whole number');

export const oneOf = (words: readonly string[]): Shape =>
  when((value) => words.some((word) => word === value), `one of ${words.join(', ')}`);

export const orNull =
  (shape: Shape): Shape =>
  (value) =>
    value === null ? null : shape(value);

export const listOf =
  (shape: Shape): Shape =>
  (value) =>
    Array.isArray(value) ? firstOf(value.map((item: unknown) => inside('an item', shape(item)))) : 'is not a list';

export const pairOf =
  (first: Shape, second: Shape): Shape =>
  (value) =>
    Array.isArray(value) && value.length === 2 ? (first(value[0]) ?? second(value[1])) : 'is not a pair';

/** An object of any keys. */
export const mapOf =
  (shape: Shape): Shape =>
  (value) =>
    isObject(value)
      ? firstOf(Object.entries(value).map(([key, item]) => inside(key, shape(item))))
      : 'is not an object';

/** An object that has each of these keys. */
export const objectOf =
  (shapes: Readonly<Record<string, Shape>>): Shape =>
  (value) =>
    isObject(value)
      ? firstOf(Object.entries(shapes).map(([key, shape]) => inside(key, shape(value[key]))))
      : 'is not an object';

/** The same, where each key may be missing. */
export const someOf = (shapes: Readonly<Record<string, Shape>>): Shape =>
  objectOf(Object.fromEntries(Object.entries(shapes).map(([key, shape]) => [key, orMissing(shape)])));

export const either =
  (one: Shape, other: Shape): Shape =>
  (value) =>
    one(value) === null ? null : other(value);

const orMissing =
  (shape: Shape): Shape =>
  (value) =>
    value === undefined ? null : shape(value);

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const inside = (where: string, wrong: string | null): string | null => (wrong === null ? null : `${where} ${wrong}`);

const firstOf = (found: readonly (string | null)[]): string | null => found.find((one) => one !== null) ?? null;
