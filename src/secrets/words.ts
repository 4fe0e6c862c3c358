import { beginsWithWord, endsInWord } from './byte-classes.ts';
import type { Interval } from './intervals.ts';

/** A value that counts only where no letter, digit or `_` touches it. */
export interface Word extends Interval {
  /** Whether colours inside are hidden with it. */
  readonly literal: boolean;
}

/** Words that were found, until what comes after them is known. */
export class Words {
  waiting: (Word & { readonly after: number[] })[] = [];

  /** `before`: the visible bytes in front of it, one character at least where there is one. */
  add(word: Word, before: readonly number[]): void {
    if (!endsInWord(before)) this.waiting.push({ ...word, after: [] });
  }

  /** The next visible byte; the words that are known to stand alone by it. */
  settle(byte: number, at: number): readonly Word[] {
    const alone: Word[] = [];
    this.waiting = this.waiting.filter((word) => {
      if (word.end > at) return true;
      word.after.push(byte);
      const touches = beginsWithWord(word.after);
      if (touches === false) alone.push(word);
      return touches === null;
    });
    return alone;
  }

  /** Nothing more comes. */
  end(): readonly Word[] {
    const alone = this.waiting;
    this.waiting = [];
    return alone;
  }
}
