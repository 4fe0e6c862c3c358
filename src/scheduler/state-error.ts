import { OrcaError } from '../errors/orca-error.ts';
import type { StateFolder } from './state-folder.ts';

/** What kept the daemon from writing into its state folder, with what a person can do about it; any other error as it is. */
export const stateError = (error: unknown, { folder: path }: Pick<StateFolder, 'folder'>): Error => {
  switch (error instanceof Error && 'code' in error ? error.code : null) {
    case 'ENOSPC':
      return new OrcaError('state-full', { path, why: 'no space is left on it' }, error);
    case 'EDQUOT':
      return new OrcaError('state-full', { path, why: 'your quota there is used up' }, error);
    case 'EROFS':
      return new OrcaError('state-unwritable', { path, why: 'the file system is read-only' }, error);
    case 'EACCES':
    case 'EPERM':
      return new OrcaError('state-unwritable', { path, why: 'its permissions do not allow it' }, error);
    default:
      return error instanceof Error ? error : new Error(String(error));
  }
};
