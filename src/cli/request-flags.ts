import { Option, type Command } from 'commander';
import { collect } from './collect.ts';
import { withNeeds } from './declare-needs.ts';

export const jsonOption = (what: string): Option => new Option('--json', `print ${what} as JSON`);

/** The options of whoever asks for runs. */
export function withRequest(command: Command): Command {
  return withNeeds(command)
    .option('--cpus <n>', 'cpus it needs; decimals count (default 1)')
    .option('--memory <min[..max]>', 'memory it starts with, and up to which it may be tried again: 2GB, 512MB..4GB')
    .option('--retries <n>', 'further starts after a failure (default 0)')
    .option('--timeout <duration>', 'time limit of each start: 90s, 1h30m')
    .option('--oom-exit <code[,code]>', 'exit codes by which it says that it died for memory: 134')
    .option('--oom-text <text>', 'a text at the end of its standard error that says the same')
    .option('--oom-retry <which>', 'deaths for memory to try again: proved (default), reported, never')
    .option('--placement <where>', 'where it runs: default, control, worker:<pool>, ec2, slurm, kube')
    .option('--secret <name=id>', 'set a variable to a secret when it starts; can be repeated', collect)
    .option('--priority <n>', 'higher ones start first (default 0)')
    .option('--name <name>', 'a name shown in lists')
    .option('--cwd <dir>', 'folder to run in (default: this one)')
    .option('--env <name=value>', 'set a variable; can be repeated', collect)
    .option('--capture-env <what>', "what it gets of the caller's environment: all (default), minimal, none")
    .option(
      '--memory-env <what>',
      'tell it how much memory each start has: java, node, or NAME=FORMAT with {mb} or {bytes}; can be repeated',
      collect,
    )
    .option('--input <file>', 'a file or folder that it reads, whose size is recorded; can be repeated', collect)
    .option('--as <name>', 'who submits it, for fair shares (default: the terminal or program it comes from)')
    .passThroughOptions();
}
