const longestName = 100;
/** As long as Secrets Manager takes them. */
const longestId = 2048;

/** Why `name` can be no variable with a secret in it, as the end of a sentence; null when it can. */
export const secretNameProblem = (name: string): string | null => {
  if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name))
    return 'a variable has letters, digits and _, and does not begin with a digit';
  if (name.length > longestName) return `its variable has more than ${longestName} characters`;
  return name.startsWith('ORCA_') ? "variables that begin with ORCA_ are orca's own" : null;
};

/** Why `id` can name no secret, as the end of a sentence; null when it can. */
export const secretIdProblem = (id: string): string | null => {
  if (id === '') return 'it does not say where the secret is kept';
  if (id.length > longestId) return `the name of a secret has at most ${longestId} characters`;
  // It is the last word of a command, and stands in texts.
  if (id.startsWith('-')) return 'a name that begins with - would be read as an option';
  if (/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u.test(id)) return 'the name of a secret has no control characters';
  const path = filePathOf(id);
  return path === null || path.startsWith('/') ? null : 'the path after file: is not absolute';
};

const filePrefix = 'file:';
const variablePrefix = 'env:';

/** The path that `file:PATH` names; null for any other. */
export const filePathOf = (id: string): string | null =>
  id.startsWith(filePrefix) ? id.slice(filePrefix.length) : null;

/** The variable that `env:NAME` names; null for any other. */
export const variableOf = (id: string): string | null =>
  id.startsWith(variablePrefix) ? id.slice(variablePrefix.length) : null;
