import type { Command, CommanderError } from 'commander';
import { OrcaError } from '../errors/orca-error.ts';
import { didYouMean } from '../settings/did-you-mean.ts';

/** What commander found wrong in what was typed, as an error of ours that points to the command's help. */
export function usageError(cause: CommanderError, command: Command): OrcaError {
  return new OrcaError('usage-invalid', { why: why(cause.message, command), help: helpOf(command) }, cause);
}

/** A command that `orca help` was asked for. */
export function unknownCommand(name: string, parent: Command): OrcaError {
  const near = didYouMean(
    name,
    parent.commands.map((command) => command.name()),
  );
  const meant = near === null ? '' : ` (Did you mean ${near}?)`;
  return new OrcaError('usage-invalid', { why: `there is no command '${name}'${meant}`, help: helpOf(parent) });
}

/** Refuses an empty text for an option: none of ours means something by it, and what it would come to differs from one to the other. */
export function checkNotEmpty(command: Command): void {
  for (const option of command.options) {
    const values: unknown[] = [command.getOptionValue(option.attributeName())].flat();
    if (!values.includes('')) continue;
    const hint = `Give ${option.long ?? option.flags} a value, or leave it out.`;
    throw new OrcaError('option-invalid', { option: option.long ?? option.flags, value: '', why: 'it is empty', hint });
  }
}

function why(message: string, command: Command): string {
  const words = message
    .replace(/^error: /, '')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .join(' ')
    .replace(/\.$/, '');
  // What a program asks of every command deserves better than "unknown".
  return words.startsWith("unknown option '--json'") && command.parent !== null
    ? `\`${pathOf(command)}\` has no --json`
    : words;
}

const helpOf = (command: Command): string =>
  command.parent === null ? 'orca help' : pathOf(command).replace(/^orca/, 'orca help');

const pathOf = (command: Command): string =>
  command.parent === null ? command.name() : `${pathOf(command.parent)} ${command.name()}`;
