import { Option, type Command } from 'commander';
import type { Act } from './act.ts';
import { collect } from './collect.ts';
import { jsonOption, withRequest } from './request-flags.ts';

/** The commands that make runs, wait for them and end them. */
export function addRunCommands(program: Command, act: Act): void {
  withRequest(program.command('run'))
    .summary('Runs a command and exits as it did.')
    .description(
      'Queues a command, shows its output, and exits as it did. It belongs to this process: an interrupt stops it.',
    )
    .option('--live', 'pass standard output on as it comes, though a second start may write it again')
    .option('--stdin <file>', 'read standard input from this file; `none` for nothing')
    .addOption(new Option('--json', 'print how it ended as JSON, and nothing else on standard output'))
    .argument('<command...>', 'the command and its arguments; no shell reads them')
    .action(
      act(async (context, command: string[], options: object) =>
        (await import('./run.ts')).run(context, command, options),
      ),
    );
  withRequest(program.command('submit'))
    .summary('Queues a command and prints its number.')
    .description(
      'Queues a command, or one for each line of a file, prints the numbers of the runs, and leaves them to the daemon.',
    )
    .option(
      '--each-line <file>',
      'one run for each line of the file (`-`: standard input); `{}` in an argument stands for the line',
    )
    .option('--max-parallel <n>', 'with --each-line: how many of them may go on at once')
    .option('--wait', 'wait for all of them, and exit as the first that did not succeed')
    .option('--stdin <file>', 'read standard input from this file (default: nothing)')
    .addOption(jsonOption('the numbers, or with --wait each run that ended,'))
    .argument('<command...>', 'the command and its arguments; no shell reads them')
    .action(
      act(async (context, command: string[], options: object) =>
        (await import('./submit.ts')).submit(context, command, options),
      ),
    );
  program
    .command('wait')
    .summary('Waits for runs and exits as they did.')
    .description(
      'Waits until the runs have ended; exits as the first of them (as given) that did not succeed. g12 stands for all of a group.',
    )
    .option('--next', 'only for the first that ends, also before: print its number, state, exit status and event')
    .option('--since <event>', 'with --next: the first that was told as ended after this event')
    .option('--tag <tag>', 'all that are not over and bear this tag; can be repeated', collect)
    .option('--timeout <duration>', 'stop waiting after so long, with status 124')
    .addOption(jsonOption('each run, when it has ended, on a line'))
    .argument('[run...]')
    .action(
      act(async (context, runs: string[], options: object) => (await import('./wait.ts')).wait(context, runs, options)),
    );
  program
    .command('kill')
    .description('Ends runs, in whatever state they are; g12 stands for all of a group.')
    .option('--now', 'without the grace that SIGTERM gives')
    .option('--tag <tag>', 'all that are not over and bear this tag; can be repeated', collect)
    .addOption(jsonOption('the answers'))
    .argument('[run...]')
    .action(
      act(async (context, runs: string[], options: object) => (await import('./kill.ts')).kill(context, runs, options)),
    );
  program
    .command('pause')
    .summary('Starts nothing more until `orca resume`; what runs goes on.')
    .description(
      'Holds back what waits: the runs and groups that are named, or without any the whole queue. What runs goes on.',
    )
    .option('--tag <tag>', 'all that wait and bear this tag; can be repeated', collect)
    .option('--reason <text>', 'why, for whoever looks')
    .option('--drain', 'wait until what runs of it has ended')
    .addOption(jsonOption('what was done'))
    .argument('[run...]')
    .action(
      act(async (context, runs: string[], options: object) =>
        (await import('./pause.ts')).pause(context, runs, options),
      ),
    );
  program
    .command('resume')
    .summary('Lets start what `orca pause` held back.')
    .description('Lets the runs and groups that are named start again, or without any the queue.')
    .option('--tag <tag>', 'all that wait and bear this tag; can be repeated', collect)
    .addOption(jsonOption('what was done'))
    .argument('[run...]')
    .action(
      act(async (context, runs: string[], options: object) =>
        (await import('./pause.ts')).resume(context, runs, options),
      ),
    );
  program
    .command('forget')
    .description("Forgets the raise of a run's command: later runs begin with the memory that they ask for.")
    .addOption(jsonOption('whether anything was known'))
    .argument('<run>')
    .action(
      act(async (context, run: string, options: object) => (await import('./forget.ts')).forget(context, run, options)),
    );
  program
    .command('retry')
    .summary('Queues runs of the same commands again.')
    .description(
      'Queues a new run of the same command, folder and request for each, and prints its number; for a group (g12) those that did not succeed.',
    )
    .option('--env <name=value>', 'set a variable; can be repeated', collect)
    .option('--as <name>', 'who submits it, for fair shares (default: the terminal or program it comes from)')
    .addOption(jsonOption('the numbers'))
    .argument('<run...>')
    .action(
      act(async (context, runs: string[], options: object) =>
        (await import('./retry.ts')).retry(context, runs, options),
      ),
    );
}
