import { hiddenPassword } from './hidden-password.ts';
import { resourceDoc, resourcesKey, type ResourceCount } from './resources.ts';
import { settingNames, table, type SettingName, type SettingValue } from './table.ts';

/** One value as it was settled, and where it came from. */
export interface Settled {
  readonly value: string | number;
  /** `default`, a file with its line, `the environment` or `the client`. */
  readonly from: string;
}

/** A row of `orca config show`; the shape of the API's SettingJson. */
export interface SettingDescription {
  /** A setting's, or that of a counted resource with its table before it. */
  readonly name: SettingName | `${typeof resourcesKey}.${string}`;
  readonly value: string | number;
  readonly from: string;
  readonly scope: 'daemon' | 'run';
  readonly doc: string;
}

/** All settings, settled and frozen. */
export interface Settings {
  get<Name extends SettingName>(name: Name): SettingValue<Name>;
  /** Where the value came from. */
  from(name: SettingName): string;
  /** How many there are of what runs share (`[resources]`). */
  readonly resources: ReadonlyMap<string, number>;
  /** Every setting with its value (a password in a URL is hidden), in the table's order; then the resources. */
  describe(): readonly SettingDescription[];
  /** A copy with some values replaced: what a client sent for its run. */
  with(changes: ReadonlyMap<SettingName, Settled>): Settings;
}

export function makeSettings(
  settled: ReadonlyMap<SettingName, Settled>,
  resources: ReadonlyMap<string, ResourceCount> = new Map(),
): Settings {
  const all = new Map(settled);
  const at = (name: SettingName): Settled => {
    const found = all.get(name);
    if (found === undefined) throw new Error(`no value was settled for ${name}`);
    return found;
  };
  return Object.freeze({
    // What the table says of a name is what its values were checked against, so the cast states a fact.
    get: <Name extends SettingName>(name: Name) => at(name).value as SettingValue<Name>,
    from: (name: SettingName) => at(name).from,
    resources: new Map([...resources].map(([name, { value }]) => [name, value])),
    describe: () => [
      ...settingNames.map((name) => ({
        name,
        value: hiddenPassword(at(name).value),
        from: at(name).from,
        scope: table[name].scope,
        doc: table[name].doc,
      })),
      ...[...resources].map(([name, count]) => ({
        name: `${resourcesKey}.${name}` as const,
        ...count,
        scope: 'daemon' as const,
        doc: resourceDoc,
      })),
    ],
    with: (changes: ReadonlyMap<SettingName, Settled>) => makeSettings(new Map([...all, ...changes]), resources),
  });
}
