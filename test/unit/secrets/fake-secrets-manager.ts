/** A Secrets Manager on this machine that answers as it is told, and keeps what it was asked and what it said. */
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Scope } from '../../e2e/support/orca.ts';

export type Answer =
  /** Of `SecretString`, or of `SecretBinary` in base64. */
  | { readonly text: string }
  | { readonly binary: string }
  | { readonly error: string; readonly status: number; readonly message?: string }
  /** No answer before so many milliseconds, and then this one. */
  | { readonly afterMs: number; readonly answer: Answer }
  /** Bytes that are no answer. */
  | { readonly garbage: string };

export interface Exchange {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
  /** What was answered; null while it hangs. */
  answer: { readonly status: number; readonly body: unknown } | null;
}

export interface FakeSecretsManager {
  readonly endpoint: string;
  readonly exchanges: Exchange[];
  /** One answer after the other; the last stays. */
  readonly answers: Map<string, Answer[]>;
}

export const startSecretsManager = async (
  scope: Scope,
  answers: Readonly<Record<string, readonly Answer[]>>,
): Promise<FakeSecretsManager> => {
  const exchanges: Exchange[] = [];
  const left = new Map(Object.entries(answers).map(([id, list]) => [id, [...list]]));
  const hanging = new Set<NodeJS.Timeout>();
  const server = createServer((request, response) => {
    const pieces: Buffer[] = [];
    request.on('data', (piece: Buffer) => pieces.push(piece));
    request.on('end', () => {
      const { method = '', url = '', headers } = request;
      const body = Buffer.concat(pieces).toString();
      const exchange: Exchange = { method, url, headers, body, answer: null };
      exchanges.push(exchange);
      const id = (JSON.parse(body) as { SecretId: string }).SecretId;
      const list = left.get(id) ?? [notFound];
      const answer = list.length > 1 ? list.shift() : list[0];
      const give = (given: Answer | undefined): void => {
        if (given !== undefined && 'afterMs' in given) {
          const timer = setTimeout(() => {
            hanging.delete(timer);
            give(given.answer);
          }, given.afterMs);
          hanging.add(timer);
          return;
        }
        if (given !== undefined && 'garbage' in given) {
          response.writeHead(200, { 'content-type': 'application/x-amz-json-1.1' }).end(given.garbage);
          return;
        }
        exchange.answer = bodyOf(id, given ?? notFound);
        response.writeHead(exchange.answer.status, { 'content-type': 'application/x-amz-json-1.1' });
        response.end(JSON.stringify(exchange.answer.body));
      };
      give(answer);
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  scope.after(async () => {
    for (const timer of hanging) clearTimeout(timer);
    server.closeAllConnections();
    await new Promise((resolve) => {
      server.close(resolve);
    });
  });
  const { port } = server.address() as AddressInfo;
  return { endpoint: `http://127.0.0.1:${port}`, exchanges, answers: left };
};

const notFound: Answer = {
  error: 'ResourceNotFoundException',
  status: 400,
  message: "Secrets Manager can't find the specified secret.",
};

const bodyOf = (id: string, answer: Answer): { status: number; body: unknown } => {
  if ('error' in answer)
    return { status: answer.status, body: { __type: answer.error, Message: answer.message ?? 'no' } };
  const about = {
    ARN: `arn:aws:secretsmanager:eu-west-1:123456789012:secret:${id}-a1b2c3`,
    Name: id,
    VersionId: 'f0e1d2c3-b4a5-9687-7869-5a4b3c2d1e0f',
    VersionStages: ['AWSCURRENT'],
    CreatedDate: 1793000000.5,
  };
  if ('text' in answer) return { status: 200, body: { ...about, SecretString: answer.text } };
  return { status: 200, body: { ...about, SecretBinary: 'binary' in answer ? answer.binary : '' } };
};
