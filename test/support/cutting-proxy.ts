import { once } from 'node:events';
import { createServer, connect as open, type Socket } from 'node:net';
import type { Random } from './random.ts';

/** Forwards connections to a port and cuts each at a random byte, possibly between a commit and its answer. */
export interface CuttingProxy {
  port: number;
  cuts: number;
  isCutting: boolean;
  close(): Promise<void>;
}

/** Usually enough to log in. */
const MOST_BYTES = 60_000;

export async function startCuttingProxy(port: number, random: Random): Promise<CuttingProxy> {
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = open(port, '127.0.0.1');
    let left = random.below(MOST_BYTES);
    const both = [client, upstream];
    for (const [from, to] of [both, both.toReversed()] as [Socket, Socket][]) {
      sockets.add(from);
      from.on('error', () => {});
      from.on('close', () => {
        sockets.delete(from);
        to.destroy();
      });
      from.on('data', (bytes) => {
        left -= bytes.length;
        if (!proxy.isCutting || left > 0) {
          to.write(bytes);
          return;
        }
        proxy.cuts++;
        // The bytes before the cut still arrive.
        to.end(bytes.subarray(0, Math.max(0, left + bytes.length)));
        from.destroy();
      });
    }
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('no free port');
  const proxy: CuttingProxy = {
    port: address.port,
    cuts: 0,
    isCutting: true,
    async close() {
      server.close();
      for (const socket of sockets) socket.destroy();
      await once(server, 'close');
    },
  };
  return proxy;
}
