/** Where the lines of one sampler go. */
export interface SampleWriter {
  /** Keeps one line, given without its end, or rejects: it is lost then, and the next may be tried. */
  readonly write: (line: string) => Promise<void>;
  /** Hands over what is still under way, within bounds. */
  readonly close: () => Promise<void>;
}
