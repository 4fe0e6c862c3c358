import { existsSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { Hono } from 'hono';
import { OrcaError } from '../../errors/orca-error.ts';
import { readLog } from '../../logs/read-log.ts';
import { samplesObject } from '../../scheduler/moved-logs.ts';
import { logFilesOf, metricsFile, logFiles } from '../../scheduler/state-folder.ts';
import { getRunWithStarts } from '../../store/get-run.ts';
import { runId } from '../../units/brands.ts';
import type { Served } from '../app.ts';
import { runSchema } from '../schemas.ts';

const instances = ['control', 'local'] as const;

/** The samples of a run, as they are in its file; a run that was over at once has none. */
export const metricsRoutes = ({ scheduler }: Served): Hono =>
  new Hono().get('/:run/metrics', async (context) => {
    const run = runId(runSchema.parse(context.req.param('run')));
    const found = await getRunWithStarts(scheduler.store.read, run);
    if (found === null) throw new OrcaError('run-unknown', { run });
    const files = found.starts.flatMap((start) =>
      instances.map((instance) => metricsFile(logFilesOf(start), run, instance)),
    );
    const [first, ...more] = [...new Set(files)].filter((file) => existsSync(file));
    const read = async (file: string): Promise<ReadableStream<Uint8Array>> => {
      const samples = await readLog({
        file,
        object: () => samplesObject(scheduler, run),
        from: { offset: 0 },
        until: null,
        pause: () => setTimeout(100),
      });
      return samples.bytes;
    };
    const begun = await read(first ?? metricsFile(logFiles(scheduler.state, run, 1), run, 'local'));
    const bytes = more.length === 0 ? begun : ReadableStream.from(oneAfterTheOther(begun, more, read));
    return context.body(bytes, 200, { 'content-type': 'application/x-ndjson' });
  });

/** Starts after a change of `ORCA_LOGS` have theirs elsewhere. */
async function* oneAfterTheOther(
  begun: ReadableStream<Uint8Array>,
  more: readonly string[],
  read: (file: string) => Promise<ReadableStream<Uint8Array>>,
): AsyncGenerator<Uint8Array> {
  yield* begun;
  for (const file of more) yield* await read(file);
}
