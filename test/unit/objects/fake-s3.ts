import * as api from '@aws-sdk/client-s3';
import type { S3Access } from '../../../src/objects/s3-client.ts';

export interface Sent {
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
}

/** A client that notes what it was asked and answers with what `answer` gives; what it throws is the storage's refusal. */
export const fakeS3 = (answer: (sent: Sent) => object): { s3: S3Access; sent: Sent[] } => {
  const sent: Sent[] = [];
  const send = (command: {
    readonly constructor: { readonly name: string };
    readonly input: Sent['input'];
  }): Promise<object> => {
    const one = { name: command.constructor.name.replace(/Command$/, ''), input: command.input };
    sent.push(one);
    return Promise.resolve().then(() => answer(one));
  };
  return { s3: { api, client: { send } } as unknown as S3Access, sent };
};

export const refusal = (name: string, status = 400): Error =>
  Object.assign(new Error(`the storage says ${name}`), { name, $metadata: { httpStatusCode: status } });
