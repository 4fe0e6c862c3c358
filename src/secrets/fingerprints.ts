import { randomBytes, scrypt } from 'node:crypto';
import { constants } from 'node:fs';
import { open, readFile } from 'node:fs/promises';
import type { Secret } from './secrets-env.ts';
import { carriageReturn, newline, withoutEnd } from './without-end.ts';

/**
 * By what a start's values are known again. So short that many values have the same one, and made slowly: who reads it can say that a value is another
 * one, and hardly which it is (docs/decisions/0037).
 */
export interface Fingerprints {
  /** Of this start, in hexadecimal digits. */
  readonly salt: string;
  readonly of: ReadonlyMap<string, string>;
}

const saltBytes = 16;
const printBytes = 2;
/** 4 MiB and some 15 ms each. */
const cost = { N: 4096, r: 8, p: 1 };

export const fingerprintsOf = async (
  secrets: readonly Secret[],
  salt = randomBytes(saltBytes).toString('hex'),
): Promise<Fingerprints> => ({
  salt,
  of: new Map(
    await Promise.all(secrets.map(async ({ name, value }) => [name, await fingerprint(salt, name, value)] as const)),
  ),
});

/** Names of fingerprints whose value is another one here, and of those whose value is not here. */
export const differing = async (
  { salt, of }: Fingerprints,
  secrets: readonly Secret[],
): Promise<{ readonly changed: readonly string[]; readonly missing: readonly string[] }> => {
  const given = await fingerprintsOf(
    secrets.filter(({ name }) => of.has(name)),
    salt,
  );
  const names = [...of.keys()];
  return {
    changed: names.filter((name) => given.of.has(name) && given.of.get(name) !== of.get(name)),
    missing: names.filter((name) => !given.of.has(name)),
  };
};

/** Newlines at the end of a value are no part of what is masked. */
const fingerprint = (salt: string, name: string, value: string): Promise<string> =>
  new Promise((resolve, reject) => {
    scrypt(
      withoutEnd(Buffer.from(value), [newline, carriageReturn]),
      `${salt} ${name}`,
      printBytes,
      cost,
      (error, key) => {
        if (error === null) resolve(key.toString('hex'));
        else reject(error);
      },
    );
  });

/** Throws as the file system does. */
export const writeFingerprints = async (file: string, { salt, of }: Fingerprints): Promise<void> => {
  const { O_WRONLY, O_CREAT, O_TRUNC, O_NOFOLLOW } = constants;
  const to = await open(file, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW, 0o600);
  try {
    await to.writeFile([`salt ${salt}\n`, ...[...of].map(([name, print]) => `${name} ${print}\n`), 'end\n'].join(''));
  } finally {
    await to.close();
  }
};

/** Null: there are none, or not all of them. Throws where that cannot be read now. */
export const readFingerprints = async (file: string): Promise<Fingerprints | null> => {
  const text = await readFile(file, 'latin1').catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && notThere.has(String(error.code))) return '';
    throw error;
  });
  const [, salt, lines] = /^salt ([0-9a-f]{32})\n((?:\w+ [0-9a-f]{4}\n)*)end\n$/.exec(text) ?? [];
  if (salt === undefined || lines === undefined) return null;
  return {
    salt,
    of: new Map([...lines.matchAll(/^(\w+) (\w+)$/gm)].map(([, name = '', print = '']) => [name, print])),
  };
};

const notThere: ReadonlySet<string> = new Set(['ENOENT', 'ENOTDIR', 'EACCES']);
