import type { FileSystemRoom } from '../client/state-host.ts';
import type { StdinRequest } from '../wire/api.ts';
import type { Context } from './context.ts';
import { say } from './say.ts';
import { spoolStdin } from './spool-stdin.ts';
import { inheritedStdin, namedStdin } from './stdin-source.ts';

/** How long a silent pipe is read before the person is told what is waited for. */
const silentMs = 2000;

/** The standard input of `orca run`, spooled first where it can be read only once. Null: interrupted while spooling. */
export async function stdinRequest(
  context: Context,
  state: string,
  token: string,
  named: string | undefined,
  signal: AbortSignal,
): Promise<StdinRequest | null> {
  const source = named === undefined ? inheritedStdin() : namedStdin(named, context);
  if (source.kind !== 'pipe') return source;
  const input = process.stdin;
  const stop = () => input.destroy();
  signal.addEventListener('abort', stop, { once: true });
  const heard = new AbortController();
  const told = context.clock.sleep(silentMs, heard.signal).then(async () => {
    if (heard.signal.aborted || signal.aborted) return;
    await say(context, 'reading standard input to its end before the run is queued; `--stdin none` gives it none.');
  });
  try {
    const hasRoom = () => leavesRoom(context.stateHost.statfs(state));
    const path = await spoolStdin(state, token, input, { signal, hasRoom });
    return path === null ? null : { kind: 'spool', path };
  } finally {
    heard.abort();
    signal.removeEventListener('abort', stop);
    await told;
  }
}

/** Whether a tenth of the file system, or 10 GB of a large one, is still free. */
export function leavesRoom({ bsize, blocks, bavail }: FileSystemRoom): boolean {
  const kept = Math.min((blocks * bsize) / 10, 10 * 1024 ** 3);
  return blocks === 0 || bavail * bsize > kept;
}
