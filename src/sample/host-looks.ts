import { wholeDisks } from '../machine/disk-counters.ts';
import { diskSpaces } from '../machine/disk-space.ts';
import { readHostCounters } from '../machine/host-counters.ts';
import type { HostLook } from './sample-line.ts';

export interface LooksHost {
  readonly procRoot: string;
  readonly sysRoot: string;
  /** Milliseconds of a clock that is never set. */
  readonly nowMs: () => number;
  /** Milliseconds since the epoch. */
  readonly time: () => number;
}

/** A look that is younger is good enough for whoever asks next. */
const freshMs = 100;

/** Looks at the machine that several samples share: however many runs begin or are sampled at once, one look serves them all. */
export class HostLooks {
  readonly #host: LooksHost;
  readonly #folders: readonly string[];
  #disks: readonly string[] | null = null;
  #last: HostLook | null = null;

  constructor(host: LooksHost, folders: readonly string[]) {
    this.#host = host;
    this.#folders = folders;
  }

  /** Newer than `before`, which a line is the difference to. */
  look(before: HostLook | null = null): HostLook {
    const { procRoot, sysRoot, nowMs, time } = this.#host;
    const at = nowMs();
    if (this.#last !== null && this.#last !== before && at - this.#last.at < freshMs) return this.#last;
    this.#disks ??= wholeDisks(sysRoot);
    const counters = readHostCounters(procRoot, this.#disks);
    this.#last = { at, time: time(), counters, disks: diskSpaces(this.#folders) };
    return this.#last;
  }
}
