import { createHash } from 'node:crypto';

/** Names a plain command by its folder and arguments: what was learned of it holds for its later runs. */
export const commandName = ({ cwd, argv }: { readonly cwd: string; readonly argv: readonly string[] }): string =>
  createHash('sha256')
    .update(JSON.stringify([cwd, argv]))
    .digest('hex');
