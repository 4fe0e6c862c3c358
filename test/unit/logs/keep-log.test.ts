import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { keepLog, keptFile, type StreamMask } from '../../../src/logs/keep-log.ts';
import {
  controlStage,
  dropStaged,
  fingerprintFile,
  prepareStageFolder,
  stagedStart,
  stageFolder,
} from '../../../src/logs/stage-folder.ts';
import { addTimes, readTimes, timeFile } from '../../../src/logs/time-file.ts';
import { readLog } from '../../../src/logs/read-log.ts';
import { maskValues } from '../../../src/secrets/mask-values.ts';
import { settingsOf } from '../../../src/settings/load-settings.ts';
import { Tmpfs, tmpfsMissing } from '../../e2e/support/tmpfs.ts';

const mask = maskValues([{ name: 'A', value: 'correct horse' }]);

const place = (t: TestContext): { folder: string; stage: string; log: string } => {
  const folder = mkdtempSync(join(tmpdir(), 'orca-keep-log-'));
  t.after(() => rmSync(folder, { recursive: true }));
  return { folder, stage: join(folder, 'stage'), log: join(folder, 'log') };
};

test('a staged output is masked, appended to its log, and gone from the stage', async (t) => {
  const { stage, log } = place(t);
  writeFileSync(log, 'before\n');
  writeFileSync(stage, `a correct horse b\n${'line\n'.repeat(50_000)}`);
  await keepLog({ stage, log, open: mask.open });
  assert.equal(readFileSync(log, 'utf8'), `before\na *** b\n${'line\n'.repeat(50_000)}`);
  assert.ok(!existsSync(stage) && !existsSync(`${log}.from`));
  assert.equal(statSync(log).mode & 0o777, 0o644 & ~process.umask());
});

test('whatever a crash left of an append, the log ends up whole and no byte is doubled', async (t) => {
  const { stage, log } = place(t);
  const output = 'xx correct horse yy correct horse\nend, no newline: correct hors';
  const whole = `before\n${mask.text(output)}`;
  for (let cut = 'before\n'.length; cut <= whole.length; cut += 1) {
    writeFileSync(log, whole);
    truncateSync(log, cut);
    writeFileSync(stage, output);
    writeFileSync(`${log}.from`, `${'before\n'.length} stage\n`);
    await keepLog({ stage, log, open: mask.open });
    assert.equal(readFileSync(log, 'utf8'), whole, `cut at ${cut}`);
    assert.ok(!existsSync(stage) && !existsSync(`${log}.from`));
  }
});

test('several that take the same output into its log at once leave no byte out and double none', async (t) => {
  const { stage, log } = place(t);
  const output = `a correct horse b\n${'line\n'.repeat(100_000)}`;
  for (let round = 0; round < 20; round += 1) {
    writeFileSync(log, 'before\n');
    writeFileSync(stage, output);
    await Promise.all(
      [0, 1, 2].map(async (turns) => {
        for (let turn = 0; turn < turns * round; turn += 1) await setImmediate();
        await keepLog({ stage, log, open: mask.open, mark: turns === 1 });
      }),
    );
    assert.equal(readFileSync(log, 'utf8'), `before\n${mask.text(output)}`);
    assert.ok(!existsSync(stage));
    rmSync(keptFile(stage), { force: true });
  }
});

test('what was noted of another output that got half into the same log leaves nothing out of this one', async (t) => {
  const { stage, log } = place(t);
  writeFileSync(log, 'half of ano');
  writeFileSync(`${log}.from`, '0 another\n');
  writeFileSync(stage, 'all of it\n');
  await keepLog({ stage, log, open: mask.open });
  assert.equal(readFileSync(log, 'utf8'), 'half of anoall of it\n');
});

const noTmpfs = await tmpfsMissing(process.env['ORCA_TEST_REQUIRE']);

