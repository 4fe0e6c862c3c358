import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { SecretFailure } from './secret-failure.ts';
import { longestSecret, tooLong } from './secret-value.ts';

/** What is in a file of this machine; one that is a pipe or a device is refused, not waited for. */
export const readSecretFile = async (path: string): Promise<Uint8Array> => {
  try {
    await using file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
    if (!(await file.stat()).isFile()) throw new SecretFailure('that is no ordinary file');
    const { buffer, bytesRead } = await file.read(Buffer.alloc(longestSecret + 1), 0, longestSecret + 1, 0);
    if (bytesRead > longestSecret) throw new SecretFailure(tooLong);
    return buffer.subarray(0, bytesRead);
  } catch (error) {
    if (error instanceof SecretFailure) throw error;
    throw new SecretFailure(`the file cannot be read (${(error as NodeJS.ErrnoException).code ?? 'unknown error'})`);
  }
};
