/** Shorter values are masked as whole words only: they would be in every second line. */
export const shortest = 8;

/** Values that texts hold for reasons of their own; those under eight letters are short anyway. */
const common = new Set(
  (
    'password username localhost postgres postgresql production development changeme anonymous administrator undefined ' +
    'disabled enabled unknown internal external database security infinity credentials configuration environment'
  ).split(' '),
);

/** Whether a value is masked only where it stands as a word of its own: a short one, digits only, or a common word. */
export const isWeak = (value: Uint8Array): boolean => {
  if (value.length < shortest) return true;
  const text = Buffer.from(value).toString('latin1');
  return /^\d+$/.test(text) || common.has(text.toLowerCase());
};
