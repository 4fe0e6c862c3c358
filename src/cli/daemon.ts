import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { daemonCommand } from '../client/program.ts';
import { prepareStateFolder } from '../client/state-folder.ts';
import { thisStateHost } from '../client/state-host.ts';
import { findKeeper } from '../keeper/find-keeper.ts';
import { takeEnvironmentFile } from '../settings/environment-file.ts';
import { loadSettings, processSource } from '../settings/load-settings.ts';
import { asInit, isFirstProcess, withoutInit, type FirstDaemon } from './as-init.ts';
import { errorJson } from './error-json.ts';
import { thisProgram } from './this-program.ts';

/** `orca daemon`: what a client or the resident starts in the background; a person needs `orca up` instead. */
export async function daemon(entryFile: string, args: readonly string[]): Promise<void> {
  const complain = (sentence: string): void => void process.stderr.write(`orca: ${sentence}\n`);
  const [option, environment] = args;
  try {
    if (option === '--environment' && environment !== undefined) takeEnvironmentFile(environment, process.env);
  } catch (cause) {
    // The client gave up waiting for systemd, and took it back.
    complain(`the environment that a client left for this daemon cannot be read: ${String(cause)}`);
    process.exitCode = 1;
    return;
  }
  const source = processSource();
  let state: string | null = null;
  try {
    const asked = (await loadSettings(source)).settings.get('ORCA_HOME');
    // A full disk is no reason not to start: what runs still needs somebody to look after it.
    state = prepareStateFolder(asked, thisStateHost(complain));
    const loaded = await loadSettings({ ...source, state });
    const program = thisProgram(entryFile);
    if (isFirstProcess(process.pid, source.env)) {
      await giveUpPlace({ env: source.env, settings: loaded.settings, state, program });
      complain(withoutInit);
    }
    const { serveDaemon } = await import('../api/serve.ts');
    const commandOf = (entry: string): readonly string[] => daemonCommand({ ...program, entry });
    await serveDaemon({ state, loaded, program, commandOf, env: source.env });
  } catch (cause) {
    const told = errorJson(cause);
    complain(`${told.error.message} ${told.error.hint}`);
    // The client that waits for us shows it; where it cannot be written, the client finds the full disk by itself.
    try {
      // Who started us has found the state folder already and names it.
      const folder = state ?? source.env['ORCA_HOME'];
      if (folder !== undefined) writeFileSync(join(folder, 'daemon.error'), JSON.stringify(told), { mode: 0o600 });
    } catch {
      // It was said in the log.
    }
    process.exitCode = 1;
  }
}

/** Becomes the native keeper, which starts this program again as its child. Comes back where there is none. */
async function giveUpPlace(first: FirstDaemon): Promise<void> {
  const root = dirname(dirname(dirname(first.program.entry)));
  const choice = first.settings.get('ORCA_KEEPER');
  const found = await findKeeper({ root, choice, platform: process.platform, arch: process.arch });
  if (found.kind === 'sh') return;
  const { file, args, env } = asInit(first, found.binary);
  process.execve?.(file, args, env);
}
