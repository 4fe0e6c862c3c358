import { Hono } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { $ZodError } from 'zod/v4/core';
import { OrcaError } from '../errors/orca-error.ts';
import type { Scheduler } from '../scheduler/scheduler.ts';
import { apiNumber, type ErrorJson } from '../wire/api.ts';
import type { Handover } from './handover.ts';
import { chooseRoutes } from './routes/choose.ts';
import { configRoutes } from './routes/config.ts';
import { daemonRoutes } from './routes/daemon.ts';
import { eventRoutes } from './routes/events.ts';
import { forgetRoutes } from './routes/forget.ts';
import { groupRoutes } from './routes/groups.ts';
import { killRoutes } from './routes/kill.ts';
import { logRoutes } from './routes/logs.ts';
import { machineRoutes } from './routes/machine.ts';
import { metricsRoutes } from './routes/metrics.ts';
import { pauseRoutes } from './routes/pause.ts';
import { retryRoutes } from './routes/retry.ts';
import { roomRoutes } from './routes/room.ts';
import { runRoutes } from './routes/runs.ts';
import { submitRoutes } from './routes/submit.ts';
import { waitRoutes } from './routes/wait.ts';

/** What the routes work with. */
export interface Served {
  readonly scheduler: Scheduler;
  readonly handover: Handover;
  /** Ends the daemon for good once the answer is out, saying goodbye to the resident. */
  readonly leave: () => void;
  /** Ends it once the answer is out; the resident starts it again at once. */
  readonly restart: () => void;
}

/** The daemon's HTTP interface (`src/wire/api.ts`). */
export const createApp = (served: Served): Hono => {
  const app = new Hono();
  app.use(async (context, next) => {
    checkApi(context.req.header('orca-api'));
    // What it accepted now it would leave to a successor that may not come.
    if (served.scheduler.closing) throw new OrcaError('daemon-closing');
    await next();
    served.handover.consider(context.req.header('orca-program'));
  });
  app.route('/api/daemon', daemonRoutes(served));
  app.route('/api/machine', machineRoutes(served));
  app.route('/api/runs', submitRoutes(served));
  app.route('/api/runs', runRoutes(served));
  app.route('/api', retryRoutes(served));
  app.route('/api/runs', forgetRoutes(served));
  app.route('/api/runs', logRoutes(served));
  app.route('/api/runs', metricsRoutes(served));
  app.route('/api/groups', groupRoutes(served));
  app.route('/api/choose', chooseRoutes(served));
  app.route('/api/kill', killRoutes(served));
  app.route('/api', pauseRoutes(served));
  app.route('/api/wait', waitRoutes(served));
  app.route('/api/events', eventRoutes(served));
  app.route('/api', roomRoutes(served));
  app.route('/api/config', configRoutes(served));
  app.notFound((context) => context.json(errorJson(new OrcaError('route-unknown', { path: context.req.path })), 404));
  app.onError((error, context) => {
    const known = knownError(served.scheduler.store.explain(error));
    if (known.code === 'internal')
      served.scheduler.log.error({ err: error, path: context.req.path }, 'a request failed');
    // The catalogue holds statuses with a body only.
    return context.json(errorJson(known), known.httpStatus as ContentfulStatusCode);
  });
  return app;
};

const checkApi = (number: string | undefined): void => {
  if (number === undefined || number === String(apiNumber)) return;
  throw new OrcaError('api-mismatch', { client: number, daemon: apiNumber });
};

const knownError = (error: unknown): OrcaError => {
  if (error instanceof OrcaError) return error;
  if (error instanceof $ZodError) return new OrcaError('request-invalid', { why: zodWords(error) }, error);
  if (error instanceof SyntaxError) return new OrcaError('request-invalid', { why: 'the body is not JSON' }, error);
  return new OrcaError('internal', { what: error instanceof Error ? error.message : String(error) }, error);
};

const zodWords = (error: $ZodError): string =>
  error.issues.map((issue) => `${placeOf(issue.path)}: ${issue.message}`).join('; ');

/** A key of the request is any text. */
const placeOf = (path: readonly PropertyKey[]): string => path.map(String).join('.').slice(0, 200) || 'the request';

export const errorJson = (error: OrcaError): ErrorJson => ({
  error: { code: error.code, message: error.message, hint: error.hint, exit: error.exitStatus },
});
