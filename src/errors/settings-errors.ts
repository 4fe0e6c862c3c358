import { entries } from './entry.ts';

/** Settings, and what they name. */
export const settingsErrors = entries({
  'setting-invalid': {
    message: '{place} sets {name} to {value}, but {why}.',
    hint: 'It may be {allowed}. `orca config show` lists every setting.',
    exit: 120,
    http: 400,
  },
  'setting-not-for-runs': {
    message: '{name} was sent with a run, but it is no setting of a single run.',
    hint: "Set it where the daemon is started; docs/settings.md says which settings are a run's own (scope run).",
    exit: 120,
    http: 400,
  },
  'config-unreadable': {
    message: 'The configuration file {file} cannot be read: {why}.',
    hint: 'Make it readable, or move it away.',
    exit: 120,
    http: 500,
  },
  'config-syntax': {
    message: 'The configuration file {file} is not TOML at line {line}: {why}.',
    hint: 'Correct that line; each setting is written as `name = value`.',
    exit: 120,
    http: 500,
  },
  'config-key-unknown': {
    message: '{place} sets {key}, but there is no such setting.',
    hint: '{advice}. docs/settings.md lists the settings.',
    exit: 120,
    http: 500,
  },
  'reserve-too-large': {
    message: 'ORCA_RESERVE_MB keeps {reserve} MB back, and the capacity is {capacity} MB: no run could ever start.',
    hint: 'Make the reserve smaller, or raise ORCA_CAPACITY_MB. `orca config show` tells where each value came from.',
    exit: 120,
    http: 500,
  },
  'keeper-missing': {
    message: 'ORCA_KEEPER is native, but there is no native keeper that works here: {why}.',
    hint: '{advice}; or leave ORCA_KEEPER unset to use the shell script instead.',
    exit: 120,
    http: 500,
  },
});
