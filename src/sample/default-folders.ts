/** The folders that a run writes to, by its environment: the temporary one and dista's (seed 001: default_dirs). */
export const defaultFolders = (env: Readonly<Record<string, string | undefined>>): string[] => {
  const given = (name: string): string[] => {
    const folder = env[name] ?? '';
    return folder === '' ? [] : [folder];
  };
  const temporary = given('TMPDIR');
  return [...(temporary.length > 0 ? temporary : ['/tmp']), ...given('DISTA_SPILL_DIR'), ...given('DISTA_STORE_DIR')];
};
