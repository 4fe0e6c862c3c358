import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Scope } from './orca.ts';
import { until } from './until.ts';

/** A stand-in for S3 on this machine, as a process of its own; gone after the test. */
export interface FakeS3 {
  /** For an orca that uploads to it. */
  readonly env: NodeJS.ProcessEnv;
  readonly port: number;
  /** What an object holds; null without it. */
  readonly object: (key: string) => string | null;
  readonly bytes: (key: string) => Buffer | null;
  /** Of all objects, in order. */
  readonly keys: () => string[];
  /** As somebody else may. */
  readonly remove: (key: string) => void;
  /** Ends it, as a network that goes. */
  readonly stop: () => Promise<void>;
}

export const bucket = 'samples';

/** `folder`: what an earlier one left. */
export const startS3 = async (
  scope: Scope,
  port?: number,
  folder = mkdtempSync(join(tmpdir(), 'orca-s3-')),
): Promise<FakeS3> => {
  const at = port ?? (await freePort());
  const script = join(dirname(createRequire(import.meta.url).resolve('s3rver/package.json')), 'bin/s3rver.js');
  const words = [
    script,
    '-d',
    folder,
    '-p',
    String(at),
    '-a',
    '127.0.0.1',
    '--configure-bucket',
    bucket,
    '--no-vhost-buckets',
  ];
  // It complains at length of each request that it does not know, such as for unfinished uploads.
  const child = spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'ignore'] });
  let said = '';
  child.stdout.setEncoding('utf8').on('data', (part: string) => (said += part));
  const stop = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGKILL');
    await once(child, 'exit');
  };
  scope.after(async () => {
    await stop();
    rmSync(folder, { recursive: true, force: true });
  });
  await until(() => (said.includes('listening') ? true : null), 'the stand-in for S3 listens');
  const place = join(folder, bucket);
  const ending = '._S3rver_object';
  const bytes = (key: string): Buffer | null => {
    try {
      return readFileSync(join(place, `${key}${ending}`));
    } catch {
      return null;
    }
  };
  return {
    env: s3Environment(at),
    port: at,
    object: (key) => bytes(key)?.toString() ?? null,
    bytes,
    keys: () =>
      readdirSync(place, { recursive: true, encoding: 'utf8' })
        .filter((name) => name.endsWith(ending))
        .map((name) => name.slice(0, -ending.length))
        .sort(),
    remove: (key) => rmSync(join(place, `${key}${ending}`)),
    stop,
  };
};

/** For an orca that uses a storage at that port. */
export const s3Environment = (port: number): NodeJS.ProcessEnv => ({
  AWS_ENDPOINT_URL: `http://127.0.0.1:${port}`,
  AWS_ACCESS_KEY_ID: 'S3RVER',
  AWS_SECRET_ACCESS_KEY: 'S3RVER',
  AWS_EC2_METADATA_DISABLED: 'true',
});

/** A port that nobody has now. */
export const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address !== null ? address.port : 0;
};
