/** What was said of a run that decides nothing about when it starts. */
export interface Extras {
  readonly tags: readonly string[];
  /** Files whose size tells how big the work is; `bytes` as they were when it was submitted, null where it could not be read. */
  readonly inputs: readonly InputFile[];
  /** Which endings `--retries` covers; null: failed and lost. */
  readonly retry_on: RetryOn | null;
  /** Heap sizes that follow from the grant: `java`, `node`, or `NAME=FORMAT`. */
  readonly memory_env: readonly string[];
  /** How much of the caller's environment it got. */
  readonly capture: EnvironmentCapture;
  /** Its cpus were asked for, and not just counted for it. */
  readonly cpus_asked: boolean;
  /** For how long its success holds its key by the word of who submitted it, in ms; null: for the usual time. */
  readonly key_window_ms: number | null;
}

export interface InputFile {
  readonly path: string;
  readonly bytes: number | null;
}

export interface RetryOn {
  /** Exit codes. */
  readonly codes: readonly number[];
  readonly verdicts: readonly ('failed' | 'timed-out' | 'lost')[];
}

export type EnvironmentCapture = 'all' | 'minimal' | 'none';

export const noExtras: Extras = {
  tags: [],
  inputs: [],
  retry_on: null,
  memory_env: [],
  capture: 'all',
  cpus_asked: false,
  key_window_ms: null,
};
