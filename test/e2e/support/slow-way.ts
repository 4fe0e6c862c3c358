import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import type { Scope } from './orca.ts';

/** A way to a server that can be shut: what has passed by then has arrived, and nothing more does. */
export interface Way {
  readonly port: number;
  /** Lets only so many bytes more pass to the server, in all; null: as many as come. */
  readonly shutAfter: (bytes: number | null) => void;
  /** All that may pass has. */
  readonly isShut: () => boolean;
}

export const openWay = async (scope: Scope, to: number): Promise<Way> => {
  let left = Number.POSITIVE_INFINITY;
  const sockets = new Set<Socket>();
  const server = createServer((from) => {
    const there = connect({ host: '127.0.0.1', port: to });
    for (const socket of [from, there]) {
      sockets.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => {
        sockets.delete(socket);
        from.destroy();
        there.destroy();
      });
    }
    from.on('data', (bytes: Buffer) => {
      const passed = bytes.subarray(0, Math.max(0, Math.min(bytes.length, left)));
      left -= bytes.length;
      if (passed.length > 0) there.write(passed);
      if (left <= 0) from.pause();
    });
    there.on('data', (bytes: Buffer) => from.write(bytes));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  scope.after(async () => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const address = server.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    shutAfter: (bytes) => {
      left = bytes ?? Number.POSITIVE_INFINITY;
    },
    isShut: () => left <= 0,
  };
};
