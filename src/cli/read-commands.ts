import { Option, type Command } from 'commander';
import type { Act } from './act.ts';
import { collect } from './collect.ts';
import { jsonOption } from './request-flags.ts';
import type { SampleOptions } from './sample-options.ts';

/** The commands that look. */
export function addReadCommands(program: Command, act: Act): void {
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
export function addSample(program: Command, act: Act): void {
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
