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
  notice.update(3, 'first reason');
  notice.update(3, 'second reason');
  await later();
  notice.update(3, 'third reason');
  await later();
  assert.deepEqual(said, ['orca: run 3 waits: second reason\n']);
});

test('a run that starts soon says nothing, and on a terminal the status line speaks', async () => {
  const soon = setUp(false);
  soon.notice.update(3, 'a reason');
  soon.notice.update(3, null);
  await soon.later();
  const terminal = setUp(true);
  terminal.notice.update(3, 'a reason');
  await terminal.later();
  assert.deepEqual([...soon.said, ...terminal.said], []);
});
