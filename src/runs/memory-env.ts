import { OrcaError } from '../errors/orca-error.ts';
import { isStartVariable } from '../settings/start-variables.ts';
import type { Mib } from '../units/brands.ts';
import { visibleText } from '../units/visible-text.ts';

/** A variable that tells a program how much memory its start has. */
export interface MemoryVariable {
  readonly name: string;
  /** Its value, from the start's limit and what the run's environment has under that name. */
  readonly value: (limit: Mib, before: string | null) => string;
}

/** Of the limit: a heap is not all that such a program has; stacks, code, buffers and the collector's own lie beside it. */
const heapShare = 0.75;

const heapOf = (limit: Mib): number => Math.max(2, Math.floor(limit * heapShare));
const added = (before: string | null, option: string): string =>
  before === null || before.trim() === '' ? option : `${before} ${option}`;

const known: Readonly<Record<string, MemoryVariable>> = {
  // Where an option stands twice, both take the last one.
  java: { name: 'JAVA_TOOL_OPTIONS', value: (limit, before) => added(before, `-Xmx${heapOf(limit)}m`) },
  node: { name: 'NODE_OPTIONS', value: (limit, before) => added(before, `--max-old-space-size=${heapOf(limit)}`) },
};

/** `java`, `node`, or `NAME=FORMAT` with `{mb}` or `{bytes}` in it, or a share of one (`{mb*0.8}`). Throws `memory-env-invalid`. */
export const memoryVariable = (text: string): MemoryVariable => {
  const ready = Object.hasOwn(known, text) ? known[text] : undefined;
  if (ready !== undefined) return ready;
  const refuse = (why: string): never => {
    throw new OrcaError('memory-env-invalid', { value: visibleText(text), why });
  };
  const equals = text.indexOf('=');
  if (equals < 0) return refuse('it is neither java nor node, and has no =');
  const name = text.slice(0, equals);
  if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) return refuse(`${visibleText(name) || 'nothing'} is no variable’s name`);
  if (isStartVariable(name)) return refuse(`orca itself sets ${name}`);
  const parts = text.slice(equals + 1).split(/(\{[^{}]*\})/);
  if (parts.length < 2) return refuse('there is no {mb} or {bytes} in it; --env sets what is always the same');
  const words = parts.map((part, index) => (index % 2 === 1 ? placeholder(part, refuse) : literal(part, refuse)));
  return { name, value: (limit) => words.map((word) => word(limit)).join('') };
};

type Word = (limit: Mib) => string;
type Refuse = (why: string) => never;

const literal = (part: string, refuse: Refuse): Word => {
  if (/[{}]/.test(part)) return refuse('a brace stands alone');
  if (part.includes('\0')) return refuse('it holds a NUL byte');
  return () => part;
};

const placeholder = (part: string, refuse: Refuse): Word => {
  const [, unit, share] = /^\{(mb|bytes)(?:\*(\d+(?:\.\d+)?|\.\d+))?\}$/.exec(part) ?? [];
  if (unit === undefined) return refuse(`${visibleText(part)} is not known`);
  const factor = share === undefined ? 1 : Number(share);
  if (!(factor > 0 && factor <= 1)) return refuse(`${part} is no share: it is over 0 and at most 1`);
  // A whole number, and never 0, which many programs take for no limit.
  return (limit) => String(Math.max(1, Math.floor((unit === 'mb' ? limit : limit * 1048576) * factor)));
};
