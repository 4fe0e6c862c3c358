import { sampleLine, type HostLook, type RunLook, type SampleLine } from './sample-line.ts';

/** What a sampler looks at; Linux's and macOS's differ. */
export interface SampleSource {
  readonly host: string;
  /** For a machine that does not tell its cores one by one. */
  readonly cores: number;
  readonly look: () => Promise<{ readonly host: HostLook; readonly run: RunLook }>;
  /** Whether the process that is watched has ended; false when none is. */
  readonly hasEnded: () => boolean;
  /** Lets go of the files that it holds open. */
  readonly close: () => void;
}

/** Holds the look that the next line is the difference to (seed 001: Sampler). */
export class Sampler {
  readonly #source: SampleSource;
  #before: HostLook;

  private constructor(source: SampleSource, before: HostLook) {
    this.#source = source;
    this.#before = before;
  }

  static async open(source: SampleSource): Promise<Sampler> {
    return new Sampler(source, (await source.look()).host);
  }

  /** Covers the time since the line before, or since the sampler was opened. */
  async line(): Promise<SampleLine> {
    const { host, run } = await this.#source.look();
    const line = sampleLine(this.#source, this.#before, host, run);
    this.#before = host;
    return line;
  }
}
