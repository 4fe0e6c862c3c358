import { Hono } from 'hono';
import { OrcaError } from '../../errors/orca-error.ts';
import { readRuns } from '../../scheduler/read-runs.ts';
import { runSummaryJson } from '../../scheduler/run-json.ts';
import { unknownGroup } from '../../store/chosen-runs.ts';
import { listRuns } from '../../store/list-runs.ts';
import { runId } from '../../units/brands.ts';
import type { Served } from '../app.ts';
import { listSchema, runSchema } from '../schemas.ts';

export const runRoutes = ({ scheduler }: Served): Hono =>
  new Hono()
    .get('/', async (context) => {
      const { limit, before, group, key, name } = context.req.query();
      const [state, tag] = [context.req.queries('state') ?? [], context.req.queries('tag') ?? []];
      const query = listSchema.parse({ state, tag, limit, before, group, key, name });
      const { group: of = null } = query;
      if (of !== null && (await unknownGroup(scheduler.store.read, [of])) !== null)
        throw new OrcaError('group-unknown', { group: of });
      const runs = await listRuns(scheduler.store.read, {
        states: query.state,
        before: query.before === undefined ? null : runId(query.before),
        limit: query.limit,
        tags: query.tag,
        group: of,
        key: query.key ?? null,
        name: query.name ?? null,
      });
      return context.json({ runs: runs.map((run) => runSummaryJson(scheduler, run)) });
    })
    .get('/:run', async (context) => {
      const id = runId(runSchema.parse(context.req.param('run')));
      const [run] = await readRuns(scheduler, [id]);
      if (run == null) throw new OrcaError('run-unknown', { run: id });
      return context.json(run);
    });
