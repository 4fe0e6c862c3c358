import { entries } from './entry.ts';

/** What runs wrote, on its way into the logs and out of them. */
export const logErrors = entries({
  'stage-full': {
    message: '{path} (ORCA_LOG_STAGE) has less than 1 MB of room, and what the run writes goes there first.',
    hint: 'Make room there, or set ORCA_LOG_STAGE to a larger place; `orca doctor` says whether output waits there.',
    exit: 120,
    http: 507,
  },
  'logs-unwritable': {
    message: 'The folder {path}, where the run would write, cannot be made: {why}.',
    hint: 'Set ORCA_LOGS to a folder that you may write, and `orca restart`.',
    exit: 120,
    http: 500,
  },
  'log-no-file': {
    message: 'What the run wrote cannot be read: {path} is no ordinary file.',
    hint: 'Somebody put something else in its place. Move that away; what the run wrote before may be gone.',
    exit: 120,
    http: 409,
  },
  'log-kept-back': {
    message: 'What run {run} wrote is not in its log yet, and cannot be masked now: {why}.',
    hint: 'It stays in ORCA_LOG_STAGE and is tried again by itself, from time to time, and at once after `orca restart`. By hand, with the values as they were: `{hand}`.',
    exit: 120,
    http: 409,
  },
  'log-values-lost': {
    message: 'What run {run} wrote is not in its log, and cannot be masked any more: {why}.',
    hint: 'It stays in ORCA_LOG_STAGE and is not tried again by itself, except after `orca restart`. With the values as they were `{hand}` takes it into the log; without them it goes with its run (`orca gc`).',
    exit: 120,
    http: 409,
  },
  'values-unsure': {
    message: 'Nothing of {stage} was taken into a log, since a secret could get there in clear: {why}.',
    hint: '{help}.',
    exit: 120,
    http: 400,
  },
  'log-object-gone': {
    message: 'What run {run} wrote is not at {place} any more, where it was moved to.',
    hint: 'Somebody, or a rule of that bucket, deleted it. ORCA_KEEP_DAYS says how long orca keeps it.',
    exit: 120,
    http: 410,
  },
  'log-object-unreachable': {
    message: 'What run {run} wrote lies at {place}, which cannot be read now: {why}.',
    hint: 'Try again once that storage can be reached with the credentials of the daemon (docs/logs.md).',
    exit: 120,
    http: 503,
  },
});
