import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { JsonObject } from '../../src/model/json.ts';

export interface EmbedRequest {
  path: string;
  headers: IncomingHttpHeaders;
  model: string;
  input: string[];
}

export type EmbedderPlay =
  | { vectors: (text: string) => number[] }
  | { status: number; body?: JsonObject; headers?: Record<string, string> }
  /** Accepts the request and never answers. */
  | { silent: true }
  /** Status 200 with this body. */
  | { raw: string };

export interface ScriptedEmbedder {
  url: string;
  requests: EmbedRequest[];
  /** Changes the play from now on. */
  play(next: EmbedderPlay): void;
  close(): Promise<void>;
}

/** A scripted embeddings API on loopback. */
export async function startScriptedEmbedder(first: EmbedderPlay): Promise<ScriptedEmbedder> {
  let play = first;
  const requests: EmbedRequest[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { model, input } = JSON.parse(Buffer.concat(chunks).toString('utf8'));
    requests.push({ path: request.url ?? '', headers: request.headers, model, input });
    if ('silent' in play) return;
    const { status = 200, headers = {} } = 'status' in play ? play : {};
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end('raw' in play ? play.raw : JSON.stringify(bodyOf(play, input)));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the scripted embedder has no port');
  return {
    url: `http://127.0.0.1:${address.port}`,
    requests,
    play: (next) => {
      play = next;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** In reverse order: a client has to use the index. */
function bodyOf(play: Exclude<EmbedderPlay, { raw: string }>, input: string[]): JsonObject {
  if (!('vectors' in play)) return 'body' in play ? (play.body ?? {}) : {};
  const data = input.map((text, index) => ({ object: 'embedding', index, embedding: play.vectors(text) }));
  return { object: 'list', data: data.reverse(), model: 'scripted' };
}

/** Concepts with the words that people use for them: all that this embedder understands. */
const CONCEPTS = [
  ['pnpm', 'npm', 'package manager', 'lockfile'],
  ['retry', 'backoff', 'try again'],
  ['invoice', 'bill', 'receipt'],
  ['login', 'sign in', 'authentication'],
  ['slow', 'performance', 'latency'],
];

/** Texts about one concept are near each other, whatever their words, and scattered a little by their letters. */
export function understand(text: string, dimension = 24): number[] {
  const words = text.toLowerCase();
  const vector = Array.from({ length: dimension }, (_, at) => Math.sin(words.length * (at + 1)) * 0.2);
  CONCEPTS.forEach((names, at) => {
    if (names.some((name) => words.includes(name))) vector[at] = (vector[at] ?? 0) + 2;
  });
  return vector;
}
