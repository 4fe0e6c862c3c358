import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { OrcaError } from '../errors/orca-error.ts';
import { configFileLayer } from './config-file.ts';
import { environmentLayer, throwRefused, type Environment, type Layer, type Refuse } from './layer.ts';
import { makeSettings, type Settings, type Settled } from './settings.ts';
import { settingNames, table, type Setting, type SettingName } from './table.ts';

/** Where settings are read from; the only door to the process's environment. */
export interface SettingsSource {
  readonly env: Environment;
  readonly homeFolder: string;
  /** Configuration files, the stronger one last. */
  readonly files: readonly string[];
  /** The state folder where it is not what the settings say (it was moved off a network file system). */
  readonly state?: string;
  /** The text of a file; null when it is not there. */
  readonly readText: (file: string) => string | null;
}

export interface LoadedSettings {
  readonly settings: Settings;
  /** For a person, once. */
  readonly warnings: readonly string[];
  /** What cannot be used, where it was read leniently: those settings are then as if nobody had given them. */
  readonly refused: readonly OrcaError[];
  readonly source: SettingsSource;
}

export function processSource(env: Environment = process.env): SettingsSource {
  const homeFolder = absolute(env.HOME) ?? homeOfUser();
  return { env, homeFolder, files: configFiles(env, homeFolder), readText: readTextIfThere };
}

/** cron and containers may lack HOME; a container's user may even be in no user database, whose home is then `/`. */
function homeOfUser(): string {
  try {
    return userInfo().homedir;
  } catch {
    return '/';
  }
}

/** The machine's file, then the user's. A relative XDG folder counts as not set, as the XDG specification has it. */
export function configFiles(env: Environment, homeFolder: string): readonly string[] {
  return ['/etc/orca/config.toml', `${absolute(env.XDG_CONFIG_HOME) ?? `${homeFolder}/.config`}/orca/config.toml`];
}

/**
 * Defaults, then the files, then the environment, checked once. Throws the OrcaErrors `setting-invalid`,
 * `config-syntax`, `config-key-unknown` and `config-unreadable`, or with `leniently` keeps them in `refused`.
 */
export async function loadSettings(
  source: SettingsSource = processSource(),
  { leniently = false } = {},
): Promise<LoadedSettings> {
  const refused: OrcaError[] = [];
  const refuse: Refuse = leniently ? (error) => refused.push(error) : throwRefused;
  const layers: Layer[] = [];
  for (const file of source.files) {
    try {
      const text = source.readText(file);
      if (text !== null) layers.push(await configFileLayer(file, text, refuse));
    } catch (cause) {
      if (!(cause instanceof OrcaError)) throw cause;
      refuse(cause);
    }
  }
  layers.push(environmentLayer(source.env, refuse));
  const warnings = layers.flatMap((layer) => layer.warnings);
  return { settings: mergeLayers(layers, source), warnings, refused, source };
}

/** Settings from an environment alone, without files: what tests and tools need. */
export function settingsOf(env: Environment, homeFolder = '/nonexistent'): Settings {
  return mergeLayers([environmentLayer(env)], { env, homeFolder });
}

function mergeLayers(layers: readonly Layer[], source: Pick<SettingsSource, 'env' | 'homeFolder' | 'state'>): Settings {
  const merged = new Map<SettingName, Settled>(layers.flatMap((layer) => [...layer.values]));
  if (source.state !== undefined && source.state !== merged.get('ORCA_HOME')?.value) {
    merged.set('ORCA_HOME', { value: source.state, from: 'where the state folder had to go' });
  }
  const state = String(merged.get('ORCA_HOME')?.value ?? defaultState(source.env, source.homeFolder));
  for (const name of settingNames) {
    if (!merged.has(name)) merged.set(name, { value: defaultOf(name, state, source.env), from: 'default' });
  }
  // The machine's counts, each of which the user's file may say otherwise.
  return makeSettings(merged, new Map(layers.flatMap((layer) => [...(layer.resources ?? [])])));
}

const defaultState = (env: Environment, homeFolder: string): string =>
  `${absolute(env.XDG_STATE_HOME) ?? `${homeFolder}/.local/state`}/orca`;

function defaultOf(name: SettingName, state: string, env: Environment): string | number {
  const setting: Setting = table[name];
  if (setting.type !== 'path') return setting.default;
  if (name === 'ORCA_LOG_STAGE') return join(absolute(env.TMPDIR) ?? '/tmp', 'orca-logs');
  return name === 'ORCA_LOGS' ? `${state}/logs` : state;
}

const absolute = (folder: string | undefined): string | null => (folder?.startsWith('/') === true ? folder : null);

function readTextIfThere(file: string): string | null {
  let fd: number | null = null;
  try {
    // A named pipe would be waited for, and a device may never end.
    fd = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
    if (!fstatSync(fd).isFile()) throw new OrcaError('config-unreadable', { file, why: 'it is no ordinary file' });
    return readFileSync(fd, 'utf8');
  } catch (error) {
    if (error instanceof OrcaError) throw error;
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'ENOENT' || code === 'ENOTDIR') return null;
    throw new OrcaError('config-unreadable', { file, why: code ?? String(error) }, error);
  } finally {
    if (fd !== null) closeSync(fd);
  }
}
