import { goneLine, type Gone } from './gone.ts';
import type { LogBytes } from './log-bytes.ts';

const chunkSize = 65536;

/**
 * A log that the command writes itself, by offsets of its output. Of a log that was over its cap some is gone: a line stands there, ahead of the first byte after
 * it, so that who has read up to that line knows by counting where the output goes on.
 */
export class PlainLog {
  readonly #bytes: LogBytes;
  readonly #stops: boolean;
  #at: number;
  /** What stands ahead of the first byte, where what was asked for is gone. */
  #first: Uint8Array | null = null;
  /** What comes next is gone, and the reader was asked to stop there. */
  stopped = false;

  private constructor(bytes: LogBytes, at: number, stops: boolean) {
    this.#bytes = bytes;
    this.#at = at;
    this.#stops = stops;
  }

  /** `stops`: it ends before what is gone, for a reader that asks again from there. `begin`: the offset that the first byte counts as. */
  static async open(
    bytes: LogBytes,
    from: { readonly offset: number } | { readonly tail: number },
    follow: boolean,
  ): Promise<{ log: PlainLog; begin: number; stops: boolean }> {
    const gone = await bytes.gone();
    const at = 'offset' in from ? from.offset : await tailOf(bytes, from.tail, gone);
    const stops = follow || (gone !== null && at < gone.from);
    const inGone = gone !== null && at >= gone.from && at < gone.to;
    const log = new PlainLog(bytes, inGone ? gone.to : at, stops);
    // The line and the offset are of one look: more may be gone at the next.
    log.#first = inGone ? lineAt(at, gone) : null;
    return { log, begin: log.#at - (log.#first?.length ?? 0), stops };
  }

  /** What there is more; null: nothing now, or it has stopped. */
  async read(): Promise<Uint8Array | null> {
    const first = this.#first;
    this.#first = null;
    if (first !== null) return first;
    while (!this.stopped) {
      const gone = await this.#bytes.gone();
      if (gone !== null && this.#at >= gone.from && this.#at < gone.to) {
        this.stopped = this.#stops;
        if (this.stopped) return null;
        const line = lineAt(this.#at, gone);
        this.#at = gone.to;
        return line;
      }
      const bytes = await this.#next(gone);
      // Empty: it was cut while it was read. Once more, by what is known now.
      if (bytes === null || bytes.length > 0) return bytes;
    }
    return null;
  }

  async #next(gone: Gone | null): Promise<Uint8Array | null> {
    const at = this.#at;
    const most = gone !== null && at < gone.from ? Math.min(chunkSize, gone.from - at) : chunkSize;
    const bytes = await this.#bytes.read(this.#place(at, gone), most);
    if (bytes.length === 0) return null;
    // A hole that was punched meanwhile is known by now.
    const now = await this.#bytes.gone();
    const isHole = now !== null && now.cut?.inode !== this.#bytes.inode && at < now.to && at + bytes.length > now.from;
    const length = isHole ? Math.max(0, now.from - at) : bytes.length;
    this.#at += length;
    return bytes.subarray(0, length);
  }

  /** Where in the file an offset of the output is. */
  #place(at: number, gone: Gone | null): number {
    if (gone?.cut?.inode !== this.#bytes.inode || at < gone.to) return at;
    return at - gone.to + gone.from + gone.cut.line;
  }
}

/** On a line of its own, also where the middle of one had been read; who has read some of what is gone hears of the rest. */
const lineAt = (at: number, gone: Gone): Buffer =>
  at === gone.from ? goneLine(gone) : Buffer.concat([Buffer.from('\n'), goneLine({ ...gone, from: at })]);

/** Where the last lines begin, as an offset of the output. */
const tailOf = async (bytes: LogBytes, lines: number, gone: Gone | null): Promise<number> => {
  if (gone === null) return bytes.tail(lines, 0);
  if (gone.cut?.inode !== bytes.inode) {
    const at = await bytes.tail(lines, gone.to);
    return at === gone.to ? gone.from : at;
  }
  const kept = gone.from + gone.cut.line;
  const at = await bytes.tail(lines, 0);
  if (at >= kept) return at - kept + gone.to;
  return Math.min(at, gone.from);
};
