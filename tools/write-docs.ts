/**
 * Writes what is made from tables and types: docs/settings.md, docs/errors.md, and the schemas that `orca schema` prints.
 * `node tools/write-docs.ts` writes them; with `--check` it names those that are not as the tables say and exits with 1.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { format, resolveConfig } from 'prettier';
import { catalogue } from '../src/errors/catalogue.ts';
import { allowed } from '../src/settings/read-value.ts';
import { makeSchemas } from './make-schemas.ts';
import { settingNames, table, tomlKey, type Setting, type SettingName } from '../src/settings/table.ts';

/** A bar would end the cell anywhere; `<` is markup only outside of code. */
const cell = (text: string): string =>
  text.replaceAll('|', '\\|').replace(/`[^`]*`|</g, (found) => (found === '<' ? '\\<' : found));

const tableOf = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n');

const settingRow = (name: SettingName): string[] => {
  const { unit, scope, doc, atStart }: Setting = table[name];
  const usual = String(table[name].default);
  const key = tomlKey(name);
  return [
    `\`${name}\``,
    key === null ? '–' : `\`${key}\``,
    cell(usual === '' ? 'empty' : unit === null ? usual : `${usual} ${unit}`),
    cell(allowed(name)),
    scope,
    cell(atStart === true ? `${doc} Read when the daemon starts.` : doc),
  ];
};

const lenientNames = (): string =>
  new Intl.ListFormat('en', { type: 'conjunction' }).format(
    settingNames.filter((name) => 'lenient' in table[name]).map((name) => `\`${name}\``),
  );

const settingsPage = (): string => `# Settings

Made from \`src/settings/table.ts\` by \`node tools/write-docs.ts\`; change it there.

Nothing has to be set. A value is taken from \`/etc/orca/config.toml\`, then from \`$XDG_CONFIG_HOME/orca/config.toml\` (else
\`~/.config/orca/config.toml\`), then from the environment; the last one that is given holds, and an empty variable counts as not given.
\`orca config show\` prints every value with where it came from. A configuration file is lines of \`key = value\`:

\`\`\`toml
reserve_mb = 2048
keeper = "native"
\`\`\`

A value that cannot be used is an error, and so is a key that is no setting; commands that only look at runs, wait for them or end them leave it out and say so (but for \`ORCA_HOME\`), and
\`orca doctor\` lists it. Exceptions: ${lenientNames()}
that cannot be used count as their defaults, with a warning. A daemon reads changed files again and takes them only when they are whole and valid;
what is _read when the daemon starts_ counts from \`orca restart\` on.

What runs share besides cpus and memory is counted in a table of its own, by names of letters, digits, \`_\`, \`.\` and \`-\`; \`--resource licence\` then takes one
of the two. The user's file may give a name another number, and only files count them:

\`\`\`toml
[resources]
licence = 2
\`\`\`

Scope \`daemon\`: the daemon's own value holds; \`run\`, \`submit\`, \`retry\`, \`gc\`, \`up\`, \`restart\` and \`config show\` say so where they were given another, and \`config show\` also where the default is another here. Scope \`run\`: the client's value
goes with the run that it submits. MB are powers of 1024.

${tableOf(['Variable', 'Key', 'Default', 'May be', 'Scope', 'Meaning'], settingNames.map(settingRow))}
`;

const errorsPage = (): string => `# Errors

Made from the catalogue in \`src/errors/\` by \`node tools/write-docs.ts\`; change it there.

Every error has a code that stays the same, a sentence, and what to do next; \`{…}\` is filled in. *Exit* is the status of the command
that meets it, *HTTP* the status of the API's answer. With \`--json\` and in the API an error is
\`{"error":{"code":"…","message":"…","hint":"…","exit":120}}\`.

${Object.entries(catalogue)
  .sort(([a], [b]) => (a < b ? -1 : 1))
  .map(
    ([code, { message, hint, exit, http }]) =>
      `## ${code}\n\n${cell(message)}\n\nWhat to do: ${cell(hint)}\n\nExit ${exit}, HTTP ${http}.`,
  )
  .join('\n\n')}
`;

const pages: Readonly<Record<string, () => string>> = {
  'docs/settings.md': settingsPage,
  'docs/errors.md': errorsPage,
  'src/cli/schemas.json': makeSchemas,
};

const root = new URL('../', import.meta.url);

async function page(path: string, text: string): Promise<string> {
  const config = (await resolveConfig(new URL(path, root))) ?? {};
  return format(text, { ...config, parser: path.endsWith('.json') ? 'json' : 'markdown' });
}

function written(path: string): string | null {
  try {
    return readFileSync(new URL(path, root), 'utf8');
  } catch {
    return null;
  }
}

/** The pages that differ from their tables. */
export async function stalePages(): Promise<string[]> {
  const stale: string[] = [];
  for (const [path, make] of Object.entries(pages)) {
    if ((await page(path, make())) !== written(path)) stale.push(path);
  }
  return stale;
}

if (import.meta.main) {
  const stale = await stalePages();
  if (!process.argv.includes('--check')) {
    for (const path of stale) writeFileSync(new URL(path, root), await page(path, pages[path]?.() ?? ''));
  } else if (stale.length > 0) {
    console.error(`${stale.join(' and ')} differ from the tables: run \`node tools/write-docs.ts\`.`);
    process.exitCode = 1;
  }
}
