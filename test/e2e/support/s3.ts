import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
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
  /** What an object holds; null without it. */
  readonly object: (key: string) => string | null;
  /** Ends it, as a network that goes. */
  readonly stop: () => Promise<void>;
}

export const bucket = 'samples';

export const startS3 = async (scope: Scope, port?: number): Promise<FakeS3> => {
  const folder = mkdtempSync(join(tmpdir(), 'orca-s3-'));
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
  const child = spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'inherit'] });
  let said = '';
  child.stdout.setEncoding('utf8').on('data', (part: string) => (said += part));
  const stop = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGKILL');
    await once(child, 'exit');
  };
  scope.after(async () => {
    await stop();
    rmSync(folder, { recursive: true });
  });
  await until(() => (said.includes('listening') ? true : null), 'the stand-in for S3 listens');
  return {
    env: {
      AWS_ENDPOINT_URL: `http://127.0.0.1:${at}`,
      AWS_ACCESS_KEY_ID: 'S3RVER',
      AWS_SECRET_ACCESS_KEY: 'S3RVER',
      AWS_EC2_METADATA_DISABLED: 'true',
    },
    object: (key) => {
      try {
        return readFileSync(join(folder, bucket, `${key}._S3rver_object`), 'utf8');
      } catch {
        return null;
      }
    },
    stop,
  };
};

/** A port that nobody has now. */
export const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address !== null ? address.port : 0;
};
