import { formatFileSize } from '../units/format-size.ts';
import { shellWord } from '../units/shell-words.ts';
import { visibleText } from '../units/visible-text.ts';
import type { RunJson } from '../wire/api.ts';

/** A daemon of an older version says none of it. */
type Said = Partial<Pick<RunJson, 'inputs' | 'capture' | 'memory_env' | 'submitter'>>;

const shown = 5;

/** `/data/in.csv (1.2 GB)`; null for none. */
export function inputWords({ inputs = [] }: Said): string | null {
  if (inputs.length === 0) return null;
  const words = inputs.slice(0, shown).map(({ path, bytes: size }) => {
    return `${visibleText(path)} (${size === null ? 'size not known' : formatFileSize(size)})`;
  });
  return [...words, ...(inputs.length > shown ? [`${inputs.length - shown} more`] : [])].join(', ');
}

/** As it is typed; null for the usual. */
export function givenWords({ capture = 'all', memory_env = [] }: Said): string | null {
  const words = [
    ...(capture === 'all' ? [] : [`--capture-env ${capture}`]),
    ...memory_env.map((one) => `--memory-env ${shellWord(one)}`),
  ];
  return words.length === 0 ? null : words.join(' ');
}

export const submitterWords = ({ submitter = null }: Said): string =>
  submitter === null ? '' : ` by ${visibleText(submitter)}`;
