import assert from 'node:assert/strict';
import { test } from 'node:test';
import { WaitNotice } from '../../../src/cli/wait-notice.ts';
import type { Output } from '../../../src/cli/output.ts';

const setUp = (isTTY: boolean) => {
  const said: string[] = [];
  let pass = (): void => {};
  const err = { isTTY, columns: 80, write: async (text: string) => said.push(text) > 0 } as unknown as Output;
  const clock = {
    now: () => 0,
    sleep: (_ms: number, signal?: AbortSignal) =>
      new Promise<void>((resolve) => {
        pass = resolve;
        signal?.addEventListener('abort', () => resolve(), { once: true });
      }),
  };
  const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
  const later = async (): Promise<void> => {
    pass();
    await settle();
  };
  return { notice: new WaitNotice(err, clock), said, later };
};

test('off a terminal a run that waits says why once, with the reason as it is by then', async () => {
  const { notice, said, later } = setUp(false);
  notice.update({ id: 3, state: 'queued', reason: 'first reason' });
  notice.update({ id: 3, state: 'queued', reason: 'second reason' });
  await later();
  notice.update({ id: 3, state: 'queued', reason: 'third reason' });
  await later();
  assert.deepEqual(said, ['orca: run 3 waits: second reason\n']);
});

test('a run that starts soon says nothing, and on a terminal the status line speaks', async () => {
  const soon = setUp(false);
  soon.notice.update({ id: 3, state: 'queued', reason: 'a reason' });
  soon.notice.update({ id: 3, state: 'queued', reason: null });
  await soon.later();
  const terminal = setUp(true);
  terminal.notice.update({ id: 3, state: 'queued', reason: 'a reason' });
  await terminal.later();
  assert.deepEqual([...soon.said, ...terminal.said], []);
});

test('a run that cannot end says so too, in other words', async () => {
  const { notice, said, later } = setUp(false);
  notice.update({ id: 3, state: 'queued', reason: 'all cpus are taken' });
  await later();
  notice.update({ id: 3, state: 'running', reason: null });
  notice.update({ id: 3, state: 'running', reason: 'its end cannot be stored yet: the disk is full\x1b' });
  await later();
  notice.update({ id: 3, state: 'running', reason: 'its end cannot be stored yet: another' });
  await later();
  assert.deepEqual(said, [
    'orca: run 3 waits: all cpus are taken\n',
    'orca: run 3: its end cannot be stored yet: the disk is full\\x1b\n',
  ]);
});

test('a run over its limit says so once, whatever its figures, and then still that it cannot end', async () => {
  const { notice, said, later } = setUp(false);
  for (const reason of [
    'over its limit of 64 MB: slow',
    null,
    'over its limit of 96 MB: slow',
    'its end is not there',
  ]) {
    notice.update({ id: 3, state: 'running', reason });
    await later();
  }
  assert.deepEqual(said, ['orca: run 3: over its limit of 64 MB: slow\n', 'orca: run 3: its end is not there\n']);
});
