import { Command } from 'commander';
import type { Act } from './act.ts';
import type { Context } from './context.ts';
import { addDaemonCommands } from './daemon-commands.ts';
import type { Output } from './output.ts';
import { addRoomCommands } from './room-commands.ts';
import { addReadCommands, addSample } from './read-commands.ts';
import { addRunCommands } from './run-commands.ts';
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

const footer = `
Exit statuses of run and wait: the command's own up to 96; 97 timed out, 98 a signal or a code above 96, 99 out of memory,
120 bad usage or refused, 121 lost or never started, 122 the wait broke, 124 the waiter's time limit, 125 killed, 127 unknown run.`;
