import { execFileSync } from 'node:child_process';
import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { OrcaError } from '../../../src/errors/orca-error.ts';
import {
  configFiles,
  loadSettings,
  processSource,
  settingsOf,
  type SettingsSource,
} from '../../../src/settings/load-settings.ts';
import { reloadSettings } from '../../../src/settings/reload-settings.ts';
import { differences, settingsForRun, settingsToSend } from '../../../src/settings/run-settings.ts';
import { settingNames, table } from '../../../src/settings/table.ts';
import type { SettingJson } from '../../../src/wire/api.ts';

const source = (texts: Record<string, string>, env: Record<string, string> = {}): SettingsSource => ({
  env,
  homeFolder: '/home/ada',
  files: ['/etc/orca/config.toml', '/home/ada/.config/orca/config.toml'],
  readText: (file) => texts[file] ?? null,
});
const machine = '/etc/orca/config.toml';
const user = '/home/ada/.config/orca/config.toml';

const refused = async (from: SettingsSource): Promise<OrcaError> => {
  try {
    await loadSettings(from);
  } catch (error) {
    if (error instanceof OrcaError) return error;
    throw error;
  }
  throw new Error('nothing was refused');
};

describe('where settings come from', () => {
  test('without files and variables every setting has its default', async () => {
    const { settings, warnings } = await loadSettings(source({}));
    assert.deepEqual(warnings, []);
    assert.equal(settings.get('ORCA_RUN_MEMORY_GROWTH'), 1.5);
    assert.equal(settings.get('ORCA_RUN_MEMORY_MARGIN'), 25);
    assert.equal(settings.get('ORCA_KEEPER'), 'auto');
    assert.equal(settings.from('ORCA_KEEPER'), 'default');
    assert.equal(settings.get('ORCA_HOME'), '/home/ada/.local/state/orca');
  });

  test("the user's file wins over the machine's, the environment over both, and each value says so", async () => {
    const texts = {
      [machine]: 'reserve_mb = 1\nidle_seconds = 2\nrun_nice = 3',
      [user]: '\nidle_seconds = 20\nrun_nice = 4',
    };
    const { settings } = await loadSettings(source(texts, { ORCA_RUN_NICE: '5' }));
    assert.equal(settings.get('ORCA_RESERVE_MB'), 1);
    assert.equal(settings.from('ORCA_RESERVE_MB'), `${machine}, line 1`);
    assert.equal(settings.get('ORCA_IDLE_SECONDS'), 20);
    assert.equal(settings.from('ORCA_IDLE_SECONDS'), `${user}, line 2`);
    assert.equal(settings.get('ORCA_RUN_NICE'), 5);
    assert.equal(settings.from('ORCA_RUN_NICE'), 'the environment');
  });

  test('an empty variable counts as not set', () => {
    assert.equal(settingsOf({ ORCA_RUN_NICE: '' }).from('ORCA_RUN_NICE'), 'default');
  });

  test('the state folder is ORCA_HOME, else below XDG_STATE_HOME, and the logs lie in it', () => {
    assert.equal(settingsOf({ ORCA_HOME: '/a' }).get('ORCA_LOGS'), '/a/logs');
    assert.equal(settingsOf({ XDG_STATE_HOME: '/x' }).get('ORCA_HOME'), '/x/orca');
    assert.equal(settingsOf({ XDG_STATE_HOME: 'relative' }, '/h').get('ORCA_HOME'), '/h/.local/state/orca');
    assert.equal(settingsOf({ ORCA_HOME: '/a', ORCA_LOGS: '/b' }).get('ORCA_LOGS'), '/b');
  });

  test('a state folder that had to move takes the logs along and says so', async () => {
    const { settings } = await loadSettings({ ...source({}), state: '/var/tmp/orca-7' });
    assert.equal(settings.get('ORCA_HOME'), '/var/tmp/orca-7');
    assert.equal(settings.get('ORCA_LOGS'), '/var/tmp/orca-7/logs');
    assert.notEqual(settings.from('ORCA_HOME'), 'default');
  });

  test('the user file lies in XDG_CONFIG_HOME, which is ignored when relative', () => {
    assert.deepEqual(configFiles({ XDG_CONFIG_HOME: '/c' }, '/h'), [machine, '/c/orca/config.toml']);
    assert.deepEqual(configFiles({ XDG_CONFIG_HOME: 'c' }, '/h'), [machine, '/h/.config/orca/config.toml']);
  });
});

