import { OrcaError } from '../errors/orca-error.ts';
import { tomlLayer, type Layer, type Refuse } from './layer.ts';

/** One `config.toml` as a layer. smol-toml is imported here only: most machines have no such file, and the CLI must start fast. */
export async function configFileLayer(file: string, text: string, refuse: Refuse): Promise<Layer> {
  const { parse, TomlError } = await import('smol-toml');
  let document: Readonly<Record<string, unknown>>;
  try {
    document = parse(text);
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    throw new OrcaError('config-syntax', { file, line: error.line, why: firstLine(error.message) }, error);
  }
  return tomlLayer(document, file, (key, table) => lineOfKey(text, key, table), refuse);
}

/** The parser's message goes on with an excerpt of the file; its first line is the reason. */
const firstLine = (message: string): string =>
  (message.split('\n')[0] ?? '').replace(/^Invalid TOML document: /, '').replace(/\.$/, '');

/** Where a top-level key or table begins, or a key of a table, counted from 1. */
export function lineOfKey(text: string, key: string, table?: string): number | null {
  const from = table === undefined ? 0 : (lineOfKey(text, table) ?? 1) - 1;
  const bare = key.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const begins = new RegExp(`^\\s*\\[{0,2}\\s*["']?${bare}["']?\\s*[=.\\]]`);
  const index = text.split('\n').findIndex((line, at) => at >= from && begins.test(line));
  return index === -1 ? null : index + 1;
}
