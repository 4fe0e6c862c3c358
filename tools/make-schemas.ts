/** The JSON Schemas of what commands print, made from `src/cli/printed.ts` and the comments of the types that it names. */
import { join } from 'node:path';
import { createGenerator } from 'ts-json-schema-generator';

const root = join(import.meta.dirname, '..');

/** The text of `src/cli/schemas.json`: a schema for each command, and the definitions that they share. */
export function makeSchemas(): string {
  const { definitions = {} } = createGenerator({
    path: join(root, 'src/cli/printed.ts'),
    tsconfig: join(root, 'tsconfig.json'),
    type: 'Printed',
    // `tsc` does that.
    skipTypeCheck: true,
    // Later versions print more, and readers pass over what they do not know.
    additionalProperties: true,
    sortProps: false,
  }).createSchema('Printed');
  const { Printed: printed, ...shared } = definitions;
  if (typeof printed !== 'object' || printed.properties === undefined) throw new Error('Printed has no properties');
  return JSON.stringify({ commands: printed.properties, definitions: shared });
}
