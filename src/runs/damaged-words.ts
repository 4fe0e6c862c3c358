/** Why a run is not started of whose record something cannot be read. */
export const damagedWords = ({ run, what }: { readonly run: number; readonly what: string }): string =>
  `is not started: its record in the store is damaged (${what}), so that nobody knows what it was to be; \`orca kill ${run}\` ends it`;
