import { hiddenPassword } from './hidden-password.ts';
import { settingNames, table, type SettingName, type SettingValue } from './table.ts';

/** One value as it was settled, and where it came from. */
export interface Settled {
  readonly value: string | number;
  /** `default`, a file with its line, `the environment` or `the client`. */
  readonly from: string;
}

/** A row of `orca config show`; the shape of the API's SettingJson. */
export interface SettingDescription {
  readonly name: SettingName;
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
  /** Every setting with its value (a password in a URL is hidden), in the table's order. */
  describe(): readonly SettingDescription[];
  /** A copy with some values replaced: what a client sent for its run. */
  with(changes: ReadonlyMap<SettingName, Settled>): Settings;
}

export function makeSettings(settled: ReadonlyMap<SettingName, Settled>): Settings {
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
    describe: () =>
      settingNames.map((name) => ({
        name,
        value: hiddenPassword(at(name).value),
        from: at(name).from,
        scope: table[name].scope,
        doc: table[name].doc,
      })),
    with: (changes: ReadonlyMap<SettingName, Settled>) => makeSettings(new Map([...all, ...changes])),
  });
}
