/** AWS's own description of Secrets Manager, as botocore ships it, and what it says of one request or answer. */
import { existsSync, readFileSync } from 'node:fs';

interface Shape {
  readonly type: string;
  readonly required?: readonly string[];
  readonly members?: Readonly<Record<string, { readonly shape: string }>>;
  readonly member?: { readonly shape: string };
  readonly min?: number;
  readonly max?: number;
  readonly pattern?: string;
  readonly exception?: boolean;
}

export interface Model {
  readonly metadata: { readonly jsonVersion: string; readonly targetPrefix: string; readonly signingName: string };
  readonly operations: Readonly<
    Record<
      string,
      {
        readonly http: { readonly method: string; readonly requestUri: string };
        readonly input: { readonly shape: string };
        readonly output: { readonly shape: string };
        readonly errors: readonly { readonly shape: string }[];
      }
    >
  >;
  readonly shapes: Readonly<Record<string, Shape>>;
}

const file = '/usr/lib/python3/dist-packages/botocore/data/secretsmanager/2017-10-17/service-2.json';

/** Why there is none here; null when there is. A required one that is missing fails instead of being skipped. */
export const modelMissing = (required: string | undefined): string | null => {
  if (existsSync(file)) return null;
  const why = 'python3-botocore, which has the model of Secrets Manager, is not installed';
  if ((required ?? '').split(',').includes('botocore')) throw new Error(`${why}, and ORCA_TEST_REQUIRE names botocore`);
  return why;
};

export const readModel = (): Model => JSON.parse(readFileSync(file, 'utf8')) as Model;

/** What is wrong with a value of that shape, each with where; none: []. */
export const faults = (model: Model, shapeName: string, value: unknown, at = shapeName): string[] => {
  const shape = model.shapes[shapeName];
  if (shape === undefined) return [`${at}: no such shape`];
  switch (shape.type) {
    case 'structure':
      return structureFaults(model, shape, value, at);
    case 'string':
      if (typeof value !== 'string') return [`${at}: no string`];
      return [
        ...lengthFaults(shape, value.length, at),
        ...(shape.pattern === undefined || new RegExp(shape.pattern).test(value)
          ? []
          : [`${at}: not ${shape.pattern}`]),
      ];
    case 'blob':
      if (typeof value !== 'string' || Buffer.from(value, 'base64').toString('base64') !== value)
        return [`${at}: no base64`];
      return lengthFaults(shape, Buffer.from(value, 'base64').length, at);
    case 'timestamp':
      return typeof value === 'number' ? [] : [`${at}: no number`];
    case 'list':
      if (!Array.isArray(value)) return [`${at}: no list`];
      return [
        ...lengthFaults(shape, value.length, at),
        ...value.flatMap((one, index) => faults(model, shape.member?.shape ?? '', one, `${at}[${index}]`)),
      ];
    default:
      return [`${at}: a ${shape.type}, which is not known here`];
  }
};

const structureFaults = (model: Model, shape: Shape, value: unknown, at: string): string[] => {
  if (typeof value !== 'object' || value === null) return [`${at}: no structure`];
  const missing = (shape.required ?? []).filter((name) => !(name in value)).map((name) => `${at}.${name}: missing`);
  const members = Object.entries(value).flatMap(([name, member]) => {
    const known = shape.members?.[name];
    return known === undefined
      ? [`${at}.${name}: not in the model`]
      : faults(model, known.shape, member, `${at}.${name}`);
  });
  return [...missing, ...members];
};

const lengthFaults = ({ min = 0, max = Infinity }: Shape, length: number, at: string): string[] =>
  length < min || length > max ? [`${at}: ${length} is not from ${min} to ${max}`] : [];
