import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import type { BenchOrca } from './orca.ts';

/** Asks the daemon over its socket: a start of the command line would take far longer than what is measured. Gives text that is no JSON as text. */
export const call = <T>({ folder }: BenchOrca, method: string, path: string, body?: object): Promise<T> =>
  new Promise((resolve, reject) => {
    const { socket } = JSON.parse(readFileSync(join(folder, 'state/daemon.json'), 'utf8')) as { socket: string };
    const headers = { 'content-type': 'application/json' };
    const outgoing = request({ socketPath: socket, method, path, headers }, (answer) => {
      let text = '';
      answer.setEncoding('utf8').on('data', (piece: string) => (text += piece));
      answer.on('end', () => resolve((text.startsWith('{') && !text.includes('\n{') ? JSON.parse(text) : text) as T));
    });
    outgoing.on('error', reject);
    outgoing.end(body === undefined ? undefined : JSON.stringify(body));
  });
