import type { Command } from 'commander';
import type { Act } from './act.ts';
import { jsonOption } from './request-flags.ts';

/** The commands that mind the daemon and what it keeps. */
export function addDaemonCommands(program: Command, act: Act): void {
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
    .option('--unchecked', 'also where nobody can say whether the values are those that the start had')
    .argument('<stage>')
    .argument('<log>')
    .action(
      act(async (context, stage: string, log: string, options: object) =>
        (await import('./keep-log.ts')).keepLog(context, stage, log, options),
      ),
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
