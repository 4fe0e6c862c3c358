import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { localFolders } from '../../../src/machine/network-mount.ts';

const mountinfo = `22 1 254:0 / / rw,relatime shared:1 - ext4 /dev/vda rw
23 22 0:30 / /home rw,relatime shared:2 - nfs4 server:/home rw,vers=4.2
24 23 254:1 / /home/me/fast rw - xfs /dev/vdb rw
25 22 0:31 / /mnt/my\\040share rw - cifs //server/share rw
26 22 0:32 / /data rw - nfs server:/data rw
27 22 0:33 / /data rw - tmpfs tmpfs rw
28 22 0:34 / /remote rw - fuse.sshfs me@server: rw
`;

const procWith = (t: TestContext, text: string | null): string => {
  const root = mkdtempSync(join(tmpdir(), 'orca-mounts-'));
  t.after(() => rmSync(root, { recursive: true, force: true }));
  mkdirSync(join(root, 'self'));
  if (text !== null) writeFileSync(join(root, 'self/mountinfo'), text);
  return root;
};

test('a folder is on a network file system when the nearest mount above it is one', (t) => {
  const root = procWith(t, mountinfo);
  const folders = [
    ...['/tmp', '/home', '/home/me/logs', '/home/me/fast', '/home/me/fast/logs', '/home/me/faster', '/homes'],
    ...['/mnt/my share/x', '/data/spill', '/remote/x', '/'],
  ];
  const local = ['/tmp', '/home/me/fast', '/home/me/fast/logs', '/homes', '/data/spill', '/'];
  assert.deepEqual(localFolders(root, folders), local);
});

test('where the mounts cannot be read, or are told in another way, every folder counts as local', (t) => {
  for (const text of [null, '', 'garbage', 'a b c d e - ', '1 2 3 4 relative - nfs x'])
    assert.deepEqual(localFolders(procWith(t, text), ['/a', '/b/c']), ['/a', '/b/c'], String(text));
});