for (const room of ['block', 'file'] as const) {
  test(
    `from a stage without room for another ${room} an output is taken as from any other, at whatever step a crash came`,
    { skip: noTmpfs },
    async (t) => {
      const { folder, log } = place(t);
      const full = new Tmpfs(join(folder, 'full'), room === 'file' ? '64k,nr_inodes=2' : '64k');
      const stage = join(full.folder, '1.1.stdout');
      const output = `xx correct horse yy\n${'line\n'.repeat(8000)}`;
      const whole = `before\n${mask.text(output)}`;
      const note = '7 1.1.stdout\n';
      const cuts = [7, 8, 12, 9000, whole.length - 1, whole.length];
      const crashes = [{ log: 'before\n', note: null }, ...cuts.map((cut) => ({ log: whole.slice(0, cut), note }))];
      try {
        for (const crash of crashes) {
          writeFileSync(log, crash.log);
          if (crash.note !== null) writeFileSync(`${log}.from`, crash.note);
          writeFileSync(stage, output);
          if (room === 'block') fill(full.folder);
          await keepLog({ stage, log, open: mask.open, mark: true });
          assert.equal(readFileSync(log, 'utf8'), whole);
          assert.ok(existsSync(keptFile(stage)) && !existsSync(stage) && !existsSync(`${log}.from`));
          // As after a crash that came last of all.
          writeFileSync(`${log}.from`, note);
          await keepLog({ stage, log, open: mask.open, mark: true });
          assert.equal(readFileSync(log, 'utf8'), whole);
          assert.ok(existsSync(keptFile(stage)) && !existsSync(`${log}.from`));
          rmSync(keptFile(stage));
          rmSync(join(full.folder, 'filler'), { force: true });
        }
      } finally {
        await full.unmount();
      }
    },
  );
}

/** Writes until there is no room. */
const fill = (folder: string): void => {
  assert.throws(() => {
    for (;;) appendFileSync(join(folder, 'filler'), Buffer.alloc(4096));
  }, /ENOSPC/);
};

test('the stage is kept when appending fails, and taken in later', async (t) => {
  const { stage, log } = place(t);
  writeFileSync(stage, 'a correct horse\n');
  mkdirSync(log);
  await assert.rejects(keepLog({ stage, log, open: mask.open }), { code: 'EISDIR' });
  assert.equal(readFileSync(stage, 'utf8'), 'a correct horse\n');
  rmSync(log, { recursive: true });
  await keepLog({ stage, log, open: mask.open });
  assert.equal(readFileSync(log, 'utf8'), 'a ***\n');
  assert.equal(statSync(log).mode & 0o777, 0o600);
});

test('a named pipe in the place of the log is refused at once', async (t) => {
  const { stage, log } = place(t);
  writeFileSync(stage, 'a line\n');
  execFileSync('mkfifo', [log]);
  await assert.rejects(keepLog({ stage, log, open: mask.open }), { code: 'ENXIO' });
  assert.equal(readFileSync(stage, 'utf8'), 'a line\n');
});

test('a stage that is a link is refused', async (t) => {
  const { folder, stage, log } = place(t);
  writeFileSync(join(folder, 'other'), 'not to be shown');
  symlinkSync(join(folder, 'other'), stage);
  await assert.rejects(keepLog({ stage, log, open: mask.open }), { code: 'ELOOP' });
  assert.ok(!existsSync(log));
});

