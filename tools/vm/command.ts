import { spawnSync } from 'node:child_process';
import { Cannot } from './cannot.ts';

/** Runs a program to its end and gives its standard output. */
export const outputOf = (
  file: string,
  args: readonly string[],
  options: { cwd?: string; input?: string } = {},
): string => {
  const { status, signal, stdout, stderr, error } = spawnSync(file, args, {
    ...options,
    encoding: 'utf8',
    maxBuffer: 64 << 20,
  });
  if (error) throw new Cannot(`${file} could not be started: ${error.message}`, { cause: error });
  if (status !== 0) throw new Cannot(`${file} ${args.join(' ')} ended with ${status ?? signal}: ${stderr.trim()}`);
  return stdout;
};

/** Where a program lies on PATH, links followed; null when it is not there. */
export const whereIs = (program: string): string | null => {
  const { status, stdout } = spawnSync('sh', ['-c', 'readlink -f "$(command -v "$0")"', program], { encoding: 'utf8' });
  return status === 0 && stdout.startsWith('/') ? stdout.trim() : null;
};
