import { createServer, type Server } from 'node:http';
import type { createApi } from '../api/api.ts';
import type { ApiCall } from '../api/options.ts';
import { ADDRESS, isOwnHost } from '../api/own-address.ts';
import { errorCode, readIfThere, writeAtomically } from '../platform/files.ts';
import { describeError } from '../platform/log.ts';
import { collectGarbage } from './collect-garbage.ts';

/** Below the range that systems use for outgoing connections. */
const PORTS = { first: 20_000, last: 32_000 };
const MOST_TRIES = 20;
const LIMITS = {
  headersTimeout: 5_000,
  requestTimeout: 10_000,
  connectionsCheckingInterval: 1_000,
  /** For the longest address that the API accepts: a search of 10,000 characters. */
  maxHeaderSize: 102_400,
};
const MOST_SOCKETS = 64;
/** After this long without a request, the person is reading. */
const QUIET_MS = 1_000;

export type ListenerOptions = Omit<ApiCall, 'store'> & { openStore(): ApiCall['store'] };

type Api = ReturnType<typeof createApi>;

export interface Listener {
  port: number;
  /** When the last request came or the last stream ended; 0 without any. */
  lastUsedAt(): number;
  /** Whether a page is watching. */
  isStreaming(): boolean;
  close(): void;
}

/** Opens the port of the local API. @returns null if that is not possible; the worker does its jobs without it. */
export async function startListener(options: ListenerOptions): Promise<Listener | null> {
  const { paths, log, now } = options;
  let port = 0;
  let usedAt = 0;
  let api: Promise<Api> | undefined;
  let loaded: Api | undefined;
  let quiet: NodeJS.Timeout | undefined;

  const server = createServer(LIMITS, async (request, response) => {
    // Checked first, before the handlers are loaded.
    if (!isOwnHost(request.headers.host, port)) {
      response.writeHead(403, { connection: 'close' }).end();
      return;
    }
    usedAt = now();
    try {
      api ??= loadApi();
      await (await api).handle(request, response);
    } catch (error) {
      api = undefined;
      log.error('API not loaded', { cause: describeError(error) });
      response.destroy();
    }
    clearTimeout(quiet);
    quiet = setTimeout(collectGarbage, QUIET_MS).unref();
  });
  server.maxConnections = MOST_SOCKETS;
  // A malformed request ends only its own connection.
  server.on('clientError', (_, socket) => socket.destroy());

  async function loadApi(): Promise<Api> {
    const { createApi } = await import('../api/api.ts');
    const { openStore, ...call } = options;
    loaded = createApi({
      ...{ ...call, port },
      openCall: () => ({ ...call, store: openStore() }),
      onStreamEnd() {
        usedAt = now();
      },
    });
    return loaded;
  }

  try {
    port = await listenOnSomePort(server, readPort(paths.apiPort));
    // Keep the first port: pages store their key, and people their bookmarks, under it.
    if (readPort(paths.apiPort) === null) writeAtomically(paths.apiPort, String(port));
  } catch (error) {
    server.close();
    log.warn('no port for the local API', { cause: describeError(error) });
    return null;
  }
  // The worker decides when to exit.
  server.unref();
  return {
    port,
    lastUsedAt: () => usedAt,
    isStreaming: () => (loaded?.streams.count() ?? 0) > 0,
    close() {
      clearTimeout(quiet);
      loaded?.streams.close();
      server.close();
      server.closeAllConnections();
    },
  };
}

function readPort(file: string): number | null {
  const port = Number(readIfThere(file));
  return Number.isInteger(port) && port > 0 && port < 65_536 ? port : null;
}

async function listenOnSomePort(server: Server, known: number | null): Promise<number> {
  for (let tries = 0; ; tries++) {
    const port = tries === 0 && known !== null ? known : choosePort();
    try {
      await listen(server, port);
      return port;
    } catch (error) {
      const isTaken = ['EADDRINUSE', 'EACCES'].includes(errorCode(error) ?? '');
      if (!isTaken || tries === MOST_TRIES) throw error;
    }
  }
}

function choosePort(): number {
  return PORTS.first + Math.floor(Math.random() * (PORTS.last - PORTS.first));
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host: ADDRESS, port, exclusive: true }, () => {
      server.off('error', reject);
      server.on('error', () => {});
      resolve();
    });
  });
}
