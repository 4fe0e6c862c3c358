import { setTimeout } from 'node:timers/promises';
import { Hono } from 'hono';
import { OrcaError } from '../../errors/orca-error.ts';
import { readLog, type LogRequest } from '../../logs/read-log.ts';
import { findStart, type FoundStart } from '../../scheduler/find-start.ts';
import { logObject } from '../../scheduler/moved-logs.ts';
import { keepFound, whyWaiting } from '../../scheduler/keep-logs.ts';
import { openMask } from '../../scheduler/open-mask.ts';
import { stageFile } from '../../scheduler/staged-logs.ts';
import type { Scheduler } from '../../scheduler/scheduler.ts';
import { seenNow } from '../../scheduler/time-logs.ts';
import { runId } from '../../units/brands.ts';
import type { Served } from '../app.ts';
import { logsSchema, runSchema } from '../schemas.ts';

const lookEvery = 100;

export const logRoutes = ({ scheduler }: Served): Hono =>
  new Hono().get('/:run/logs', async (context) => {
    const run = runId(runSchema.parse(context.req.param('run')));
    const query = logsSchema.parse(context.req.query());
    const follow = query.follow === '1';
    const pause = (): Promise<void> => setTimeout(lookEvery);

    let found = await findStart(scheduler, run, query.start ?? null);
    while (found.start === null && follow && !found.final) {
      await pause();
      if (context.req.raw.signal.aborted) return context.body(null);
      found = await findStart(scheduler, run, query.start ?? null);
    }
    const start = found.start;
    if (start === null) {
      if (query.start !== undefined) throw new OrcaError('start-unknown', { run, start: query.start });
      return context.body(null, 200, { 'orca-start': '0', 'orca-offset': '0' });
    }
    const isOver = async (): Promise<boolean> => (await findStart(scheduler, run, start.number)).start?.over ?? true;
    const output = { start: start.number, stream: query.stream, log: start[query.stream] };
    const log = await readLog({
      file: output.log,
      stage: {
        file: stageFile(scheduler, run, start.number, query.stream),
        open: () => openMask(scheduler, start.run, output),
        whole: start.over,
      },
      object: () => logObject(scheduler, run, start.number, query.stream),
      from: fromOf(scheduler, start, query),
      until: follow && !start.over ? isOver : null,
      pause,
    });
    if (start.over) keepFound(scheduler, start.run, { start: start.number, logs: start });
    const waiting = whyWaiting(scheduler, run, start.number);
    return context.body(log.bytes, 200, {
      'content-type': 'application/octet-stream',
      'orca-start': String(start.number),
      'orca-offset': String(log.offset),
      ...(log.after === null ? {} : { 'orca-after': String(log.after) }),
      ...(waiting === null ? {} : { 'orca-waiting': encodeURIComponent(waiting) }),
      ...(log.more ? { 'orca-more': '1' } : {}),
    });
  });

/** An offset goes before all else: who has one has read up to there. */
const fromOf = (
  scheduler: Scheduler,
  { run, number, began, ended }: FoundStart,
  { offset, tail, since_ms, stream }: ReturnType<typeof logsSchema.parse>,
): LogRequest['from'] => {
  if (offset !== undefined) return { offset };
  if (tail !== undefined) return { tail };
  if (since_ms === undefined) return { offset: 0 };
  return { since: { ms: since_ms, began, ended, seen: seenNow(scheduler, run.id, number, stream) } };
};
