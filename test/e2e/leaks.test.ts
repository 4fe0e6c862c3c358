import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { coloured, Dice, encode, makeValue, surroundings } from '../unit/secrets/cases.ts';
import { maskedSlowly, mixedWaysOf, waysOf } from '../unit/secrets/oracle.ts';
import { ask, linesOf } from './support/http.ts';
import { Orca } from './support/orca.ts';
import { until } from './support/until.ts';

/** ORCA_TEST_LEAK_RUNS=100 is the long form, ORCA_TEST_LEAK_SEED the first run's number. */
const runs = Number(process.env['ORCA_TEST_LEAK_RUNS'] ?? 4);
const firstSeed = Number(process.env['ORCA_TEST_LEAK_SEED'] ?? 1);
const hiddenInEach = 20;

/** What a variable can hold. */
const isHeld = (value: Buffer): boolean =>
  Buffer.from(value.toString()).equals(value) && !value.includes(0) && !/[\r\n]$/.test(value.toString());

interface Output {
  readonly text: Buffer;
  readonly masked: readonly Buffer[];
}

/** Generated values in an output, each written in some way, and lines that are none of them. */
const makeOutput = (dice: Dice, values: readonly Buffer[], written: Buffer[]): Output => {
  const parts: Buffer[] = [];
  for (let count = 0; count < hiddenInEach / 2; count += 1) {
    const one = encode(dice, values[dice.roll(values.length)] ?? Buffer.alloc(0));
    const shown = dice.roll(3) === 0 ? coloured(dice, one) : one;
    written.push(one, shown);
    parts.push(surroundings(dice), shown, surroundings(dice), Buffer.from(`\nline ${count}, no secret at all\n`));
  }
  const text = Buffer.concat(parts);
  const ways = waysOf(values);
  return { text, masked: [maskedSlowly(text, ways), maskedSlowly(text, [...ways, ...mixedWaysOf(values)])] };
};

const filesBelow = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((file) => statSync(file, { throwIfNoEntry: false })?.isFile() === true);

const bodyOf = async (orca: Orca, path: string): Promise<Buffer> => {
  const pieces: Buffer[] = [];
  for await (const piece of (await ask(orca.state, 'GET', path)).body) pieces.push(Buffer.from(piece as Buffer));
  return Buffer.concat(pieces);
};

const eventsUpTo = async (orca: Orca, run: number): Promise<Buffer> => {
  let text = '';
  for await (const line of linesOf(await ask(orca.state, 'GET', '/api/events?since=0'))) {
    text += line;
    if (line.includes('"kind":"finished"') && line.includes(`"run":${run},`)) break;
  }
  return Buffer.from(text);
};

test('generated secrets in generated output are nowhere: not in store, logs, answers, events, or what any command prints; all else is there byte for byte', async (t) => {
  const orca = new Orca(t);
  const stage = join(orca.folder, 'stage');
  await orca.run(['up'], { env: { ORCA_LOG_STAGE: stage } });
  for (let seed = firstSeed; seed < firstSeed + runs; seed += 1) {
    const dice = new Dice(seed);
    const folder = join(orca.folder, `of ${seed}`);
    mkdirSync(folder);
    const values = Array.from({ length: 60 }, () => makeValue(dice))
      .filter(isHeld)
      .slice(0, 3);
    const written: Buffer[] = [...values];
    const [out, err] = [makeOutput(dice, values, written), makeOutput(dice, values, written)];
    writeFileSync(join(folder, 'out'), out.text);
    writeFileSync(join(folder, 'err'), err.text);
    const secrets = values.flatMap((value, index) => {
      writeFileSync(join(folder, `secret${index}`), value);
      return ['--secret', `S${index}=file:${join(folder, `secret${index}`)}`];
    });
    const size = 1 + dice.roll(60);
    const dd = (file: string, more: string): string => `dd if=${file} bs=${size} status=none ${more}`;
    const waits = 'until [ -e go ]; do sleep 0.02; done';
    const script = `${dd('out', 'count=5')}; ${dd('err', 'count=5')} >&2; ${waits}; ${dd('out', 'skip=5')}; ${dd('err', 'skip=5')} >&2; exit ${seed % 2}`;
    const told = new Map<string, Buffer>();
    const tell = async (...args: string[]): Promise<Buffer> => {
      const { bytes, stderr } = await orca.run(args);
      told.set(args.join(' '), Buffer.concat([bytes, Buffer.from(stderr)]));
      return bytes;
    };
    const isMasked = (shown: Buffer, { masked }: Output): boolean => masked.some((one) => one.equals(shown));

    const ran = orca.start(['run', ...secrets, '--', 'sh', '-c', script], { cwd: folder });
    const run = 1 + seed - firstSeed;
    await until(async () => ((await orca.run(['status', String(run)])).status === 0 ? true : null), 'it is there');
    const followed = orca.start(['logs', '-f', String(run), '--stdout']);
    await orca.untilRun(run, ({ state }) => state === 'running', 'running');
    const shown = await tell('logs', String(run), '--stdout');
    assert.ok(
      out.masked.some((one) => one.subarray(0, shown.length).equals(shown)),
      `run ${seed}, live`,
    );
    writeFileSync(join(folder, 'go'), '');
    const end = await ran.ended;
    assert.ok(isMasked(end.bytes, out), `seed ${seed}: standard output of orca run`);
    assert.ok(isMasked((await followed.ended).bytes, out), `seed ${seed}: orca logs -f`);
    await until(() => (readdirSync(stage).length === 0 ? true : null), 'the stage is empty');
    const { starts } = await orca.status(run);
    const logs = starts[0]?.logs;
    const [outLog, errLog] = [readFileSync(logs?.stdout ?? ''), readFileSync(logs?.stderr ?? '')];
    assert.ok(isMasked(outLog, out) && isMasked(errLog, err), `seed ${seed}: logs`);
    const driver = readFileSync(join(logs?.stdout ?? '', '..', 'driver.log'));
    assert.ok(driver.equals(Buffer.concat([outLog, errLog])));

    told.set('orca run', Buffer.concat([end.bytes, Buffer.from(end.stderr)]));
    for (const args of [
      ['status'],
      ['status', '--json'],
      ['explain'],
      ['explain', '--json'],
      ['logs'],
      ['metrics', '--json'],
    ])
      await tell(...args, String(run));
    await tell('logs', String(run), '--tail', '5');
    await tell('list', '--all', '--json');
    await tell('events', '--since', '0');
    for (const path of [
      `/api/runs/${run}`,
      `/api/runs/${run}/logs?stream=stderr`,
      '/api/runs',
      '/api/config',
      '/api/daemon',
    ])
      told.set(path, await bodyOf(orca, path));
    told.set('events', await eventsUpTo(orca, run));
    for (const file of filesBelow(orca.state)) told.set(file, readFileSync(file));
    for (const [where, content] of told)
      for (const one of written)
        assert.ok(!content.includes(one), `seed ${seed}: ${JSON.stringify(one.toString('latin1'))} is in ${where}`);
  }
});
