import type { SampleWriter } from './sample-writer.ts';

/** What a sample line on standard output begins with (seed 001: PREFIX). */
export const samplePrefix = 'orca-sample ';

/** Hands bytes over; resolves with false when nobody reads any more. */
type Put = (text: string) => Promise<boolean>;

/** How long the last line may take to be handed over. */
const lastMs = 2000;

/** Lines for a log that others write to as well. A reader that pauses costs lines; it does not make the sampler wait. */
export const stdoutWriter = (put: Put, sleep: (ms: number) => Promise<void>): SampleWriter => {
  let going: Promise<void> | null = null;
  let broken: Error | null = null;
  const send = async (text: string): Promise<void> => {
    try {
      if (!(await put(text))) broken = new Error('nobody reads it any more');
    } catch (cause) {
      broken = cause instanceof Error ? cause : new Error(String(cause));
    }
    going = null;
  };
  return {
    write: async (line) => {
      if (going !== null) throw new Error('its reader does not read');
      const sent = send(`${samplePrefix}${line}\n`);
      going = sent;
      // A write that is done by then tells how it went.
      await Promise.race([sent, sleep(0)]);
      if (broken !== null) throw broken;
    },
    close: async () => {
      if (going !== null) await Promise.race([going, sleep(lastMs)]);
    },
  };
};