describe('values that cannot be used', () => {
  for (const [word, why] of [
    ['abc', 'it is not a number'],
    ['0.99', 'it is below 1'],
    ['Infinity', 'it is not a number'],
    ['1e999', 'it is not a finite number'],
  ]) {
    test(`a growth of ${word} becomes 1.5 with one warning that says why`, async () => {
      const { settings, warnings } = await loadSettings(source({}, { ORCA_RUN_MEMORY_GROWTH: word ?? '' }));
      assert.equal(settings.get('ORCA_RUN_MEMORY_GROWTH'), 1.5);
      assert.equal(warnings.length, 1);
      assert.ok(warnings[0]?.includes(`${word}, but ${why}`), warnings[0]);
      assert.match(settings.from('ORCA_RUN_MEMORY_GROWTH'), /^default \(the environment/);
    });
  }

  test('a growth of exactly 1 is allowed', async () => {
    const { settings, warnings } = await loadSettings(source({}, { ORCA_RUN_MEMORY_GROWTH: '1' }));
    assert.equal(settings.get('ORCA_RUN_MEMORY_GROWTH'), 1);
    assert.deepEqual(warnings, []);
  });

  const bad: readonly (readonly [string, string, RegExp])[] = [
    ['ORCA_RESERVE_MB', '-1', /-1, but it is below 0/],
    ['ORCA_RESERVE_MB', '1.5', /not a whole number/],
    ['ORCA_RESERVE_MB', '2GB', /not a number/],
    ['ORCA_RESERVE_MB', '0x10', /not a number/],
    ['ORCA_OOM_SCORE_ADJ', '1001', /above 1000/],
    ['ORCA_KEEPER', 'bash', /none of the words/],
    ['ORCA_HOME', 'relative', /not absolute/],
    ['ORCA_LOGS', 's3://', /s3:\/\/, but it names no bucket/],
    ['ORCA_LOGS', 's3://bucket/a/../b', /its prefix holds \.\., which is no folder there/],
    ['ORCA_LOG_STAGE', 's3://bucket/x', /it is an address and no folder of this machine/],
    ['ORCA_STORE_URL', 'mysql://h', /begins otherwise/],
  ];
  for (const [name, word, why] of bad) {
    test(`${name}=${word} is an error that names variable, value, reason and what is allowed`, async () => {
      const error = await refused(source({}, { [name]: word }));
      assert.equal(error.code, 'setting-invalid');
      assert.match(error.message, why);
      assert.ok(error.message.startsWith(`the environment sets ${name} to ${word}`), error.message);
      assert.match(error.hint, /^It may be (a|an|one|empty)/);
      assert.equal(error.exitStatus, 120);
    });
  }

  test('a password in a URL is neither in an error nor in what is shown', async () => {
    const url = 'mysql://ada:secret@db/orca';
    assert.doesNotMatch((await refused(source({}, { ORCA_STORE_URL: url }))).message, /secret/);
    const good = settingsOf({ ORCA_STORE_URL: 'postgres://ada:se@cret@db/orca' });
    assert.equal(good.get('ORCA_STORE_URL'), 'postgres://ada:se@cret@db/orca');
    const shown = good.describe().find((row) => row.name === 'ORCA_STORE_URL');
    assert.equal(shown?.value, 'postgres://ada:***@db/orca');
  });

  test('a wrong value in a file is named with file and line', async () => {
    const error = await refused(source({ [user]: '# mine\n\nrun_nice = "5"\n' }));
    assert.equal(error.message, `${user}, line 3 sets ORCA_RUN_NICE to "5", but it is not a number without quotes.`);
  });

  test('an unknown key is an error with the key that was probably meant', async () => {
    const error = await refused(source({ [machine]: 'kepeer = "sh"' }));
    assert.equal(error.code, 'config-key-unknown');
    assert.match(error.message, /config\.toml, line 1 sets kepeer/);
    assert.match(error.hint, /Did you mean keeper\?/);
  });

  test('a variable name used as a key, a table, and the state folder in a file are unknown keys', async () => {
    assert.match((await refused(source({ [user]: 'ORCA_KEEPER = "sh"' }))).hint, /mean keeper/);
    assert.match((await refused(source({ [user]: '\n[memory]\nx = 1' }))).message, /line 2 sets memory/);
    assert.equal((await refused(source({ [user]: 'home = "/x"' }))).code, 'config-key-unknown');
  });

  test('read leniently, all that cannot be used is kept to be told, and the rest is used', async () => {
    const texts = { [machine]: 'run_nice = ', [user]: 'kepeer = "sh"\nowner_seconds = 20\nreserve_mb = "lots"' };
    const env = { ORCA_RUN_MEMORY_MARGIN: '-5', ORCA_RUN_NICE: '3' };
    const { settings, refused: told } = await loadSettings(source(texts, env), { leniently: true });
    assert.deepEqual(
      told.map(({ code }) => code),
      ['config-syntax', 'config-key-unknown', 'setting-invalid', 'setting-invalid'],
    );
    assert.deepEqual([settings.get('ORCA_OWNER_SECONDS'), settings.get('ORCA_RUN_NICE')], [20, 3]);
    assert.equal(settings.from('ORCA_RUN_MEMORY_MARGIN'), 'default');
  });

  test('a file that is no TOML is named with the line', async () => {
    const error = await refused(source({ [user]: 'run_nice = 1\nkeeper = \n' }));
    assert.equal(error.code, 'config-syntax');
    assert.match(error.message, /line 2: [^\n]+\.$/);
  });

  test('unknown ORCA_ variables are left alone, near-misses are warned of, a run’s own variables never', async () => {
    const env = {
      ORCA_KEPER: 'sh',
      ORCA_TEST_REQUIRE: 'vm',
      ORCA_MEMORY_MB: '5',
      ORCA_START: 'x',
      ORCA_CPUS: '1',
      ORCA_CGROUP: '/c',
    };
    const { settings, warnings } = await loadSettings(source({}, env));
    assert.deepEqual(warnings, ['ORCA_KEPER is no setting of orca and is ignored: did you mean ORCA_KEEPER?']);
    assert.equal(settings.get('ORCA_KEEPER'), 'auto');
  });
});

describe('files on a disk', () => {
  const folder = mkdtempSync(join(tmpdir(), 'orca-settings-'));
  after(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'orca', 'config.toml');
  const onDisk = (): SettingsSource => ({ ...processSource({ XDG_CONFIG_HOME: folder, HOME: folder }), files: [file] });

  test('a reload takes a whole and valid file and keeps the former settings for any other', async () => {
    mkdirSync(join(folder, 'orca'));
    writeFileSync(file, 'run_nice = 1');
    const first = await loadSettings(onDisk());
    assert.equal(first.settings.get('ORCA_RUN_NICE'), 1);
    writeFileSync(file, 'run_nice = ');
    const half = await reloadSettings(first);
    assert.equal(half.error?.code, 'config-syntax');
    assert.equal(half.loaded, first);
    writeFileSync(file, 'run_nice = 2');
    const whole = await reloadSettings(half.loaded);
    assert.equal(whole.error, null);
    assert.equal(whole.loaded.settings.get('ORCA_RUN_NICE'), 2);
    rmSync(file);
    assert.equal((await reloadSettings(whole.loaded)).loaded.settings.from('ORCA_RUN_NICE'), 'default');
  });

  test('what is read when the daemon starts keeps its value in a reload, which names it', async () => {
    mkdirSync(join(folder, 'orca'), { recursive: true });
    writeFileSync(file, 'run_nice = 1');
    const first = await loadSettings(onDisk());
    writeFileSync(file, 'run_nice = 2\nowner_seconds = 77');
    const { loaded, later } = await reloadSettings(first);
    assert.equal(loaded.settings.get('ORCA_RUN_NICE'), 2);
    assert.equal(loaded.settings.get('ORCA_OWNER_SECONDS'), 10);
    assert.equal(loaded.settings.from('ORCA_OWNER_SECONDS'), 'default');
    assert.deepEqual(later, ['ORCA_OWNER_SECONDS']);
    rmSync(file);
  });

  test('a file that cannot be read is an error, not the defaults', async () => {
    mkdirSync(file);
    const error = await refused(onDisk());
    assert.equal(error.code, 'config-unreadable');
    assert.match(error.message, /it is no ordinary file/);
    chmodSync(file, 0o700);
    rmSync(file, { recursive: true });
  });

  test('a named pipe in its place is refused and not waited for', async () => {
    execFileSync('mkfifo', [file]);
    const error = await refused(onDisk());
    assert.equal(error.code, 'config-unreadable');
    rmSync(file);
  });
});

describe('the settings of one run', () => {
  test('a client sends its run settings that are not the default, and no others', () => {
    const client = settingsOf({ ORCA_KILL_GRACE_SECONDS: '3', ORCA_RUN_NICE: '5' });
    assert.deepEqual(settingsToSend(client), { ORCA_KILL_GRACE_SECONDS: '3' });
  });

  test('what a client sent holds for its run and leaves the daemon as it was', () => {
    const daemon = settingsOf({});
    const run = settingsForRun(daemon, { ORCA_KILL_GRACE_SECONDS: '3' });
    assert.equal(run.get('ORCA_KILL_GRACE_SECONDS'), 3);
    assert.equal(run.from('ORCA_KILL_GRACE_SECONDS'), 'the client');
    assert.equal(daemon.get('ORCA_KILL_GRACE_SECONDS'), 10);
  });

  test('a client cannot set what is the daemon’s, or what is nothing, or a wrong value', () => {
    const daemon = settingsOf({});
    for (const sent of [{ ORCA_RUN_NICE: '5' }, { ORCA_NOTHING: '5' }, { toString: '5' }]) {
      assert.throws(() => settingsForRun(daemon, sent), { code: 'setting-not-for-runs' });
    }
    assert.throws(() => settingsForRun(daemon, { ORCA_KILL_GRACE_SECONDS: 'x' }), { code: 'setting-invalid' });
  });

  test('a daemon setting that the client was given otherwise is named with the step that changes it, defaults are not', () => {
    const daemon = settingsOf({ ORCA_RUN_NICE: '0', ORCA_RESERVE_MB: '9' }).describe();
    const told = differences(settingsOf({ ORCA_RUN_NICE: '5', ORCA_KILL_GRACE_SECONDS: '1' }), daemon);
    assert.deepEqual(told, [
      'ORCA_RUN_NICE is 5 here (the environment), but the daemon goes by 0. `orca down; orca up` starts one that goes by it.',
    ]);
  });
});

describe('the table', () => {
  test('settings are frozen and described in the shape of the API', () => {
    const settings = settingsOf({});
    assert.ok(Object.isFrozen(settings));
    const rows: readonly SettingJson[] = settings.describe();
    assert.deepEqual(
      rows.map((row) => row.name),
      settingNames,
    );
  });

  test('every default is within its own bounds', () => {
    for (const name of settingNames) {
      const setting = table[name];
      if ('min' in setting) assert.ok(setting.default >= setting.min && setting.default <= setting.max, name);
    }
  });
});

describe('counted resources', () => {
  test('a table counts them, the user’s file may say otherwise for each, and every count says where it is from', async () => {
    const texts = {
      [machine]: 'run_nice = 1\n[resources]\nlicence = 2\ndisk = 8\n',
      [user]: '[resources]\nlicence = 1\n"port.8080" = 0\n',
    };
    const { settings } = await loadSettings(source(texts));
    assert.deepEqual(
      [...settings.resources],
      [
        ['licence', 1],
        ['disk', 8],
        ['port.8080', 0],
      ],
    );
    assert.deepEqual(
      settings
        .describe()
        .slice(-3)
        .map(({ name, value, from, scope }) => [name, value, from, scope]),
      [
        ['resources.licence', 1, `${user}, line 2`, 'daemon'],
        ['resources.disk', 8, `${machine}, line 4`, 'daemon'],
        ['resources.port.8080', 0, `${user}, line 3`, 'daemon'],
      ],
    );
    assert.equal(settings.with(new Map()).resources.get('disk'), 8);
    assert.equal(settingsOf({}).resources.size, 0);
  });

  for (const [text, line, value, why] of [
    ['[resources]\nlicence = "two"', 2, '"two"', 'it is not a number without quotes'],
    ['[resources]\nlicence = 1.5', 2, '1.5', 'it is not a whole number'],
    ['[resources]\nlicence = -1', 2, '-1', 'it is below 0'],
    ['[resources]\nlicence = 1000001', 2, '1000001', 'it is above 1000000'],
    ['[resources]\nlicence = inf', 2, 'Infinity', 'it is not a whole number'],
    ['resources = { licence = true }', 1, 'true', 'it is not a number without quotes'],
    ['[resources]\n"li cence" = 1', 2, '1', 'a name has only letters, digits, `_`, `.` and `-`'],
    ['[resources]\n"li\\u001B[2J" = 1', 1, '1', 'a name has only letters, digits, `_`, `.` and `-`'],
    ['resources = 3', 1, '3', 'it is not a table of names and numbers'],
    ['[[resources]]\nlicence = 1', 1, '[{"licence":1}]', 'it is not a table of names and numbers'],
  ] as const) {
    test(`a count that cannot be used is refused in its place: ${JSON.stringify(text)}`, async () => {
      const error = await refused(source({ [user]: text }));
      assert.equal(error.code, 'setting-invalid');
      assert.equal(error.params['place'], `${user}, line ${line}`);
      assert.equal(error.params['value'], value);
      assert.equal(error.params['why'], why);
    });
  }

  test('a changed file counts anew, a broken one changes nothing', async () => {
    const texts: Record<string, string> = { [user]: '[resources]\nlicence = 2' };
    const loaded = await loadSettings(source(texts));
    texts[user] = '[resources]\nlicence = "x"';
    const broken = await reloadSettings({ ...loaded, source: source(texts) });
    assert.equal(broken.error?.code, 'setting-invalid');
    assert.equal(broken.loaded.settings.resources.get('licence'), 2);
    texts[user] = '[resources]\nlicence = 5';
    const again = await reloadSettings({ ...loaded, source: source(texts) });
    assert.equal(again.loaded.settings.resources.get('licence'), 5);
  });
});
