import {
  closeSync,
  constants,
  fstatSync,
  ftruncateSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
  type Stats,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { countLines, lastLines, type LineCount } from './file-lines.ts';
import type { SampleWriter } from './sample-writer.ts';

export interface FileOptions {
  /** Keep about so many lines: once the file has twice as many it is replaced by its last ones. Null: keep all. */
  readonly keep: number | null;
  /** Permissions of a file that is made. */
  readonly mode?: number;
  /** Refuse a symbolic link. */
  readonly noLinks?: boolean;
}

/** Appends lines to a file, each with one write, so that a reader sees whole lines (seed 001: append_line). */
export const fileWriter = (path: string, options: FileOptions): SampleWriter => {
  const file = new LineFile(path, options);
  return {
    // The executor's throw becomes the rejection.
    write: (line) => new Promise((resolve) => resolve(file.append(line))),
    close: () => Promise.resolve(),
  };
};

/** The file is opened for each line: whoever renames it or makes its folder anew is followed. */
class LineFile {
  readonly #path: string;
  readonly #options: FileOptions;
  /** The file as it was left, to notice what others did to it. */
  #left: Pick<Stats, 'ino' | 'size'> | null = null;
  #count: LineCount = { lines: 0, whole: true };

  constructor(path: string, options: FileOptions) {
    this.#path = path;
    this.#options = options;
  }

  append(line: string): void {
    const { keep } = this.#options;
    // A rewrite that failed is due again: the bound stands, so the line is lost rather than kept over it.
    if (keep !== null && this.#count.lines >= 2 * keep) this.#rewrite(keep);
    // Without O_NONBLOCK the opening of a named pipe that nobody reads would never end.
    const flags = constants.O_APPEND | constants.O_CREAT | constants.O_NONBLOCK | constants.O_WRONLY;
    const links = this.#options.noLinks === true ? constants.O_NOFOLLOW : 0;
    const fd = openSync(this.#path, flags | links, this.#options.mode);
    try {
      this.#appendTo(fd, line);
    } finally {
      closeSync(fd);
    }
    if (keep !== null && this.#count.lines >= 2 * keep) this.#rewrite(keep);
  }

  #appendTo(fd: number, line: string): void {
    const stat = fstatSync(fd);
    const isFile = stat.isFile();
    if (isFile && (stat.ino !== this.#left?.ino || stat.size !== this.#left.size)) this.#count = countLines(this.#path);
    // What a writer that died has left unended must not take this line with it.
    const bytes = Buffer.from(`${isFile && !this.#count.whole ? '\n' : ''}${line}\n`);
    const written = writeSync(fd, bytes);
    if (written < bytes.length) {
      if (isFile) ftruncateSync(fd, stat.size);
      throw Object.assign(new Error('no room for a whole line'), { code: 'ENOSPC' });
    }
    if (!isFile) return;
    this.#left = { ino: stat.ino, size: stat.size + written };
    this.#count = { lines: this.#count.lines + (this.#count.whole ? 1 : 2), whole: true };
  }

  /** Beside, then renamed over it: a reader sees the old file or the new one. */
  #rewrite(keep: number): void {
    const file = realpathSync(this.#path);
    const beside = join(dirname(file), `.${basename(file)}.keep`);
    const lines = lastLines(file, keep);
    rmSync(beside, { force: true });
    writeFileSync(beside, lines, { flag: 'wx', mode: statSync(file).mode & 0o777 });
    renameSync(beside, file);
    this.#left = null;
    this.#count = { lines: 0, whole: true };
  }
}
