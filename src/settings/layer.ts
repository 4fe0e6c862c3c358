import { OrcaError } from '../errors/orca-error.ts';
import { didYouMean } from './did-you-mean.ts';
import { hiddenPassword } from './hidden-password.ts';
import { allowed, readTomlValue, readWord, type ValueRead } from './read-value.ts';
import { readResources, resourcesKey, type ResourceCount } from './resources.ts';
import type { Settled } from './settings.ts';
import { isStartVariable } from './start-variables.ts';
import { isSettingName, settingNames, table, tomlKey, type Setting, type SettingName } from './table.ts';

/** What one source says: its values, and what a person should hear. */
export interface Layer {
  readonly values: ReadonlyMap<SettingName, Settled>;
  /** Only a file counts resources. */
  readonly resources?: ReadonlyMap<string, ResourceCount>;
  readonly warnings: readonly string[];
}

/** Hears of each value, key or file that cannot be used; the others go on being read unless it throws. */
export type Refuse = (error: OrcaError) => void;

export const throwRefused: Refuse = (error) => {
  throw error;
};

export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The environment's settings. An empty variable counts as not set. Unknown `ORCA_*` names belong to others, or to
 * another version, and are left alone; one that is nearly a setting's name gets a warning.
 */
export function environmentLayer(env: Environment, refuse: Refuse = throwRefused): Layer {
  const values = new Map<SettingName, Settled>();
  const warnings: string[] = [];
  for (const [name, word] of Object.entries(env)) {
    if (word === undefined || word === '' || !name.startsWith('ORCA_') || isStartVariable(name)) continue;
    if (isSettingName(name)) {
      settle(values, warnings, name, readWord(name, word), word, 'the environment', refuse);
    } else {
      const near = didYouMean(name, settingNames);
      if (near !== null) warnings.push(`${name} is no setting of orca and is ignored: did you mean ${near}?`);
    }
  }
  return { values, warnings };
}

/** What a client sent with its submission, by environment name; only settings of scope `run` are taken. */
export function clientLayer(sent: Readonly<Record<string, string>>): Layer {
  const values = new Map<SettingName, Settled>();
  const warnings: string[] = [];
  for (const [name, word] of Object.entries(sent)) {
    if (!isSettingName(name) || table[name].scope !== 'run') {
      throw new OrcaError('setting-not-for-runs', { name });
    }
    settle(values, warnings, name, readWord(name, word), word, 'the client', throwRefused);
  }
  return { values, warnings };
}

/** A parsed `config.toml`; `lineOf` gives where a key stands (one in a table: from that table on), null when it is not found. */
export function tomlLayer(
  document: Readonly<Record<string, unknown>>,
  file: string,
  lineOf: (key: string, table?: string) => number | null,
  refuse: Refuse,
): Layer {
  const names = new Map<string, SettingName>();
  for (const name of settingNames) {
    const key = tomlKey(name);
    if (key !== null) names.set(key, name);
  }
  const values = new Map<SettingName, Settled>();
  const warnings: string[] = [];
  let resources: ReadonlyMap<string, ResourceCount> = new Map();
  const placeOf = (line: number | null): string => (line === null ? file : `${file}, line ${line}`);
  for (const [key, value] of Object.entries(document)) {
    const place = placeOf(lineOf(key));
    if (key === resourcesKey) {
      const at = (name: string | null): string => (name === null ? place : placeOf(lineOf(name, key) ?? lineOf(key)));
      resources = readResources(value, at, refuse);
      continue;
    }
    const name = names.get(key);
    if (name === undefined) {
      refuse(new OrcaError('config-key-unknown', { key, place, advice: advice(key, [...names.keys(), resourcesKey]) }));
      continue;
    }
    settle(values, warnings, name, readTomlValue(name, value), JSON.stringify(value) ?? String(value), place, refuse);
  }
  return { values, resources, warnings };
}

function advice(key: string, known: Iterable<string>): string {
  const near = didYouMean(key.toLowerCase().replace(/^orca_/, ''), known);
  return near === null ? 'Remove it' : `Did you mean ${near}? Else remove it`;
}

function settle(
  values: Map<SettingName, Settled>,
  warnings: string[],
  name: SettingName,
  read: ValueRead,
  written: string,
  from: string,
  refuse: Refuse,
): void {
  const setting: Setting = table[name];
  if (read.why === null) {
    values.set(name, { value: read.value, from });
  } else if ('lenient' in setting) {
    values.set(name, { value: setting.default, from: `default (${from} gives ${written}: ${read.why})` });
    warnings.push(`${from} sets ${name} to ${written}, but ${read.why}: ${setting.default} is used.`);
  } else {
    const value = hiddenPassword(written);
    refuse(new OrcaError('setting-invalid', { place: from, name, value, why: read.why, allowed: allowed(name) }));
  }
}
