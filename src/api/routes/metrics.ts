import { existsSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { Hono } from 'hono';
import { OrcaError } from '../../errors/orca-error.ts';
import { readLog } from '../../logs/read-log.ts';
import { samplesObject } from '../../scheduler/moved-logs.ts';
import { metricsFile } from '../../scheduler/state-folder.ts';
import { getRun } from '../../store/get-run.ts';
import { runId } from '../../units/brands.ts';
import type { Served } from '../app.ts';
import { runSchema } from '../schemas.ts';

/** The samples of a run, as they are in its file; a run that was over at once has none. */
export const metricsRoutes = ({ scheduler }: Served): Hono =>
  new Hono().get('/:run/metrics', async (context) => {
    const run = runId(runSchema.parse(context.req.param('run')));
    const [local, control] = [metricsFile(scheduler.state, run, 'local'), metricsFile(scheduler.state, run, 'control')];
    const file = existsSync(control) ? control : local;
    if (!existsSync(file) && (await getRun(scheduler.store.read, run)) === null) {
      throw new OrcaError('run-unknown', { run });
    }
    const { bytes } = await readLog({
      file,
      object: () => samplesObject(scheduler, run),
      from: { offset: 0 },
      until: null,
      pause: () => setTimeout(100),
    });
    return context.body(bytes, 200, { 'content-type': 'application/x-ndjson' });
  });