test('the stage folder is 0700 and ours, never a link, never in the logs', (t) => {
  const { folder } = place(t);
  const uid = process.getuid?.() ?? 0;
  const made = join(folder, 'a', 'stage');
  prepareStageFolder(made, join(folder, 'logs'), uid);
  assert.equal(statSync(made).mode & 0o777, 0o700);
  assert.throws(() => prepareStageFolder(made, folder, uid), /lies in the logs/);
  assert.throws(() => prepareStageFolder(folder, folder, uid), /lies in the logs/);
  symlinkSync(folder, join(folder, 'way'));
  assert.throws(() => prepareStageFolder(join(folder, 'way/b/stage'), join(folder, 'b'), uid), /lies in the logs/);
  assert.throws(() => prepareStageFolder(join(folder, 'b/stage'), join(folder, 'way/b'), uid), /lies in the logs/);
  assert.throws(() => prepareStageFolder(made, join(folder, 'logs'), uid + 1), /another user/);
  symlinkSync(made, join(folder, 'link'));
  assert.throws(() => prepareStageFolder(join(folder, 'link'), join(folder, 'logs'), uid), /no folder of its own/);
  chmodSync(made, 0o750);
  assert.throws(() => prepareStageFolder(made, join(folder, 'logs'), uid), /open to other users/);
});

test('what waits of a run that is deleted goes with it, and nothing else', async (t) => {
  const { folder } = place(t);
  const at = { folder, state: '/home/a/state' };
  const file = (run: number): string => controlStage(at, { pipeline: 'etl', run, start: 1, stream: 'stdout' });
  const others = [
    file(1),
    file(13),
    controlStage({ ...at, state: '/b' }, { pipeline: 'etl', run: 12, start: 1, stream: 'stdout' }),
  ];
  const beside = [`${file(12)}.kept`, `${file(12)}.times`, `${file(12)}.times.tmp`, fingerprintFile(file(12))];
  for (const name of [...others, file(12), ...beside]) writeFileSync(name, '');
  await dropStaged(at, 12);
  assert.deepEqual(
    others.filter((name) => existsSync(name)),
    others,
  );
  for (const name of [file(12), ...beside]) assert.ok(!existsSync(name), name);
});

test('each pipeline, run, start and stream has a file of its own; what is in the stage is known as of its start by its state folder only', () => {
  const at = { folder: '/stage', state: '/home/a/state' };
  const output = { pipeline: 'etl.daily', run: 12, start: 3, stream: 'stderr' } as const;
  const file = controlStage(at, output);
  const name = file.slice('/stage/'.length);
  const known = { pipeline: 'etl.daily', run: 12, start: 3 };
  const prints = fingerprintFile(file).slice('/stage/'.length);
  for (const one of [name, `${name}.kept`, `${name}.times`, `${name}.times.tmp`, prints])
    assert.deepEqual(stagedStart(at.state, one), known);
  assert.equal(stagedStart('/home/b/state', name), null);
  assert.equal(stagedStart(at.state, `${name}.other`), null);
  assert.equal(fingerprintFile(controlStage(at, { ...output, stream: 'stdout' })), fingerprintFile(file));
  assert.notEqual(fingerprintFile(controlStage(at, { ...output, start: 4 })), fingerprintFile(file));
  assert.notEqual(file, controlStage(at, { ...output, start: 4 }));
  assert.notEqual(file, controlStage(at, { ...output, stream: 'stdout' }));
});

test('times of a staged output are those of what readers see, before and after it is in its log, and also after a crash', async (t) => {
  const { stage, log } = place(t);
  const parts = ['one correct horse\n', 'two correct horse\n', 'three correct ho', 'rse\n'];
  writeFileSync(stage, parts.join(''));
  let written = 0;
  for (const [index, part] of parts.entries()) {
    written += part.length;
    addTimes(stage, [{ offset: written, ms: (index + 1) * 1000 }]);
  }
  const since = async (ms: number): Promise<[number, string]> => {
    const from = { since: { ms, began: 0, ended: null, seen: null } };
    const staged = { file: stage, open: async () => mask.open(), whole: true };
    const { offset, bytes } = await readLog({
      file: log,
      stage: staged,
      from,
      until: null,
      pause: async () => undefined,
    });
    return [offset, await new Response(bytes).text()];
  };
  const expected: [number, string][] = [
    [0, 'one ***\ntwo ***\nthree ***\n'],
    [8, 'two ***\nthree ***\n'],
    [16, 'three ***\n'],
    [22, '***\n'],
  ];
  const all = () => Promise.all([500, 1500, 2500, 3500].map(since));
  assert.deepEqual(await all(), expected);
  // All but the last step was done, and the log is longer than the last record.
  writeFileSync(`${log}.from`, '0 stage\n');
  writeFileSync(log, 'one ***\ntwo **');
  await keepLog({ stage, log, open: mask.open });
  assert.ok(!existsSync(timeFile(stage)));
  assert.deepEqual(
    (await readTimes(log)).map(({ offset }) => offset),
    [8, 16, 22, 26],
  );
  assert.deepEqual(await all(), expected);
});

