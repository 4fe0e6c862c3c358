import { isWeak } from './common-values.ts';

/** What of a value is masked by itself too: its lines, and the texts inside when it is JSON, as secrets of Amazon's often are; no weak ones. */
export const valueParts = (value: Uint8Array): readonly Uint8Array[] => {
  const whole = Buffer.from(value);
  const text = whole.toString('latin1');
  const lines = text.includes('\n') ? text.split('\n').map((line) => Buffer.from(line.trim(), 'latin1')) : [];
  const leaves = jsonTexts(whole.toString()).map((leaf) => Buffer.from(leaf));
  const parts = [...lines, ...leaves, ...leaves.flatMap((leaf) => valueParts(leaf))];
  return parts.filter((part) => !isWeak(part) && !whole.equals(part));
};

const jsonTexts = (text: string): string[] => {
  if (!/^\s*[[{]/.test(text)) return [];
  try {
    return textsIn(JSON.parse(text));
  } catch {
    return [];
  }
};

const textsIn = (value: unknown): string[] => {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
};
