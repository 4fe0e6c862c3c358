/** The known word that is nearest to what was written, when it is near enough to be meant; else null. */
export function didYouMean(written: string, known: Iterable<string>): string | null {
  const allowed = Math.min(3, Math.max(1, Math.floor(written.length / 5)));
  let best: string | null = null;
  let least = allowed + 1;
  for (const word of known) {
    if (Math.abs(word.length - written.length) >= least) continue;
    const far = distance(written, word);
    if (far < least) {
      least = far;
      best = word;
    }
  }
  return best;
}

/** Letters put in, left out, replaced, or swapped with their neighbour. */
function distance(a: string, b: string): number {
  let before: number[] = [];
  let above = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const here = [row];
    for (let column = 1; column <= b.length; column++) {
      const same = a[row - 1] === b[column - 1];
      const swapped = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      const ways = [
        (above[column] ?? 0) + 1,
        (here[column - 1] ?? 0) + 1,
        (above[column - 1] ?? 0) + (same ? 0 : 1),
        ...(swapped ? [(before[column - 2] ?? 0) + 1] : []),
      ];
      here.push(Math.min(...ways));
    }
    before = above;
    above = here;
  }
  return above[b.length] ?? 0;
}
