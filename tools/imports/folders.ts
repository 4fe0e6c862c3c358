/** Any folder may import these; among themselves they may too. */
export const everywhere: readonly string[] = ['units', 'settings', 'errors'];

const machines = ['machine', 'containment', 'evidence', 'usage', 'sample'];
const rules = ['runs', 'wire', 'store', 'admission', 'keeper', 'objects', 'logs', 'secrets', 'pipeline'];
const aboveRunners = [...machines, ...rules];

/** Which folders of src/ each may import, besides its own and those above. A folder that is not named here may not exist. */
export const folders: Readonly<Record<string, readonly string[]>> = {
  units: [],
  settings: [],
  errors: [],
  machine: [],
  containment: ['machine'],
  // `verdict()` answers in the words of runs/states.ts.
  evidence: ['machine', 'runs'],
  usage: ['machine'],
  objects: [],
  sample: ['machine', 'objects'],
  runs: [],
  wire: ['runs'],
  store: ['runs'],
  admission: ['runs'],
  keeper: ['machine'],
  logs: ['machine', 'objects'],
  secrets: [],
  pipeline: ['runs'],
  runners: aboveRunners.filter((folder) => folder !== 'wire'),
  scheduler: [...aboveRunners, 'runners'],
  api: [...aboveRunners, 'runners', 'scheduler'],
  client: ['machine', 'wire'],
  cli: ['client', 'wire', 'runs', 'machine', 'containment', 'usage', 'sample', 'logs', 'secrets'],
};

/**
 * Single files that may import more than their folder: the entry `daemon` is where the whole program is put together; `watch-reader` has to find the
 * native program.
 */
export const exceptions: Readonly<Record<string, readonly string[]>> = {
  'src/cli/daemon.ts': ['api', 'scheduler', 'store', 'keeper', 'runners'],
  'src/cli/watch-reader.ts': ['keeper'],
};
