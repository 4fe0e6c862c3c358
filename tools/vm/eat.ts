import { join } from 'node:path';
import { outputOf } from './command.ts';

/** The program that loads memory, compiled so that it runs without libraries. */
export const compileEat = (root: string, file: string): void => {
  outputOf('cc', ['-static', '-O1', '-Wall', '-Wextra', '-Werror', '-o', file, join(root, 'test/vm/eat.c')]);
};
