import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { page, root } from './page.ts';

const markdownIn = (folder: string): string[] =>
  readdirSync(join(root, folder))
    .filter((name) => name.endsWith('.md'))
    .map((name) => join(folder, name));

const pages = ['README.md', 'ARCHITECTURE.md', 'CHANGELOG.md', ...markdownIn('docs'), ...markdownIn('docs/decisions')];

/** As a forge makes them of headings. */
const anchorsOf = (text: string): Set<string> =>
  new Set(
    [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
      heading
        .toLowerCase()
        .replace(/[^\p{L}\p{N} _-]/gu, '')
        .replaceAll(' ', '-'),
    ),
  );

for (const path of pages) {
  test(`every link within the checkout in ${path} leads somewhere`, () => {
    for (const [, link = ''] of page(path).matchAll(/\]\(([^)\s]+)\)/g)) {
      if (/^[a-z]+:/.test(link)) continue;
      const [file = '', anchor] = link.split('#');
      const target = file === '' ? path : join(dirname(path), file);
      assert.ok(existsSync(join(root, target)), `${link} in ${path}`);
      if (anchor !== undefined) assert.ok(anchorsOf(page(target)).has(anchor), `${link} in ${path}`);
    }
  });
}

test('docs/README.md leads to every page of docs', () => {
  const index = page('docs/README.md');
  for (const path of markdownIn('docs')) {
    const name = path.slice('docs/'.length);
    if (name !== 'README.md') assert.ok(index.includes(`](${name})`), name);
  }
});

test('the files that pages name in src, native, tools and test are there', () => {
  for (const path of pages) {
    for (const [, named = ''] of page(path).matchAll(/`((?:src|native|tools|test)\/[\w./-]+\.(?:ts|c|h|sh))`/g)) {
      assert.ok(existsSync(join(root, named)), `${named} in ${path}`);
    }
  }
});
