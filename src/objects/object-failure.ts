/** Why an object could not be written, read or deleted, in words. `absent`: the storage answered that there is no such object. */
export class ObjectFailure extends Error {
  readonly absent: boolean;

  constructor(
    message: string,
    { absent = false, cause }: { readonly absent?: boolean; readonly cause?: unknown } = {},
  ) {
    super(message, { cause });
    this.name = 'ObjectFailure';
    this.absent = absent;
  }
}

/** It is about a file here: the storage is not the reason. */
export class FileFailure extends ObjectFailure {}

/** What the storage, the client or the network said. */
export const objectFailure = (error: unknown): ObjectFailure => {
  if (error instanceof ObjectFailure) return error;
  const { name, message, code } = factsOf(error);
  if (message === 'Region is missing') return failure('no region is set: give the daemon AWS_REGION', error);
  if (name === 'NoSuchKey' || name === 'NotFound')
    return new ObjectFailure('there is no such object', { absent: true, cause: error });
  if (name === 'AbortError' || name === 'TimeoutError') return failure('no answer in time', error);
  if (code !== null) return failure(message.includes(code) ? message : `${code}: ${message}`, error);
  return failure(name === 'Error' || message === '' ? message || name : `${name}: ${message}`, error);
};

const failure = (words: string, cause: unknown): ObjectFailure =>
  new ObjectFailure(words.split('\n', 1)[0]?.slice(0, 300) ?? '', { cause });

const factsOf = (error: unknown): { name: string; message: string; code: string | null } => {
  // A name may stand for several addresses, each with an error of its own.
  const first: unknown = error instanceof AggregateError ? error.errors[0] : error;
  if (!(first instanceof Error)) return { name: 'Error', message: String(first), code: null };
  const code = 'code' in first && typeof first.code === 'string' ? first.code : null;
  // Of an answer without a body the client only knows its status.
  const status = statusOf(first);
  const bare = first.message === 'UnknownError' || first.message === '';
  return {
    name: first.name,
    message: bare && status !== null ? `the storage answered with status ${status}` : first.message,
    code,
  };
};

const statusOf = (error: Error): number | null => {
  const metadata: unknown = Reflect.get(error, '$metadata');
  if (typeof metadata !== 'object' || metadata === null) return null;
  const status: unknown = Reflect.get(metadata, 'httpStatusCode');
  return typeof status === 'number' ? status : null;
};
