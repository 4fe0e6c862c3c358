import { rmSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { systemErrorWords } from '../client/system-error.ts';
import { OrcaError } from '../errors/orca-error.ts';
import { makeFolders } from '../machine/make-folders.ts';

/** How many bytes are written between two looks at what room is left. */
const checkedEvery = 16 * 1048576;

/**
 * Writes everything of `input` into a new 0600 file under `<state>/runs/`, so that every start can read it from its beginning. Returns
 * null when the signal was aborted. Leaves nothing behind unless it returns the path, and never takes a disk's last room: the
 * pipe may have no end.
 */
export async function spoolStdin(
  state: string,
  token: string,
  input: AsyncIterable<Uint8Array>,
  { signal, hasRoom }: { readonly signal: AbortSignal; readonly hasRoom: () => boolean },
): Promise<string | null> {
  const folder = join(state, 'runs');
  const path = join(folder, `spool-${token}.stdin`);
  let whole = false;
  let unchecked = 0;
  try {
    makeFolders(folder);
    const file = await open(path, 'wx', 0o600);
    try {
      for await (const chunk of input) {
        if (signal.aborted) return null;
        await file.writeFile(chunk);
        unchecked += chunk.length;
        if (unchecked < checkedEvery) continue;
        unchecked = 0;
        if (!hasRoom()) throw new Error('it would take the last tenth of the file system');
      }
    } finally {
      await file.close();
    }
    whole = !signal.aborted;
    return whole ? path : null;
  } catch (cause) {
    if (signal.aborted) return null;
    throw new OrcaError('spool-failed', { path, why: systemErrorWords(cause) }, cause);
  } finally {
    if (!whole) rmSync(path, { force: true });
  }
}