test('what waits in the stage of a deleted run goes with the times beside it', async (t) => {
  const { folder } = place(t);
  const stage = controlStage({ folder, state: '/s' }, { pipeline: '_command', run: 7, start: 1, stream: 'stdout' });
  writeFileSync(stage, 'x');
  addTimes(stage, [{ offset: 1, ms: 1 }]);
  await dropStaged({ folder, state: '/s' }, 7);
  assert.ok(!existsSync(stage) && !existsSync(timeFile(stage)));
});

test('where another user has the default stage a user has one of their own, and keeps it', (t) => {
  const { folder } = place(t);
  const uid = process.getuid?.() ?? 0;
  const settings = settingsOf({ TMPDIR: folder });
  const [first, second] = [join(folder, 'orca-logs'), join(folder, `orca-logs-${uid + 1}`)];
  assert.equal(stageFolder(settings, uid), first);
  mkdirSync(first, { mode: 0o700 });
  assert.equal(stageFolder(settings, uid), first);
  assert.equal(stageFolder(settings, uid + 1), second);
  // One of that name that is somebody's else is not taken for theirs.
  mkdirSync(second, { mode: 0o700 });
  assert.equal(stageFolder(settings, uid + 1), second);
  assert.throws(() => prepareStageFolder(second, join(folder, 'logs'), uid + 1), /another user/);
  // What waits in it is found also when the default one is free again.
  mkdirSync(join(folder, `orca-logs-${uid}`), { mode: 0o700 });
  assert.equal(stageFolder(settings, uid), join(folder, `orca-logs-${uid}`));
  // What was chosen is what was chosen.
  assert.equal(stageFolder(settingsOf({ ORCA_LOG_STAGE: first }), uid + 1), first);
});

test('what may still become a value is not shown as long as its start goes on, and is shown when that is over', async (t) => {
  const { stage, log } = place(t);
  writeFileSync(stage, 'a line\nand corre');
  const shown = async (whole: boolean): Promise<string> => {
    const staged = { file: stage, open: async () => mask.open(), whole };
    const from = { offset: 0 };
    const { bytes } = await readLog({ file: log, stage: staged, from, until: null, pause: async () => undefined });
    return new Response(bytes).text();
  };
  assert.equal(await shown(false), 'a line\nand ');
  assert.equal(await shown(true), 'a line\nand corre');
});

test('who opens an output that gets into its log before its mask can be had reads the log', async (t) => {
  const { stage, log } = place(t);
  writeFileSync(stage, 'a correct horse\n');
  const request = (open: () => Promise<StreamMask>) => ({
    file: log,
    stage: { file: stage, open, whole: true },
    from: { offset: 0 },
    until: null,
    pause: async () => undefined,
  });
  const lost = new Error('nobody has the values');
  const forgotten = async (): Promise<StreamMask> => {
    await keepLog({ stage, log, open: mask.open });
    throw lost;
  };
  const { bytes } = await readLog(request(forgotten));
  assert.equal(await new Response(bytes).text(), 'a ***\n');
  writeFileSync(stage, 'more\n');
  await assert.rejects(readLog(request(() => Promise.reject(lost))), lost);
});
