import { OrcaError } from '../errors/orca-error.ts';

/** An error of SQLite or of the file system as one that a person understands. */
export const explainEmbedded = (error: unknown, file: string): unknown => {
  if (error instanceof OrcaError || !(error instanceof Error)) return error;
  const { code, errcode } = error as Error & { readonly code?: string; readonly errcode?: number };
  const why = error.message;
  const params = { file, why };
  if (code === 'ERR_SQLITE_ERROR' && errcode !== undefined) {
    // The low byte is the primary result code (https://sqlite.org/rescode.html).
    switch (errcode & 0xff) {
      case 5:
      case 6:
        return new OrcaError('store-busy', params, error);
      case 8:
        return new OrcaError('store-unwritable', params, error);
      case 10:
        return new OrcaError('store-io', params, error);
      case 11:
      case 26:
        return new OrcaError('store-corrupt', params, error);
      case 13:
        return new OrcaError('store-full', params, error);
      case 14:
        return new OrcaError('store-unwritable', params, error);
      default:
        return error;
    }
  }
  switch (code) {
    case 'ENOSPC':
    case 'EDQUOT':
      return new OrcaError('store-full', params, error);
    case 'EIO':
      return new OrcaError('store-io', params, error);
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
    case 'ENOENT':
    case 'ENOTDIR':
    case 'EISDIR':
      return new OrcaError('store-unwritable', params, error);
    default:
      return error;
  }
};
