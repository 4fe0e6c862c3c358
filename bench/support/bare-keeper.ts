import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { StartRequest } from '../../src/keeper/keepers.ts';
import { nativeKeepers } from '../../src/keeper/native-keepers.ts';

const root = join(import.meta.dirname, '../..');

/** What the keeper alone can do: `count` times `true`, `slots` at a time, with folders, logs and records in `state`, and nothing else. */
export const bareKeeper = async (state: string, count: number, slots: number): Promise<void> => {
  mkdirSync(join(state, 'starts'));
  const { promise: done, resolve } = Promise.withResolvers<void>();
  let next = 1;
  let going = 0;
  const startOne = (): void => {
    const folder = join(state, 'starts', `${next}.1`);
    mkdirSync(folder);
    keepers.start(request(folder, next));
    next += 1;
    going += 1;
  };
  const keepers = nativeKeepers({
    binary: join(root, 'native/build/orca-keep'),
    script: join(root, 'native/orca-keep.sh'),
    state,
    env: process.env,
    program: { args: ['/bin/true'], env: [], log: '/dev/null' },
    inherited: null,
    onReport: (report) => {
      if (report.type !== 'ended') return;
      going -= 1;
      if (next <= count) startOne();
      else if (going === 0) resolve();
    },
  });
  while (next <= Math.min(slots, count)) startOne();
  await done;
  keepers.goodbye();
  await keepers.close();
};

const request = (folder: string, run: number): StartRequest => ({
  folder,
  run,
  start: 1,
  uuid: `bench-${run}`,
  cwd: '/',
  args: ['true'],
  env: [`PATH=${process.env['PATH'] ?? ''}`],
  stdin: '/dev/null',
  stdout: join(folder, 'out'),
  stderr: join(folder, 'err'),
});
