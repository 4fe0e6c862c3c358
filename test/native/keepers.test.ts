import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, test } from 'node:test';
import type { FoundKeeper } from '../../src/keeper/find-keeper.ts';
import type { Keepers, KeeperReport, Program, StartRequest } from '../../src/keeper/keepers.ts';
import { openKeepers } from '../../src/keeper/open-keepers.ts';
import { readBootId } from '../../src/machine/boot-id.ts';
import { readText } from '../../src/machine/read-text.ts';
import type { ExitRecord } from '../../src/keeper/records.ts';
import { makeStartFolder, readStartFolder, startFolder, voidStart } from '../../src/keeper/start-folder.ts';
import { eventually } from '../unit/keeper/eventually.ts';

const root = join(import.meta.dirname, '../..');
const binary = join(root, 'native/build/orca-keep');
const script = join(root, 'native/orca-keep.sh');
const kinds: readonly { readonly found: FoundKeeper; readonly there: boolean }[] = [
  { found: { kind: 'native', binary, script, why: null }, there: existsSync(binary) },
  { found: { kind: 'sh', binary: null, script, why: 'the test wants it.' }, there: existsSync(script) },
];
const required = (process.env.ORCA_TEST_REQUIRE ?? '').split(',').includes('native');
const host = { procRoot: '/proc', bootId: readBootId('/proc') };
const env = [`PATH=${process.env.PATH ?? '/usr/bin:/bin'}`, 'ODD=a=b "c"'];

