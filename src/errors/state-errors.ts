import { entries } from './entry.ts';

/** The state folder. */
export const stateErrors = entries({
  'state-link': {
    message: 'The state folder {path} is a symbolic link, which another program could point elsewhere.',
    hint: 'Set ORCA_HOME to the folder that it points to.',
    exit: 120,
    http: 500,
  },
  'state-not-folder': {
    message: 'The state folder {path} is not a folder.',
    hint: 'Move that file away, or set ORCA_HOME to a folder of your own.',
    exit: 120,
    http: 500,
  },
  'state-not-ours': {
    message: 'The folder {path} is not empty and is no state folder of orca.',
    hint: 'Set ORCA_HOME to a folder that is empty, or that is not there yet.',
    exit: 120,
    http: 500,
  },
  'state-foreign': {
    message: 'The state folder {path} belongs to user {owner}, and you are user {uid}.',
    hint: 'Set ORCA_HOME to a folder of your own; every user has an own daemon.',
    exit: 120,
    http: 500,
  },
  'state-shared': {
    message: 'Others may write into the state folder {path} (its mode is {mode}), so they could run commands as you.',
    hint: 'Run `chmod go-w {path}`, or set ORCA_HOME to another folder.',
    exit: 120,
    http: 500,
  },
  'state-unwritable': {
    message: 'The state folder {path} cannot be written: {why}.',
    hint: 'Set ORCA_HOME to a folder that you may write.',
    exit: 120,
    http: 500,
  },
  'state-full': {
    message: 'The file system of the state folder {path} is full: {why}.',
    hint: 'Make room there, or set ORCA_HOME to a folder elsewhere.',
    exit: 120,
    http: 507,
  },
  'state-network': {
    message: 'The state folder {path} is on a network file system ({type}), where locks do not hold.',
    hint: 'Set ORCA_HOME to a folder on a disk of this machine.',
    exit: 120,
    http: 500,
  },
});
