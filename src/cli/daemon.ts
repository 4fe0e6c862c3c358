import { realpathSync } from 'node:fs';
import { builtAt } from '../client/program.ts';
import { prepareStateFolder } from '../client/state-folder.ts';
import { thisStateHost } from '../client/state-host.ts';
import { loadSettings, processSource } from '../settings/load-settings.ts';
import { buildStamp, version } from './version.ts';

/** `orca daemon`: what a client or the resident starts in the background; a person needs `orca up` instead. */
export async function daemon(entryFile: string): Promise<never> {
  const source = processSource();
  const asked = (await loadSettings(source)).settings.get('ORCA_HOME');
  const state = prepareStateFolder(asked, thisStateHost((sentence) => process.stderr.write(`${sentence}\n`)));
  const loaded = await loadSettings({ ...source, state });
  const entry = realpathSync(entryFile);
  const program = { version: version(), builtAt: builtAt(buildStamp(), entry), entry, node: process.execPath };
  const { serveDaemon } = await import('../api/serve.ts');
  return serveDaemon({ state, loaded, program, env: source.env });
}
