import { catalogue, type ErrorCode } from './catalogue.ts';
import type { ErrorParams } from './entry.ts';

/** An error that a person may meet: a code of the catalogue, with what its sentence needs. */
export class OrcaError extends Error {
  readonly code: ErrorCode;
  readonly params: ErrorParams;

  constructor(code: ErrorCode, params: ErrorParams = {}, cause?: unknown) {
    super(sentence(catalogue[code].message, params), cause === undefined ? undefined : { cause });
    this.name = 'OrcaError';
    this.code = code;
    this.params = params;
  }

  /** What to do next. */
  get hint(): string {
    return sentence(catalogue[this.code].hint, this.params);
  }
  /** The status a command exits with for it (cases.md, Q4). */
  get exitStatus(): number {
    return catalogue[this.code].exit;
  }
  get httpStatus(): number {
    return catalogue[this.code].http;
  }
}

const sentence = (template: string, params: ErrorParams): string =>
  template.replace(/\{(\w+)\}/g, (whole, name: string) => shown(String(params[name] ?? whole)));

/** An empty text would leave a hole in the sentence. */
const shown = (text: string): string => (text.trim() === '' ? `'${text}'` : text);
