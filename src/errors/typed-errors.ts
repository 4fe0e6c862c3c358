import { entries } from './entry.ts';

/** What was typed: words, numbers, files and folders, before anything is asked for. */
export const typedErrors = entries({
  'usage-invalid': {
    message: '{why}.',
    hint: 'See `{help}`.',
    exit: 120,
    http: 400,
  },
  'option-invalid': {
    message: '{option} {value} is refused: {why}.',
    hint: '{hint}',
    exit: 120,
    http: 400,
  },
  'size-invalid': {
    message: '{value} is not a size: {why}.',
    hint: 'Write a number with a unit, such as 512MB, 1.5GB or 2GB..8GB; units are powers of 1024.',
    exit: 120,
    http: 400,
  },
  'duration-invalid': {
    message: '{value} is not a duration: {why}.',
    hint: 'Write numbers with units, such as 500ms, 20s, 5m or 1h30m.',
    exit: 120,
    http: 400,
  },
  'run-number-invalid': {
    message: '{value} is not the number of a run.',
    hint: 'A run has a positive whole number, such as 12; `orca list --all` shows them.',
    exit: 120,
    http: 400,
  },
  'handle-invalid': {
    message: '{value} is neither the number of a run nor the handle of a group.',
    hint: 'A run has a positive whole number, such as 12, and a group a g before its number, such as g12.',
    exit: 120,
    http: 400,
  },
  'memory-env-invalid': {
    message: '--memory-env {value} is refused: {why}.',
    hint: "Write java, node, or a format such as --memory-env 'SORT_BUFFER={mb*0.5}M' (docs/environment.md).",
    exit: 120,
    http: 400,
  },
  'text-not-utf8': {
    message: '{what} is not valid UTF-8, and orca would have to change its bytes to pass it on.',
    hint: 'Rename the file or put the bytes into a script, and give that to orca.',
    exit: 120,
    http: 400,
  },
  'text-nul': {
    message: '{what} holds a NUL byte, which no argument, path or name of a process can hold.',
    hint: 'Remove it.',
    exit: 120,
    http: 400,
  },
  'secret-variable-missing': {
    message: 'A secret is to come from the variable {name}, but your environment has none of that name.',
    hint: 'Set and export it, or name another source: file:PATH, or a name in Secrets Manager.',
    exit: 120,
    http: 400,
  },
  'folder-missing': {
    message: 'There is no folder {folder} to run in.',
    hint: 'Make it, or name another one with --cwd.',
    exit: 120,
    http: 400,
  },
  'folder-gone': {
    message: 'The folder you are in is gone.',
    hint: 'cd to one that is there, or give --cwd; files then need their whole paths.',
    exit: 120,
    http: 400,
  },
  'program-missing': {
    message: 'There is no program {program}: no file of that path, nor one of that name in a folder of PATH.',
    hint: 'Check the spelling, or give its path. A shell command line goes as `sh -c "…"`.',
    exit: 120,
    http: 400,
  },
  'program-not-executable': {
    message: 'The program {program} is there, but may not be executed.',
    hint: 'Make it executable (`chmod +x`), or put its interpreter before it, such as `sh` or `python3`.',
    exit: 120,
    http: 400,
  },
  'file-unreadable': {
    message: 'The file {path} cannot be read: {why}.',
    hint: 'Check the path and its permissions.',
    exit: 120,
    http: 400,
  },
  'stdin-unreadable': {
    message: 'The standard input {path} cannot be read.',
    hint: 'Check that the file is there and may be read.',
    exit: 120,
    http: 400,
  },
  'spool-failed': {
    message: 'Standard input could not be kept in {path}: {why}.',
    hint: 'Make room there, or give a file: `orca run --stdin FILE …` or `… < FILE`.',
    exit: 120,
    http: 500,
  },
  'lines-too-many': {
    message: '{from} has {what}, too much for one submission; nothing was submitted.',
    hint: 'Give it in parts, one after the other, or let one run do the work of several lines.',
    exit: 120,
    http: 400,
  },
  'id-file-unwritable': {
    message: 'The file {path} cannot be written: {why}.',
    hint: 'Name an ordinary file in a folder that you may write with --id-file. Nothing was submitted.',
    exit: 120,
    http: 400,
  },
  'id-file-lost': {
    message: '{what} accepted, but {why}.',
    hint: '`orca wait {runs}` waits for the end.',
    exit: 122,
    http: 500,
  },
  'output-failed': {
    message: 'Standard output could not be written: {why}.',
    hint: '{advice}',
    exit: 122,
    http: 500,
  },
  'accepted-unprinted': {
    message: '{what} accepted, but standard output could not be written: {why}.',
    hint: '`orca wait {runs}` waits for the end.',
    exit: 122,
    http: 500,
  },
});
