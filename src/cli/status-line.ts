import { visibleText } from '../units/visible-text.ts';
import { cut } from './table.ts';
import type { Output } from './output.ts';

/** One line at the bottom of a terminal that is replaced and goes away; nothing where the output is no terminal. */
export class StatusLine {
  readonly #out: Output;
  #shown = '';

  constructor(out: Output) {
    this.#out = out;
  }

  async show(text: string): Promise<void> {
    if (!this.#out.isTTY) return;
    const line = cut(visibleText(text), Math.max(1, this.#out.columns - 1));
    if (line === this.#shown) return;
    this.#shown = line;
    await this.#out.write(`\r\x1b[2K${line}`);
  }

  /** Makes room for other output on the same terminal. */
  async clear(): Promise<void> {
    if (this.#shown === '') return;
    this.#shown = '';
    await this.#out.write('\r\x1b[2K');
  }
}
