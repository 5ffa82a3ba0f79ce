import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { isObject, type Json, type JsonObject } from '../../src/model/json.ts';
import { messageFor, streamMessage, type Turn } from './model-message.ts';

/** A turn, or a function that makes it from a request with values that no script can know in advance. */
export type ScriptedTurn = Turn | ((request: JsonObject) => Turn);

/** Every queue is played in order, one turn per request. */
export interface ModelScript {
  main: ScriptedTurn[];
  /** Turns of subagents, by the marker with which the subagent's prompt begins. */
  subagents?: Record<string, Turn[]>;
  /** Answers to machine prompts that start a turn, as when a background task has ended. */
  notification?: Turn[];
  /** Requests without tools, such as for a title. */
  side?: Turn[];
  compact?: Turn[];
}

export interface ModelRequest {
  /** `main`, `notification`, `side`, `compact` or a subagent's marker. */
  queue: string;
  /** False if the queue had no more turns and the default was sent. */
  scripted: boolean;
  body: JsonObject;
}

export interface ScriptedModel {
  url: string;
  requests(): ModelRequest[];
  close(): Promise<void>;
}

const MOST_REQUESTS = 300;
const MOST_BODY_BYTES = 20_000_000;

const NOT_IN_THE_SCRIPT: JsonObject = {
  type: 'error',
  error: { type: 'invalid_request_error', message: 'not in the script' },
};

/** Sent when a queue has no more turns. */
const STAND_INS: Record<string, string> = {
  side: '{"title":"Scripted session"}',
  compact: '<analysis>Scripted.</analysis>\n<summary>\nSCRIPTED COMPACT SUMMARY\n</summary>',
};

/** Plays the Messages API on loopback from a script, and keeps every request. */
export async function startScriptedModel(script: ModelScript): Promise<ScriptedModel> {
  const requests: ModelRequest[] = [];
  const nextTurn = queuesOf(script);

  const server = createServer(async (request, response) => {
    const path = (request.url ?? '').split('?')[0] ?? '';
    if (request.method !== 'POST' || !path.endsWith('/v1/messages')) {
      answerOther(path, response);
      return;
    }
    const body = await readBody(request);
    if (body === null || requests.length >= MOST_REQUESTS) {
      answerJson(response, 400, NOT_IN_THE_SCRIPT);
      return;
    }
    const queue = queueOf(body, script);
    const { turn, scripted } = nextTurn(queue);
    requests.push({ queue, scripted, body });
    const message = messageFor(typeof turn === 'function' ? turn(body) : turn, body, requests.length);
    if (body.stream === true) streamMessage(message, response);
    else answerJson(response, 200, message);
  });

  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the scripted model has no port');

  return {
    url: `http://127.0.0.1:${address.port}`,
    requests: () => requests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function queuesOf(script: ModelScript) {
  const { subagents, ...named } = script;
  const left = new Map<string, ScriptedTurn[]>();
  for (const [queue, turns] of Object.entries({ ...subagents, ...named })) left.set(queue, [...turns]);

  return (queue: string): { turn: ScriptedTurn; scripted: boolean } => {
    const turn = left.get(queue)?.shift();
    if (turn) return { turn, scripted: true };
    return { turn: [{ text: STAND_INS[queue] ?? 'The script has no more turns.' }], scripted: false };
  };
}

/** The content of a request decides which queue it plays: requests may arrive in any order. */
function queueOf(body: JsonObject, script: ModelScript): string {
  const messages = Array.isArray(body.messages) ? body.messages.filter(isObject) : [];
  const fromUser = messages.filter((message) => message.role === 'user');
  const opening = textBlocks(fromUser.at(0)?.content);
  const latest = fromUser.at(-1)?.content;

  if (textBlocks(latest).some(asksForCompaction)) return 'compact';
  // Only at the start of a block: a memory of an earlier session may quote a marker anywhere.
  for (const marker of Object.keys(script.subagents ?? {})) {
    if (opening.some((text) => text.startsWith(marker))) return marker;
  }
  if (!Array.isArray(body.tools) || body.tools.length === 0) return 'side';
  if (!hasToolResult(latest) && textBlocks(latest).some(isNotification)) return 'notification';
  return 'main';
}

function textBlocks(content: Json | undefined): string[] {
  if (typeof content === 'string') return [content];
  if (!Array.isArray(content)) return [];
  return content.flatMap((block) => (isObject(block) && typeof block.text === 'string' ? [block.text] : []));
}

function hasToolResult(content: Json | undefined): boolean {
  return Array.isArray(content) && content.some((block) => isObject(block) && block.type === 'tool_result');
}

function isNotification(text: string): boolean {
  return /^\s*(<system-reminder>\s*\[SYSTEM NOTIFICATION|<task-notification>)/.test(text);
}

function asksForCompaction(text: string): boolean {
  return /create a detailed summary of|CRITICAL: Respond with TEXT ONLY/.test(text);
}

/** Null if it is not an object, too large, or cut off because the client has exited. */
async function readBody(request: IncomingMessage): Promise<JsonObject | null> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of request) {
      size += chunk.length;
      if (size > MOST_BODY_BYTES) return null;
      chunks.push(chunk);
    }
    const body: unknown = JSON.parse(Buffer.concat(chunks).toString('utf8'));
    return isObject(body) ? body : null;
  } catch {
    return null;
  }
}

function answerOther(path: string, response: ServerResponse): void {
  if (path.endsWith('/v1/messages/count_tokens')) answerJson(response, 200, { input_tokens: 1000 });
  else if (path.endsWith('/v1/models')) answerJson(response, 200, { data: [], has_more: false });
  else answerJson(response, 404, NOT_IN_THE_SCRIPT);
}

function answerJson(response: ServerResponse, status: number, body: JsonObject): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}