for (const { found, there } of kinds) {
  describe(`the ${found.kind} keeper`, { skip: there || required ? false : `${found.kind} is not built` }, () => {
    let state: string;
    let keepers: Keepers;
    let reports: KeeperReport[];
    beforeEach(() => {
      state = mkdtempSync(join(tmpdir(), 'orca-keepers-'));
      reports = [];
      keepers = open({ args: ['/bin/false'], env: [], log: join(state, 'log') });
    });
    afterEach(async () => {
      keepers.goodbye();
      await keepers.close();
      rmSync(state, { recursive: true, force: true });
    });
    const open = (program: Program): Keepers =>
      openKeepers(found, {
        state,
        env: process.env,
        program,
        inherited: null,
        onReport: (report) => reports.push(report),
      });

    const requestOf = (run: number, args: readonly string[], more: Partial<StartRequest> = {}): StartRequest => {
      const uuid = randomUUID();
      const folder = startFolder(state, { run, start: 1 });
      makeStartFolder(folder);
      const own = [`ORCA_START=${uuid}`, `ORCA_RUN_ID=${run}`];
      const files = { stdin: '/dev/null', stdout: join(state, `${run}.out`), stderr: join(state, `${run}.err`) };
      return { folder, run, start: 1, uuid, cwd: state, args, env: [...env, ...own], ...files, ...more };
    };
    const told = <T extends KeeperReport['type']>(type: T, run: number): Promise<Extract<KeeperReport, { type: T }>> =>
      eventually(`${type} of ${run}`, () => {
        const report = reports.find((one) => one.type === type && 'run' in one && one.run === run);
        return report as Extract<KeeperReport, { type: T }> | undefined;
      });
    const ended = async (run: number): Promise<ExitRecord> => {
      const { record } = await told('ended', run);
      if (record.why !== null) throw new Error(record.why);
      return record.value;
    };

    test('a command runs with its arguments, environment and folder as they are, and its end is told', async () => {
      const odd = ['', ' ', "'", '"$HOME"', 'a\nb', '-n', 'é', '*', '\\'];
      const code = 'pwd; printf "%s|" "$ODD" "$@"; echo err >&2; exit 3';
      keepers.start(requestOf(1, ['sh', '-c', code, 'sh', ...odd]));
      const record = await ended(1);
      assert.deepEqual([record.how, record.code, record.signal], ['exited', 3, null]);
      assert.equal(
        readFileSync(join(state, '1.out'), 'utf8'),
        `${state}\na=b "c"|${odd.map((arg) => `${arg}|`).join('')}`,
      );
      assert.equal(readFileSync(join(state, '1.err'), 'utf8'), 'err\n');
      const running = await told('running', 1);
      assert.ok(reports.indexOf(running) < reports.findIndex((report) => report.type === 'ended'));
      assert.equal(readStartFolder(startFolder(state, { run: 1, start: 1 }), host).keeperAlive, false);
    });

    test('a death by a signal is told as far as this keeper can know it', async () => {
      keepers.start(requestOf(1, ['sh', '-c', 'kill -9 $$']));
      const { how, code, signal } = await ended(1);
      const known = found.kind === 'native' ? ['signalled', null, 9] : ['unknown', 137, null];
      assert.deepEqual([how, code, signal], known);
    });

    test('a folder or a program that is not there is told with the stage and the error', async () => {
      keepers.start(requestOf(1, ['true'], { cwd: join(state, 'nowhere') }));
      keepers.start(requestOf(2, [join(state, 'no-program')]));
      for (const [run, stage] of [
        [1, 'cwd'],
        [2, 'exec'],
      ] as const) {
        const { how, failed } = await ended(run);
        assert.deepEqual([how, failed?.stage, failed?.errno], ['not-started', stage, 2]);
        assert.match(failed?.message ?? '', /^No such file or directory/i);
      }
      assert.ok(!reports.some((report) => report.type === 'running'));
    });

    test('a start whose folder cannot be written is refused, with or without a folder to work in', async () => {
      for (const [run, cwd] of [
        [1, state],
        [2, '/nonexistent'],
      ] as const) {
        keepers.start(requestOf(run, ['touch', join(state, 'done')], { folder: join(state, 'starts/none'), cwd }));
        const { stage } = await told('refused', run);
        assert.match(stage, /^(folder|begun)$/);
      }
      assert.ok(!existsSync(join(state, 'done')));
    });

    test('a request with a zero byte is refused, and one after it runs', async () => {
      keepers.start(requestOf(1, ['a\0b']));
      keepers.start(requestOf(2, ['true']));
      assert.equal((await told('refused', 1)).errno, 22);
      assert.equal((await ended(2)).code, 0);
    });

    test('a start that was declared void is never executed', async () => {
      const request = requestOf(1, ['touch', join(state, 'done')]);
      assert.equal(voidStart(request.folder), 'void');
      keepers.start(request);
      await told('void', 1);
      assert.ok(!existsSync(join(state, 'done')));
    });

    test('a running command answers ping, and term ends it with its mark', async () => {
      const request = requestOf(1, ['sleep', '60']);
      keepers.start(request);
      const { pid, keeper } = await told('running', 1);
      assert.deepEqual(await keepers.ctl(request.folder, { ask: 'ping' }), { answer: 'alive', pid });
      const seen = readStartFolder(request.folder, host);
      assert.deepEqual([seen.begun, seen.keeperAlive, seen.commandAlive], ['begun', true, true]);
      assert.equal(seen.pid?.value?.keeper.pid, keeper);
      assert.equal(await keepers.kill(request.folder, request.uuid), 'alive');
      const text = 'orca kill by ada';
      const answer = await keepers.ctl(request.folder, { ask: 'term', mark: 'user', graceMs: 5000, text });
      assert.deepEqual(answer, { answer: 'done' });
      const { marks } = await ended(1);
      assert.deepEqual(
        marks.map((mark) => [mark.mark, mark.text]),
        [['user', text]],
      );
      assert.equal((await keepers.ctl(request.folder, { ask: 'ping' })).answer, 'no keeper');
    });

    test('the time limit ends a command, leftovers too, and marks it', async () => {
      const code = 'trap "" TERM; sleep 60 & echo $! > left; wait; wait';
      keepers.start(requestOf(1, ['sh', '-c', code], { timeoutMs: 300, graceMs: 200 }));
      const { marks } = await ended(1);
      assert.equal(marks[0]?.mark, 'timer');
      const left = readFileSync(join(state, 'left'), 'utf8').trim();
      assert.equal(readText(`/proc/${left}/cmdline`) ?? '', '');
    });

    test('a killed keeper leaves no process, and the end says that it died', async () => {
      const request = requestOf(1, ['sleep', '61']);
      keepers.start(request);
      const { keeper, pid } = await told('running', 1);
      process.kill(keeper, 'SIGKILL');
      const record = await ended(1);
      assert.equal(record.how, 'keeper-died');
      assert.equal(readText(`/proc/${pid}/cmdline`) ?? '', '');
      assert.equal(await keepers.kill(request.folder, request.uuid), 'gone');
    });
  });
}

describe('a daemon that the resident starts', { skip: existsSync(binary) || required ? false : 'not built' }, () => {
  test('takes the stream by its descriptor and is greeted', async () => {
    const state = mkdtempSync(join(tmpdir(), 'orca-keepers-'));
    const output = join(state, 'hello');
    const [found] = kinds;
    assert.ok(found !== undefined);
    const program: Program = { args: ['/bin/false'], env: [], log: join(state, 'log') };
    const keepers = openKeepers(found.found, { state, env: process.env, program, inherited: null, onReport: () => {} });
    const args = [process.execPath, join(import.meta.dirname, 'fixtures/successor.ts'), output, state];
    keepers.handover({ ...program, args, env });
    await keepers.close();
    const hello = await eventually('its greeting', () => readText(output));
    assert.equal((JSON.parse(hello) as { protocol: number }).protocol, 1);
    rmSync(state, { recursive: true, force: true });
  });
});
