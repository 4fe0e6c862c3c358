import { Hono } from 'hono';
import { OrcaError } from '../../errors/orca-error.ts';
import { readRuns } from '../../scheduler/read-runs.ts';
import { runSummaryJson } from '../../scheduler/run-json.ts';
import { listRuns } from '../../store/list-runs.ts';
import { runId } from '../../units/brands.ts';
import type { Served } from '../app.ts';
import { listSchema, runSchema } from '../schemas.ts';

export const runRoutes = ({ scheduler }: Served): Hono =>
  new Hono()
    .get('/', async (context) => {
      const { limit, before } = context.req.query();
      const query = listSchema.parse({ state: context.req.queries('state') ?? [], limit, before });
      const runs = await listRuns(scheduler.store.read, {
        states: query.state,
        before: query.before === undefined ? null : runId(query.before),
        limit: query.limit,
      });
      return context.json({ runs: runs.map((run) => runSummaryJson(scheduler, run)) });
    })
    .get('/:run', async (context) => {
      const id = runId(runSchema.parse(context.req.param('run')));
      const [run] = await readRuns(scheduler, [id]);
      if (run == null) throw new OrcaError('run-unknown', { run: id });
      return context.json(run);
    });
