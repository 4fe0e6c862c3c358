import { Option, type Command } from 'commander';
import type { Act } from './act.ts';

/** What is on disk, and its deletion. */
export function addRoomCommands(program: Command, act: Act): void {
  program
    .command('gc')
    .summary('Deletes runs that are over, with their logs.')
    .description(
      'Deletes runs that are over, with their logs and samples: those that --older-than and --keep say, else those that the settings say (ORCA_KEEP_DAYS, ORCA_KEEP_LOGS_MB), as the daemon does every hour. Never what unfinished runs or a key still need.',
    )
    .option('--older-than <duration>', 'those that ended so long ago: 12h, 7d')
    .option('--keep <n>', 'all but the newest n')
    .option('--dry-run', 'only say what would be deleted')
    .addOption(new Option('--json', 'print what was deleted as JSON'))
    .action(act(async (context, options: object) => (await import('./gc.ts')).gc(context, options)));
  program
    .command('du')
    .description('Shows what orca has on disk, and the ten largest runs.')
    .addOption(new Option('--json', 'print it as JSON'))
    .action(act(async (context, options: object) => (await import('./du.ts')).du(context, options)));
}
