const given = (name: string): string => {
  const value = process.env[name];
  if (value === undefined) throw new Error(`${name} is not set: this suite is started by \`npm run test:vm\``);
  return value;
};

/** The folder of the cgroup in which tests make theirs. */
export const baseCgroup = given('ORCA_TEST_CGROUP');

/** The program of eat.c. */
export const eat = given('ORCA_TEST_EAT');

/** A folder on a disk: its page cache can be written back, as that of a tmpfs cannot. */
export const diskFolder = given('ORCA_TEST_DISK');
