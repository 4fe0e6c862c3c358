#!/usr/bin/env node
// The installed package's `orca` and `orcactl`. In a checkout, ./orca does this and its own set-up besides.
const [major] = process.versions.node.split('.');
if (Number(major) < 24) {
  console.error(
    `orca: it needs Node 24 or newer, and ${process.execPath} is ${process.version}: put a newer one first on PATH.`,
  );
  process.exit(120);
}
await import('../dist/packed.js');
