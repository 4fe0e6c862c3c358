import { readFileSync } from 'node:fs';
import { systemErrorWords } from '../client/system-error.ts';
import { fileWriter } from '../sample/file-writer.ts';
import type { Location } from '../sample/location.ts';
import { ObjectWriter } from '../sample/object-writer.ts';
import { s3Object } from '../sample/s3-object.ts';
import type { LoopClock } from '../sample/sample-loop.ts';
import type { SampleWriter } from '../sample/sample-writer.ts';
import { stageFolder } from '../logs/stage-folder.ts';
import { stageFile } from '../sample/stage.ts';
import { stdoutWriter } from '../sample/stdout-writer.ts';
import type { Context } from './context.ts';
import type { SampleRequest } from './sample-options.ts';

/** Tells the person one sentence. */
export type Complain = (sentence: string) => void;

/** Where `orca sample` writes to; never throws: of a place that may not be used each line is lost. */
export function openWriter(
  context: Context,
  request: SampleRequest,
  clock: LoopClock,
  complain: Complain,
): SampleWriter {
  const { out, keep } = request;
  switch (out.kind) {
    case 'stdout':
      return stdoutWriter((text) => context.out.write(text), clock.sleep);
    case 'file':
      return fileWriter(out.path, { keep });
    case 'object':
      try {
        return openObject(context, out, { keep, clock, complain });
      } catch (cause) {
        return lostWriter(cause);
      }
  }
}

interface ObjectOptions {
  readonly keep: number | null;
  readonly clock: LoopClock;
  readonly complain: Complain;
}

function openObject(
  context: Context,
  out: Location & { kind: 'object' },
  { keep, clock, complain }: ObjectOptions,
): SampleWriter {
  const { settings } = context.loaded;
  const stage = stageFile(stageFolder(settings, context.stateHost.uid), out, context.stateHost.uid);
  const place = `s3://${out.bucket}/${out.key}`;
  return new ObjectWriter({
    stage: fileWriter(stage, { keep, mode: 0o600, noLinks: true }),
    read: () => readFileSync(stage),
    put: s3Object(out, context.env),
    uploadSeconds: settings.get('ORCA_SAMPLE_UPLOAD_SECONDS'),
    clock,
    onFailed: (cause) => {
      const kept = `They are kept in ${stage}; it is tried again until the end.`;
      complain(`samples could not be uploaded to ${place}: ${words(cause)}. ${kept}`);
    },
  });
}

const lostWriter = (cause: unknown): SampleWriter => ({
  write: () => Promise.reject(cause instanceof Error ? cause : new Error(String(cause))),
  close: () => Promise.resolve(),
});

/** What a person reads when a line was lost. */
export const lostWords = (out: Location, cause: unknown): string => {
  const place = out.kind === 'file' ? out.path : out.kind === 'stdout' ? 'standard output' : 'its staging file';
  return `a sample could not be written to ${place}: ${words(cause)}. Lines are lost; sampling goes on.`;
};

/** An error that stands for several has no words of its own. */
const words = (cause: unknown): string =>
  systemErrorWords(cause) ||
  systemErrorWords(cause instanceof AggregateError ? cause.errors[0] : cause) ||
  'no reason given';
