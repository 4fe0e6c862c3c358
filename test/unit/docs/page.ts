import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export const root = join(import.meta.dirname, '../../..');

/** A page of the checkout, by its path from the root. */
export const page = (path: string): string => readFileSync(join(root, path), 'utf8');

/** The text under each `## heading` of a page. */
export const sectionsOf = (path: string): Map<string, string> =>
  new Map(
    page(path)
      .split(/^## /m)
      .slice(1)
      .map((section) => {
        const end = section.indexOf('\n');
        return [section.slice(0, end).trim(), section.slice(end + 1)];
      }),
  );
