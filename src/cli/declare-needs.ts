import type { Command } from 'commander';
import { collect } from './collect.ts';

/** What `run` and `submit` take besides a run's size: what it waits for, what it shares, how it is found again. */
export function withNeeds(command: Command): Command {
  return command
    .option('--gpus <n>', 'whole GPUs that it needs (default 0)')
    .option('--lock <name>', 'a name that one run at a time may hold; can be repeated', collect)
    .option(
      '--resource <name[=n]>',
      'part of a counted resource of config.toml (default 1 of it); can be repeated',
      collect,
    )
    .option(
      '--after <id[:any]>',
      'start once this run, or group (g12), succeeded; `:any`: however it ended; can be repeated',
      collect,
    )
    .option(
      '--retry-on <what>',
      'what --retries covers: exit codes, failed, timed-out (75,timed-out); what is lost always (default failed)',
    )
    .option('--key <key>', 'names this piece of work: asked for again, it gives the run that is there')
    .option('--key-window <duration>', 'for how long a success holds its key (default 1d; 0: only until it is over)')
    .option('--tag <tag>', 'a word to find it by; can be repeated', collect)
    .option(
      '--id-file <file>',
      'write the number of the run, or the handle of the group, to this file once it is accepted',
    );
}
