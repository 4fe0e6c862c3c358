/** A table's column: its head, and whether its words stand at the right. */
export interface Column {
  readonly head: string;
  readonly right?: boolean;
  /** The column that is cut when the table is too wide; at most one. */
  readonly flexible?: boolean;
}

/** Lines of a plain table, two spaces between the columns, no wider than `width`. Cells must be visible text already. */
export function tableLines(columns: readonly Column[], rows: readonly (readonly string[])[], width: number): string[] {
  const widths = columns.map(({ head }, index) =>
    Math.max(textWidth(head), ...rows.map((row) => textWidth(row[index] ?? ''))),
  );
  const total = widths.reduce((sum, one) => sum + one, 0) + 2 * (columns.length - 1);
  const flexible = columns.findIndex((column) => column.flexible === true);
  const room = Math.max(8, (widths[flexible] ?? 0) - Math.max(0, total - width));
  if (flexible >= 0) widths[flexible] = Math.min(widths[flexible] ?? 0, room);
  const line = (cells: readonly string[]): string =>
    columns
      .map(({ right }, index) => {
        const cell = cut(cells[index] ?? '', widths[index] ?? 0);
        const gap = ' '.repeat(Math.max(0, (widths[index] ?? 0) - textWidth(cell)));
        return right === true ? gap + cell : cell + gap;
      })
      .join('  ')
      .trimEnd();
  return [line(columns.map(({ head }) => head)), ...rows.map(line)];
}

/** The text, or its beginning with `…`, in at most `width` columns. */
export function cut(text: string, width: number): string {
  if (textWidth(text) <= width) return text;
  let result = '';
  let used = 0;
  for (const character of text) {
    const wide = characterWidth(character);
    if (used + wide > width - 1) break;
    result += character;
    used += wide;
  }
  return `${result}…`;
}

/** The text in pieces of at most `width` columns: nothing is lost. */
export function folded(text: string, width: number): string[] {
  const pieces: string[] = [];
  let piece = '';
  let used = 0;
  for (const character of text) {
    const wide = characterWidth(character);
    if (used + wide > width && piece !== '') {
      pieces.push(piece);
      [piece, used] = ['', 0];
    }
    piece += character;
    used += wide;
  }
  return [...pieces, piece];
}

export function textWidth(text: string): number {
  let width = 0;
  for (const character of text) width += characterWidth(character);
  return width;
}

/** Two columns for East Asian wide characters and emoji (Unicode's EastAsianWidth, its wide blocks), none for combining marks. */
function characterWidth(character: string): number {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x300) return 1;
  if (/[\p{Mn}\p{Me}\u200c\u200d]/u.test(character)) return 0;
  const wide =
    (code >= 0x1100 && code <= 0x115f) ||
    (code >= 0x2e80 && code <= 0xa4cf) ||
    (code >= 0xac00 && code <= 0xd7a3) ||
    (code >= 0xf900 && code <= 0xfaff) ||
    (code >= 0xfe30 && code <= 0xfe6f) ||
    (code >= 0xff00 && code <= 0xff60) ||
    (code >= 0x1f300 && code <= 0x1faff) ||
    (code >= 0x20000 && code <= 0x3fffd);
  return wide ? 2 : 1;
}
