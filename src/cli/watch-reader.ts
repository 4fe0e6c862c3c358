import { spawn } from 'node:child_process';
import { fstatSync } from 'node:fs';
import { dirname } from 'node:path';
import { builtKeeper } from '../keeper/find-keeper.ts';
import type { Context } from './context.ts';

const readerLeft = 3;

/**
 * Calls `left` once nobody reads our standard output, a pipe, any more. Node hears of that only when it writes; the native keeper waits for it
 * (poll(2), POLLERR). Without that keeper nobody hears of it.
 */
export const watchReader = ({ program }: Context, left: () => void): { readonly close: () => void } | null => {
  const root = dirname(dirname(dirname(program.entry)));
  const binary = isPipe(1) ? builtKeeper({ root, platform: process.platform, arch: process.arch }) : null;
  if (binary === null) return null;
  const child = spawn(binary, ['reader'], { stdio: ['pipe', 1, 'ignore'], env: {} });
  child.on('error', () => undefined);
  child.stdin?.on('error', () => undefined);
  child.on('exit', (code) => {
    if (code === readerLeft) left();
  });
  return { close: () => void child.stdin?.destroy() };
};

const isPipe = (fd: number): boolean => {
  const found = fstatSync(fd);
  return found.isFIFO() || found.isSocket();
};
