import { execFile } from 'node:child_process';
import { availableParallelism, hostname } from 'node:os';
import { defaultFolders } from '../sample/default-folders.ts';
import { linuxSource, type SourceHost, type Wanted } from '../sample/linux-source.ts';
import { macSource } from '../sample/macos-source.ts';
import type { SampleSource } from '../sample/sampler.ts';
import type { Context } from './context.ts';
import type { SampleRequest } from './sample-options.ts';

/** This machine, as `orca sample` looks at it. */
export function openSource(context: Context, request: SampleRequest): SampleSource {
  const { pid, match, cgroup, names } = request;
  const wanted: Wanted = { pid, match, cgroup, names, folders: request.folders ?? defaultFolders(context.env) };
  const host: SourceHost = {
    host: hostname(),
    cores: availableParallelism(),
    now: () => performance.now(),
    time: () => context.clock.now(),
    selfCpu: () => {
      const { user, system } = process.cpuUsage();
      return (user + system) / 1e6;
    },
  };
  return process.platform === 'darwin'
    ? macSource(wanted, host, printed, lives)
    : linuxSource(wanted, host, { procRoot: '/proc', sysRoot: '/sys', cgroupRoot: '/sys/fs/cgroup' });
}

/** Empty when the command failed. */
const printed = (file: string, args: readonly string[]): Promise<string> =>
  new Promise((resolve) => {
    execFile(file, args, { timeout: 10_000, maxBuffer: 2 ** 24 }, (error, text) => resolve(error === null ? text : ''));
  });

function lives(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (cause) {
    // Another user's process lives.
    return cause instanceof Error && 'code' in cause && cause.code === 'EPERM';
  }
}
