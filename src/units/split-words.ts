/**
 * The words of a line as a shell would split it: at white space, with '…', "…" and \ to keep it. Nothing is expanded, and no shell is asked:
 * $, *, ~, ; and | are characters as any other. Null when a quote is not closed or a backslash stands at the end.
 */
export const splitWords = (line: string): string[] | null => {
  const words: string[] = [];
  let word: string | null = null;
  let quote: "'" | '"' | null = null;
  for (let at = 0; at < line.length; at += 1) {
    const char = line.charAt(at);
    if (quote === "'" ? char === "'" : quote === '"' && char === '"') quote = null;
    else if (quote === "'") word += char;
    else if (char === '\\') {
      const next = line.charAt(at + 1);
      if (next === '') return null;
      // Within "…" a backslash stands for itself, but before these.
      word = `${word ?? ''}${quote === '"' && !'"\\$`'.includes(next) ? '\\' : ''}${next}`;
      at += 1;
    } else if (quote === '"') word += char;
    else if (char === "'" || char === '"') {
      quote = char;
      word ??= '';
    } else if (/\s/.test(char)) {
      if (word !== null) words.push(word);
      word = null;
    } else word = `${word ?? ''}${char}`;
  }
  if (quote !== null) return null;
  if (word !== null) words.push(word);
  return words;
};
