import { visibleText } from './visible-text.ts';

/** What a shell reads as itself, wherever it stands. */
const plain = /^[A-Za-z0-9_@%+:,./-][A-Za-z0-9_@%+=:,./-]*$/;
/** As the first word these are the shell's own. */
const reserved: ReadonlySet<string> = new Set(
  'case coproc do done elif else end esac fi for foreach function if in nocorrect repeat select then time until while'.split(
    ' ',
  ),
);

/**
 * An argument list as a person can paste it into a shell: the same words come out, and no byte of it is run or moves the
 * cursor. Arguments with control characters are written `$'…'`, which bash, zsh and ksh read.
 */
export const shellWords = (argv: readonly string[]): string =>
  argv.map((arg, i) => (i === 0 ? firstWord(arg) : shellWord(arg))).join(' ');

/** One argument, quoted when it needs to be. */
export const shellWord = (arg: string): string => {
  if (plain.test(arg)) return arg;
  if (visibleText(arg) !== arg) return `$'${Array.from(arg, ansiC).join('')}'`;
  return `'${arg.replaceAll("'", `'\\''`)}'`;
};

/** `NAME=value` at the front would be an assignment. */
const firstWord = (arg: string): string =>
  plain.test(arg) && (arg.includes('=') || reserved.has(arg)) ? `'${arg}'` : shellWord(arg);

const ansiC = (char: string): string => {
  if (char === '\\' || char === "'") return `\\${char}`;
  if (visibleText(char) === char) return char;
  return Array.from(Buffer.from(char), (byte) => `\\x${byte.toString(16).padStart(2, '0')}`).join('');
};
