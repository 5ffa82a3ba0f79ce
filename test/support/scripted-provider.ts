import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import { isObject, type Json, type JsonObject } from '../../src/model/json.ts';

/** What the provider does with one request. */
export type Play =
  /** The model's words, in the format of the API that was called. */
  | { says: string }
  | { status: number; error?: Json; headers?: Record<string, string> }
  /** Accepts the request and never answers. */
  | { silent: true }
  /** The connection breaks in the middle of the answer. */
  | { half: true }
  /** Status 200 with this body. */
  | { raw: string };

export interface ProviderRequest {
  path: string;
  headers: IncomingHttpHeaders;
  body: JsonObject;
  /** Headers and body as one text to search in. */
  whole: string;
}

export interface ScriptedProvider {
  url: string;
  requests(): ProviderRequest[];
  close(): Promise<void>;
}

/** Plays a model's HTTP API on loopback, one play per request; the last play is repeated. */
export async function startScriptedProvider(plays: Play[]): Promise<ScriptedProvider> {
  const requests: ProviderRequest[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const text = Buffer.concat(chunks).toString('utf8');
    const body: unknown = JSON.parse(text);
    const path = request.url ?? '';
    const whole = `${path}\n${JSON.stringify(request.headers)}\n${text}`;
    const play = plays[Math.min(requests.length, plays.length - 1)];
    requests.push({ path, headers: request.headers, body: isObject(body) ? body : {}, whole });
    if (play) act(play, path, response);
  });
  const port = await listen(server);
  return {
    url: `http://127.0.0.1:${port}`,
    requests: () => requests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** An address of this machine on which nothing listens. */
export async function addressOfNobody(): Promise<string> {
  const server = createServer();
  const port = await listen(server);
  await new Promise((resolve) => server.close(resolve));
  return `http://127.0.0.1:${port}`;
}

async function listen(server: ReturnType<typeof createServer>): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the scripted provider has no port');
  return address.port;
}

function act(play: Play, path: string, response: ServerResponse): void {
  if ('silent' in play) return;
  if ('says' in play) answer(response, 200, JSON.stringify(modelMessage(play.says, path)));
  else if ('raw' in play) answer(response, 200, play.raw);
  else if ('half' in play) breakOff(response);
  else answer(response, play.status, JSON.stringify({ error: play.error ?? null }), play.headers);
}

function answer(
  response: ServerResponse,
  status: number,
  body: string,
  headers: Record<string, string> = {},
) {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(body);
}

function breakOff(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' });
  response.write('{"content": [{"type": "tool_use", "inp', () => response.destroy());
}

function modelMessage(says: string, path: string): JsonObject {
  if (path.endsWith('/messages')) {
    const content = [asToolUse(says) ?? { type: 'text', text: says }];
    return {
      type: 'message',
      role: 'assistant',
      content,
      usage: { input_tokens: 1_200, output_tokens: 300 },
    };
  }
  const message = { role: 'assistant', content: says };
  return { choices: [{ message }], usage: { prompt_tokens: 1_200, completion_tokens: 300 } };
}

/** Like the Messages API with a forced tool: words that are JSON become the tool's input. */
function asToolUse(says: string): JsonObject | null {
  try {
    return { type: 'tool_use', id: 'toolu_scripted', name: 'write_down', input: JSON.parse(says) };
  } catch {
    return null;
  }
}
