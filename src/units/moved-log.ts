/** What is known of a log that was moved to an object storage. */
export interface MovedLog {
  readonly bytes: number;
  /** What was cut out of it, as offsets of the output, and how long the line is that stands there instead. */
  readonly gone: { readonly from: number; readonly to: number; readonly line: number } | null;
  /** There are times of it, in an object of their own. */
  readonly times: boolean;
}
