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
    const files = found.starts
      .toReversed()
      .flatMap((start) => instances.map((instance) => metricsFile(logFilesOf(start), run, instance)));
    const none = metricsFile(logFiles(scheduler.state, run, 1), run, 'local');
    const { bytes } = await readLog({
      file: files.find((file) => existsSync(file)) ?? none,
      object: () => samplesObject(scheduler, run),
      from: { offset: 0 },
      until: null,
      pause: () => setTimeout(100),
    });
    return context.body(bytes, 200, { 'content-type': 'application/x-ndjson' });
  });
