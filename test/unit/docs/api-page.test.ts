import assert from 'node:assert/strict';
import { glob } from 'node:fs/promises';
import { test } from 'node:test';
import { createApp, type Served } from '../../../src/api/app.ts';
import { page, root } from './page.ts';

/** The routes are there without a daemon behind them; none is called here. */
const routes = createApp({} as Served).routes.filter(({ method }) => method !== 'ALL');
const api = page('docs/api.md');

test('docs/api.md has every route of the daemon, and no other', () => {
  const served = routes.map(({ method, path }) => `${method} ${path}`);
  const told = [...api.matchAll(/^\| `((?:GET|POST) \/\S+)`/gm)].map((match) => match[1]);
  assert.ok(served.length >= 12);
  assert.deepEqual(new Set(told), new Set(served));
});

test('docs/api.md names every kind of event that the daemon writes', async () => {
  const kinds = new Set<string>();
  for await (const file of glob('src/scheduler/*.ts', { cwd: root })) {
    for (const [, kind = ''] of page(file).matchAll(/\bkind: '([a-z-]+)',\s+data\b/g)) kinds.add(kind);
  }
  assert.ok(kinds.size >= 6, `${[...kinds].join(', ')}`);
  for (const kind of kinds) assert.ok(api.includes(`\`${kind}\``), kind);
});
