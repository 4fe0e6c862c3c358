import type { FileHandle } from 'node:fs/promises';
import type { StreamMask } from './keep-log.ts';

const chunkSize = 65536;

/** A staged output as its log will be: masked, and from any byte of that. */
export class StagedLog {
  readonly #file: FileHandle;
  readonly #mask: StreamMask;
  #at = 0;
  #drop: number;
  #ended = false;

  /** `offset`: how many bytes of the masked text are left out. */
  constructor(file: FileHandle, mask: StreamMask, offset: number) {
    this.#file = file;
    this.#mask = mask;
    this.#drop = offset;
  }

  /** What there is more; with `last` up to the very end, since nothing more will be written. Null: nothing. */
  async read(last: boolean): Promise<Uint8Array | null> {
    while (!this.#ended) {
      const chunk = Buffer.allocUnsafe(chunkSize);
      const { bytesRead } = await this.#file.read(chunk, 0, chunkSize, this.#at);
      this.#at += bytesRead;
      this.#ended = bytesRead === 0 && last;
      if (bytesRead === 0 && !last) return null;
      const masked = this.#ended ? this.#mask.end() : this.#mask.write(chunk.subarray(0, bytesRead));
      const left = masked.subarray(Math.min(this.#drop, masked.length));
      this.#drop -= masked.length - left.length;
      if (left.length > 0) return left;
    }
    return null;
  }
}

/** Where what was written after so many bytes of a staged output begins in the masked text; what the mask still holds back then counts as later. */
export const maskedOffset = async (file: FileHandle, mask: StreamMask, written: number): Promise<number> => {
  let masked = 0;
  for (let at = 0; at < written;) {
    const { bytesRead, buffer } = await file.read(
      Buffer.allocUnsafe(chunkSize),
      0,
      Math.min(chunkSize, written - at),
      at,
    );
    if (bytesRead === 0) break;
    at += bytesRead;
    masked += mask.write(buffer.subarray(0, bytesRead)).length;
  }
  return masked;
};

/** Where the last lines of a staged output begin, in the masked text. */
export const stagedTailOffset = async (file: FileHandle, mask: StreamMask, lines: number): Promise<number> => {
  const text = new StagedLog(file, mask, 0);
  // Where the newest lines begin, a few more than are wanted.
  let begins = [0];
  let length = 0;
  for (let chunk = await text.read(true); chunk !== null; chunk = await text.read(true)) {
    for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) begins.push(length + at + 1);
    length += chunk.length;
    begins = begins.slice(-lines - 1);
  }
  if (begins.at(-1) === length) begins.pop();
  return lines <= 0 ? length : (begins.at(-lines) ?? begins[0] ?? 0);
};
