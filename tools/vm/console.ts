/** What the guest's console says, cut into what happens. */
export type Said =
  | { readonly kind: 'line'; readonly text: string }
  | { readonly kind: 'begin'; readonly seconds: number }
  | { readonly kind: 'end'; readonly status: number };

/** Reads the console of the guest: the words of its `init`, the suite's lines, and before those what the firmware and kernel say. */
export class Console {
  #rest = '';

  /** Takes a piece, gives what its whole lines say. */
  take(piece: string): Said[] {
    const lines = (this.#rest + piece).split('\n');
    this.#rest = lines.pop() ?? '';
    return lines.map((line) => sayOf(line.replaceAll('\r', '')));
  }

  /** A last line without an end. */
  get rest(): string {
    return this.#rest;
  }
}

const sayOf = (text: string): Said => {
  const [, word, number] = /^orca-vm: (begin|end) ([\d.]+)$/.exec(text) ?? [];
  if (word === 'begin') return { kind: 'begin', seconds: Number(number) };
  if (word === 'end') return { kind: 'end', status: Number(number) };
  return { kind: 'line', text };
};
