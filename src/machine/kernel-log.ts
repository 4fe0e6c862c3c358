import { setImmediate as turn } from 'node:timers/promises';
import type { KernelLogFile, NoKernelLog } from './kernel-log-file.ts';
import { OomKillFinder, type OomKill } from './oom-kills.ts';

/** So many kills are remembered, the newest ones. */
const remembered = 1000;
/** After so long others get their turn: a full log has tens of thousands of records. */
const sliceMs = 5;

/** The kills for memory in the kernel log. Nothing is read before it is asked for; later only what is new. */
export class KernelLog {
  readonly #open: () => KernelLogFile | NoKernelLog;
  readonly #finder = new OomKillFinder();
  #file: KernelLogFile | null = null;
  #kills: OomKill[] = [];
  #reading: Promise<boolean> | null = null;

  constructor(open: () => KernelLogFile | NoKernelLog) {
    this.#open = open;
  }

  /** All that is known of by now, oldest first; null: it cannot be read. */
  async kills(): Promise<readonly OomKill[] | null> {
    // Who asks while it is being read may ask for a record that was written after the read had passed its place.
    while (this.#reading !== null) await this.#reading;
    this.#reading = this.#readOn().finally(() => {
      this.#reading = null;
    });
    return (await this.#reading) ? this.#kills : null;
  }

  close(): void {
    this.#file?.close();
    this.#file = null;
  }

  async #readOn(): Promise<boolean> {
    const file = this.#file ?? this.#open();
    if (typeof file === 'string') return false;
    this.#file = file;
    try {
      let until = performance.now() + sliceMs;
      for (let record = file.next(); record !== null; record = file.next()) {
        this.#take(record);
        if (performance.now() < until) continue;
        await turn();
        until = performance.now() + sliceMs;
      }
      return true;
    } catch {
      this.close();
      return false;
    }
  }

  #take(record: string): void {
    const kill = this.#finder.take(record);
    if (kill === null) return;
    this.#kills = [...this.#kills.slice(1 - remembered), kill];
  }
}
