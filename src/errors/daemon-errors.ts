import { entries } from './entry.ts';

/** The client’s way to the daemon, and the daemon’s own trouble. */
export const daemonErrors = entries({
  'daemon-unstartable': {
    message: 'The daemon could not be started: {why}.',
    hint: 'Its own words are in {log}; `orca doctor` checks the rest.',
    exit: 121,
    http: 500,
  },
  'daemon-gone': {
    message: 'The daemon does not answer ({why}), and did not come back within {seconds} s.',
    hint: 'Runs that were begun go on under their keepers. `orca up` starts the daemon, `orca doctor` looks for the cause.',
    exit: 122,
    http: 500,
  },
  'daemon-gone-inside': {
    message:
      'The daemon does not answer, and did not come back within {seconds} s. This command is part of run {run}, so it starts none: that would end with the run.',
    hint: 'Run `orca up` outside of the run.',
    exit: 122,
    http: 500,
  },
  'daemon-silent': {
    message: 'A daemon (pid {pid}) is in charge of {state}, but it does not answer.',
    hint: '`kill -9 {pid}` ends it: it is made for that. Runs go on, and the next command starts another.',
    exit: 122,
    http: 500,
  },
  'daemon-closing': {
    message: 'The daemon is just handing over to another one.',
    hint: 'Try again in a moment.',
    exit: 122,
    http: 503,
  },
  'answer-unreadable': {
    message: 'The daemon answered {path} with something that is not expected: {why}.',
    hint: 'Client and daemon may be of different versions: `orca restart` starts the newer one.',
    exit: 122,
    http: 500,
  },
  'request-invalid': {
    message: 'The request cannot be used: {why}.',
    hint: 'docs/api.md says what a request holds, and docs/cli.md what each option may be.',
    exit: 120,
    http: 400,
  },
  'route-unknown': {
    message: 'The daemon has nothing at {path}.',
    hint: 'The paths of the API are listed in docs/api.md.',
    exit: 120,
    http: 404,
  },
  'api-mismatch': {
    message: 'This client speaks API {client}, the running daemon API {daemon}.',
    hint: 'Use the orca that the daemon runs, or let the newer one take over with `orca restart`.',
    exit: 120,
    http: 426,
  },
  internal: {
    message: 'The daemon failed at this: {what}.',
    hint: 'Its log says more: daemon.log in the state folder. What was accepted before is kept.',
    exit: 122,
    http: 500,
  },
  unexpected: {
    message: 'orca failed in a way that it does not know: {why}.',
    hint: 'Please report it, with the command that you gave. ORCA_TRACE=1 shows where it happened.',
    exit: 122,
    http: 500,
  },
});
