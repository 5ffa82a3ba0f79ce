import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { createKey, readAccess } from '../../src/api/access.ts';
import { ROUTES } from '../../src/api/routes/all.ts';
import { prepareHome } from '../../src/capture/home.ts';
import { writeAtomically } from '../../src/platform/files.ts';
import { WORKER_OPTIONS, workerProgram } from '../../src/platform/installation.ts';
import { type Paths, pathsOf } from '../../src/platform/paths.ts';
import { findRunningWorker } from '../../src/worker/worker-note.ts';
import { openPlainStore, type PlainStore } from './plain-store.ts';
import { removeFolder } from './remove-folder.ts';
import { until } from './until.ts';

/** The built worker with a temporary home, in a child process. */
export interface ApiWorker {
  paths: Paths;
  port: number;
  origin: string;
  key: string;
  child: ChildProcess;
  /** Sends the key, and checks the JSON answer against the schema of its route. */
  get<T = Record<string, unknown>>(path: string): Promise<T>;
  send<T = Record<string, unknown>>(method: 'POST' | 'PATCH', path: string, body: unknown): Promise<T>;
  /** Sends any headers and any bytes as they are. */
  raw(request: RawRequest): Promise<RawAnswer>;
  useStore<T>(use: (store: PlainStore) => T): T;
  stop(): Promise<void>;
}

export interface RawRequest {
  method?: string;
  path: string;
  headers?: Record<string, string>;
  body?: string;
}

export interface RawAnswer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
}

/** `fill` gets the store before the worker starts. */
export async function startApiWorker({
  home,
  fill = (_: PlainStore) => {},
  settings = {},
}: {
  home?: string;
  fill?: (store: PlainStore) => void;
  settings?: Record<string, string | number>;
} = {}): Promise<ApiWorker> {
  // Not `tempFolder`, which is removed after one test: a worker may serve several.
  const own = home === undefined ? mkdtempSync(join(tmpdir(), 'cairn-api-')) : null;
  home ??= join(own ?? '', '.cairn');
  const paths = pathsOf(home);
  prepareHome(home, process.env.PATH);
  writeAtomically(paths.config, JSON.stringify({ 'worker.idleSeconds': 300, ...settings }));
  const useStore: ApiWorker['useStore'] = (use) => {
    const store = openPlainStore(paths.database);
    try {
      return use(store);
    } finally {
      store.close();
    }
  };
  useStore(fill);
  const env = { PATH: process.env.PATH, HOME: home, CAIRN_HOME: home };
  const child = spawn(process.execPath, [...WORKER_OPTIONS, workerProgram()], { env, stdio: 'ignore' });
  const port = await until('the port of the worker', () => {
    if (child.exitCode !== null) throw new Error(`The worker exited with ${child.exitCode}.`);
    const note = findRunningWorker(paths);
    return note?.pid === child.pid ? (note?.port ?? undefined) : undefined;
  });
  const origin = `http://127.0.0.1:${port}`;
  const { key } = createKey(readAccess(paths), Date.now());
  const authorization = `Bearer ${key}`;

  async function call<T>(method: string, path: string, init: RequestInit = {}): Promise<T> {
    const response = await fetch(origin + path, {
      ...init,
      method,
      headers: { authorization, 'content-type': 'application/json' },
    });
    const answer = (await response.json()) as T;
    if (!response.ok) throw new Error(`${method} ${path}: ${JSON.stringify(answer)}`);
    checkAnswer(method, path, answer);
    return answer;
  }

  return {
    ...{ paths, port, origin, key, child, useStore },
    get: (path) => call('GET', path),
    send: (method, path, body) => call(method, path, { body: JSON.stringify(body) }),
    raw: (request) => sendRaw(port, request),
    async stop() {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      if (child.exitCode === null && child.signalCode === null) {
        child.kill('SIGTERM');
        await ended;
      }
      if (own !== null) await removeFolder(own);
    },
  };
}

/** Throws if an answer has fewer or more fields than the schema of its route. */
function checkAnswer(method: string, path: string, answer: unknown): void {
  const segments = path.split('?')[0]?.split('/') ?? [];
  const route = Object.values(ROUTES).find(
    (candidate) =>
      candidate.method === method &&
      candidate.path.split('/').length === segments.length &&
      candidate.path.split('/').every((part, index) => part.startsWith('{') || part === segments[index]),
  );
  if (!route?.answer) return;
  const parsed = z.safeParse(route.answer as z.ZodMiniType, answer);
  if (!parsed.success) throw new Error(`${path}: ${JSON.stringify(parsed.error.issues.slice(0, 3))}`);
  if (JSON.stringify(sortKeys(parsed.data)) !== JSON.stringify(sortKeys(answer)))
    throw new Error(`${path} has more than its schema says: ${JSON.stringify(answer).slice(0, 500)}`);
}

function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([name, inner]) => [name, sortKeys(inner)]),
  );
}

function sendRaw(port: number, { method = 'GET', path, headers = {}, body }: RawRequest): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const sent = httpRequest(
      // A new connection: the worker may close one that is kept while a command runs synchronously.
      { host: '127.0.0.1', port, method, path, headers, setHost: headers.host === undefined, agent: false },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk) => chunks.push(chunk));
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            text: Buffer.concat(chunks).toString('utf8'),
          }),
        );
      },
    );
    sent.on('error', reject);
    sent.end(body);
  });
}
