import { FakeDaemon, ndjson, temporaryState, type Handler } from '../client/fake-daemon.ts';
import { buildRun, buildStart } from './build-run.ts';
import { fakeContext, type FakeContext, type MemoryOutput } from './fake-context.ts';

type Test = Parameters<typeof FakeDaemon.start>[0] & Parameters<typeof temporaryState>[0];

export async function setUp(
  t: Test,
  handler: Handler,
  options: { out?: MemoryOutput; err?: MemoryOutput; env?: Record<string, string> } = {},
): Promise<{ daemon: FakeDaemon; context: FakeContext }> {
  const state = temporaryState(t);
  return { daemon: await FakeDaemon.start(t, state, handler), context: fakeContext({ state, ...options }) };
}

export const failed = (id: number, code: number) =>
  buildRun({
    id,
    state: 'failed',
    text: `exit code ${code}`,
    exit_code: code,
    exit_status: code,
    starts: [buildStart({ verdict: 'failed', text: `exit code ${code}`, exit_code: code })],
  });

export const waiting =
  (...runs: ReturnType<typeof buildRun>[]): Handler =>
  ({ path, query }) => {
    if (path === '/api/wait') return { pieces: ndjson(...runs.map((run) => ({ type: 'run', run })), { type: 'end' }) };
    if (path.endsWith('/logs')) return { pieces: query.get('stream') === 'stderr' ? ['one\n', 'two\x1b[2J\n'] : [] };
    return undefined;
  };
