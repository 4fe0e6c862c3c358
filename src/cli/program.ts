import { Command, Option } from 'commander';
import type { Context } from './context.ts';
import { withNeeds } from './declare-needs.ts';
import type { Output } from './output.ts';
import { addRoomCommands } from './room-commands.ts';
import type { SampleOptions } from './sample-options.ts';
import { checkNotEmpty, unknownCommand, usageError } from './usage-error.ts';

export interface ProgramParts {
  readonly out: Output;
  readonly err: Output;
  readonly version: string;
  /** Errors are JSON, and alone on standard error. */
  readonly json: boolean;
  /** Made only when a command runs: help and usage errors need no settings. */
  readonly context: () => Promise<Context>;
  readonly exit: (status: number) => void;
}

/** The command line. Each command's code is imported when it runs. */
export async function makeProgram(parts: ProgramParts): Promise<Command> {
  const program = new Command('orca')
    .description(
      'Runs heavy commands one beside the other, never lets one take the others down, and says truly how each ended.',
    )
    .version(parts.version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print help')
    .helpCommand(false)
    .enablePositionalOptions()
    .configureOutput({
      // Whoever waits for the output hears of it.
      writeOut: (text) => void parts.out.write(text).catch(() => undefined),
      writeErr: (text) => void (parts.json ? undefined : parts.err.write(text)),
      // Usage errors are told as all others are.
      outputError: () => undefined,
    })
    .addHelpText('after', footer);
  const act =
    <Args extends readonly unknown[]>(command: (context: Context, ...args: Args) => Promise<number>) =>
    async (...args: Args): Promise<void> => {
      // Commander's own last argument.
      const typed: unknown = args.at(-1);
      if (typed instanceof Command) checkNotEmpty(typed);
      parts.exit(await command(await parts.context(), ...args));
    };
  addRunCommands(program, act);
  addReadCommands(program, act);
  addDaemonCommands(program, act);
  addRoomCommands(program, act);
  addSample(program, act);
  addSchema(program, act);
  addHelp(program, parts.out);
  overrideExit(program);
  return program;
}

/** Each command hears of its own errors, so that they can name its help. */
function overrideExit(command: Command): void {
  command.exitOverride((cause) => {
    throw cause.exitCode === 0 || cause.code === 'commander.help' ? cause : usageError(cause, command);
  });
  for (const below of command.commands) overrideExit(below);
}

/** Commander's own shows the whole help for a command that it does not know. */
function addHelp(program: Command, out: Output): void {
  program
    .command('help')
    .description('Prints help for a command; `orca help agents`: all that a program needs, on one page.')
    .argument('[command...]')
    .action(async (names: string[]) => {
      if (names[0] === 'agents' && names.length === 1) {
        await out.write((await import('./agents-page.ts')).agentsPage);
        return;
      }
      let found = program;
      for (const name of names) {
        const next = found.commands.find((command) => command.name() === name);
        if (next === undefined) throw unknownCommand(name, found);
        found = next;
      }
      found.outputHelp();
      // Its own write is not waited for.
      await out.write('');
    });
}

function addSchema(program: Command, act: Act): void {
  program
    .command('schema')
    .description('Prints the JSON Schema of what a command prints with --json; without one, the commands that do.')
    .argument('[command...]')
    .action(act(async (context, words: string[]) => (await import('./schema.ts')).schema(context, words)));
}

export type Act = <Args extends readonly unknown[]>(
  command: (context: Context, ...args: Args) => Promise<number>,
) => (...args: Args) => Promise<void>;

const footer = `
Exit statuses of run and wait: the command's own up to 96; 97 timed out, 98 a signal or a code above 96, 99 out of memory,
120 bad usage or refused, 121 lost or never started, 122 the wait broke, 124 the waiter's time limit, 125 killed, 127 unknown run.`;

const collect = (value: string, before: readonly string[] | undefined): readonly string[] => [...(before ?? []), value];
const jsonOption = (what: string): Option => new Option('--json', `print ${what} as JSON`);

function withRequest(command: Command): Command {
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

function addRunCommands(program: Command, act: Act): void {
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

function addReadCommands(program: Command, act: Act): void {
  program
    .command('status')
    .description(
      'Tells the whole story of a run, or how a group stands (g12); without a number, how the daemon is doing.',
    )
    .addOption(jsonOption('it'))
    .argument('[run]')
    .action(
      act(async (context, run: string | undefined, options: object) =>
        (await import('./status.ts')).status(context, run, options),
      ),
    );
  program
    .command('list')
    .description('Lists the runs that are not over.')
    .option('--all', 'those that are over, too')
    .option('--state <state>', 'only those in this state; can be repeated', collect)
    .option('--tag <tag>', 'only those that bear this tag; can be repeated', collect)
    .option('--group <group>', 'only those of this group: g12')
    .option('--key <key>', 'only those with this key')
    .option('--name <name>', 'only those of this name')
    .option('--limit <n>', 'at most so many, the newest (default 50)')
    .addOption(jsonOption('them'))
    .action(act(async (context, options: object) => (await import('./list.ts')).list(context, options)));
  program
    .command('explain')
    .summary('Tells in few lines what happened to a run, and why.')
    .description(
      'Tells in few lines why a run waited, started as it did, died, was made bigger, and what comes next; with times and evidence.',
    )
    .addOption(jsonOption('it'))
    .argument('<run>')
    .action(
      act(async (context, run: string, options: object) =>
        (await import('./explain.ts')).explain(context, run, options),
      ),
    );
  program
    .command('events')
    .summary('Tells what happened, in its order.')
    .description('Tells what happened, in its order, and the number where to go on; --follow goes on from now.')
    .option('--since <when>', 'after this event (417), or from then on: 10m, 2026-11-30T08:12:03Z')
    .option('-f, --follow', 'go on until it is interrupted')
    .option('--run <run>', 'only of this run or group; can be repeated', collect)
    .option('--kind <kind>', 'only of this kind; can be repeated, or several with commas', collect)
    .addOption(jsonOption('each on a line'))
    .action(act(async (context, options: object) => (await import('./events.ts')).events(context, options)));
  program
    .command('top')
    .summary('Shows the machine and all runs, as they are now.')
    .description(
      'Shows the machine, what runs and what waits, until it is left; keys choose a run, open its story, follow it, end it. Off a terminal: one picture.',
    )
    .addOption(jsonOption('it once'))
    .action(act(async (context, options: object) => (await import('./top.ts')).top(context, options)));
  program
    .command('logs')
    .description("Prints what a run wrote: its last start's standard output and error.")
    .option('-f, --follow', 'go on until the start has ended')
    .option('--tail <n>', 'only the last n lines')
    .addOption(new Option('--since <when>', 'only what was written since then').conflicts('tail'))
    .option('--stdout', 'only standard output')
    .option('--stderr', 'only standard error')
    .option('--start <n>', 'of this start')
    .option('--raw', 'with --tail: lines that were written over (progress bars) as they are')
    .argument('<run>')
    .action(
      act(async (context, run: string, options: object) => (await import('./logs.ts')).logs(context, run, options)),
    );
  program
    .command('metrics')
    .summary('Shows what a run used over time.')
    .description('Shows what a run used over time: a summary, and a chart of its memory.')
    .addOption(jsonOption('its samples, one on a line,'))
    .argument('<run>')
    .action(
      act(async (context, run: string, options: object) =>
        (await import('./metrics.ts')).metrics(context, run, options),
      ),
    );
}

/** Runs beside the work, also where no daemon is. */
function addSample(program: Command, act: Act): void {
  program
    .command('sample')
    .summary('Writes down what a machine and a run use, every few seconds.')
    .description(
      'Writes a JSON line every few seconds: what the machine has and does, and what the memory of a run is. It never fails what it watches.',
    )
    .requiredOption(
      '--out <location>',
      'a file, s3://bucket/key, or `-`: standard output, with `orca-sample ` before each line',
    )
    .option(
      '--pid <pid>',
      'the process to watch, with all that descends from it; the last line comes when it has ended',
    )
    .option('--until <file>', 'the last line comes when there is such a file')
    .option('--match <path>', 'count the memory of all processes whose command is this, too')
    .option(
      '--dirs <dir,...>',
      'folders whose file systems are told (default: TMPDIR or /tmp, DISTA_SPILL_DIR, DISTA_STORE_DIR)',
    )
    .option('--seconds <s>', 'time between two lines (default: ORCA_SAMPLE_SECONDS, 5)')
    .option('--count <n>', 'end after so many lines')
    .option('--keep <n>', 'keep only about the last n lines')
    .option('--cgroup <dir>', 'tell the memory of each Docker container below this /sys/fs/cgroup')
    .option('--names <dir>', 'take the names of containers from this /var/lib/docker/containers')
    .action(act(async (context, options: SampleOptions) => (await import('./sample.ts')).sample(context, options)));
}

function addDaemonCommands(program: Command, act: Act): void {
  program
    .command('up')
    .description('Has the daemon run, and start what is queued.')
    .addOption(jsonOption('the daemon'))
    .action(act(async (context, options: object) => (await import('./up.ts')).up(context, options)));
  program
    .command('down')
    .description('Has the daemon leave; nothing is started until `orca up`. What runs goes on.')
    .option('--drain', 'let the running runs end first')
    .addOption(jsonOption('the daemon'))
    .action(act(async (context, options: object) => (await import('./down.ts')).down(context, options)));
  program
    .command('restart')
    .description('Has the daemon start anew, with the program as it is installed now. What runs goes on.')
    .addOption(jsonOption('the daemon'))
    .action(act(async (context, options: object) => (await import('./restart.ts')).restart(context, options)));
  program
    .command('keep-log', { hidden: true })
    .description('Takes an output that stayed in the stage into its log; what ORCA_SECRETS names is masked.')
    .argument('<stage>')
    .argument('<log>')
    .action(
      act(async (context, stage: string, log: string) => (await import('./keep-log.ts')).keepLog(context, stage, log)),
    );
  program
    .command('doctor')
    .description('Checks what this machine and installation give orca.')
    .addOption(jsonOption('the findings'))
    .action(act(async (context, options: object) => (await import('./doctor.ts')).doctor(context, options)));
  program
    .command('config')
    .description('Shows the settings.')
    .command('show')
    .description('Shows every setting: its value, where it came from, whose it is, what it means.')
    .addOption(jsonOption('them'))
    .action(act(async (context, options: object) => (await import('./config-show.ts')).configShow(context, options)));
}
