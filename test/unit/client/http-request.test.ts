import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { ConnectionLost } from '../../../src/client/connection-lost.ts';
import { httpRequest, type AskAfter } from '../../../src/client/http-request.ts';

/** What a request to a server that never says anything comes to. */
const silently = async (t: TestContext, isThere: AskAfter['isThere']): Promise<unknown> => {
  const folder = mkdtempSync(join(tmpdir(), 'orca-silent-'));
  const server = createServer((socket) => void socket.resume()).listen(join(folder, 'socket'));
  t.after(() => {
    server.close();
    rmSync(folder, { recursive: true });
  });
  const askAfter = { ms: 20, isThere };
  return httpRequest(join(folder, 'socket'), { method: 'GET', path: '/', idleMs: null, askAfter });
};

test('who may take long is asked after again and again, and given up once nobody is there', async (t) => {
  let asked = 0;
  await assert.rejects(
    silently(t, async () => (asked += 1) < 3),
    ConnectionLost,
  );
  assert.equal(asked, 3);
});

test('who refuses to say whether it is there is there', async (t) => {
  let asked = 0;
  const refuse = async (): Promise<boolean> => {
    asked += 1;
    if (asked < 3) throw new Error('not for you');
    return false;
  };
  await assert.rejects(silently(t, refuse), ConnectionLost);
  assert.equal(asked, 3);
});
