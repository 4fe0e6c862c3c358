/** A run's captured entries with a start's own in their place, so that no name is there twice: which one a program finds would be chance. */
export const startEnvironment = (captured: readonly string[], own: readonly string[]): string[] => {
  const names = new Set(own.map(nameOf));
  return [...captured.filter((entry) => !names.has(nameOf(entry))), ...own];
};

const nameOf = (entry: string): string => entry.slice(0, entry.indexOf('='));
