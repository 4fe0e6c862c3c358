import { entries } from './entry.ts';

/** The store, on a disk or in Postgres. */
export const storeErrors = entries({
  'store-unwritable': {
    message: 'The store {file} cannot be opened or written: {why}.',
    hint: 'Its folder must be there, belong to you and be writable. ORCA_HOME names another state folder.',
    exit: 120,
    http: 500,
  },
  'store-full': {
    message: 'The disk of the store {file} is full: {why}. Nothing new is accepted; what was accepted before is kept.',
    hint: 'Make room on that disk, then try again.',
    exit: 120,
    http: 507,
  },
  'store-busy': {
    message: 'Another program has held the store {file} for over 5 s: {why}.',
    hint: 'Find it with `fuser {file}` and end it; only one daemon may use a store.',
    exit: 120,
    http: 503,
  },
  'store-io': {
    message: 'The disk of the store {file} failed: {why}.',
    hint: 'Look at the kernel log (`dmesg`) for that disk.',
    exit: 120,
    http: 500,
  },
  'store-corrupt': {
    message: 'The store {file} is damaged, or is not a store of orca: {why}.',
    hint: 'Move it away to begin with an empty one, or put back a copy of it.',
    exit: 120,
    http: 500,
  },
  'store-newer': {
    message: 'A newer orca changed this store: it needs schema {needs}, and this program understands {understood}.',
    hint: 'Use the newer orca, or another state folder (ORCA_HOME).',
    exit: 120,
    http: 500,
  },
  'store-unreachable': {
    message: 'Postgres cannot be reached: {why}.',
    hint: 'Check that the server runs, and the address, user and database that orca was given.',
    exit: 120,
    http: 503,
  },
  'postgres-too-old': {
    message: 'The server is PostgreSQL {version}; orca needs 15 or newer.',
    hint: 'Upgrade the server, or leave the address out to use the embedded store.',
    exit: 120,
    http: 500,
  },
});
