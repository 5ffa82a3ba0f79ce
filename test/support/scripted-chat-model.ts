import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { isObject, type JsonObject } from '../../src/model/json.ts';

/** What the model does next: it calls a tool, or says its last words. */
export type ChatStep = { call: string; input: JsonObject } | { text: string };

export interface ScriptedChatModel {
  /** Of the API, with its version. */
  url: string;
  /** The conversations that were sent, without those that have no tools, such as for a title. */
  requests(): JsonObject[];
  close(): Promise<void>;
}

const MODEL = 'scripted-model';

/** Plays OpenAI's chat completions on loopback: a request with n results of tools gets step n. */
export async function startScriptedChatModel(steps: ChatStep[]): Promise<ScriptedChatModel> {
  const requests: JsonObject[] = [];
  const server = createServer(async (request, response) => {
    if (request.method !== 'POST') {
      answerJson(response, { object: 'list', data: [{ id: MODEL, object: 'model' }] });
      return;
    }
    const body = await readBody(request);
    const hasTools = Array.isArray(body.tools) && body.tools.length > 0;
    if (hasTools) requests.push(body);
    const step = hasTools ? stepFor(body, steps) : { text: 'A title' };
    if (body.stream === true) streamStep(response, step, requests.length);
    else answerJson(response, wholeAnswer(step, requests.length));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the scripted model has no port');
  return {
    url: `http://127.0.0.1:${address.port}/v1`,
    requests: () => requests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function stepFor(body: JsonObject, steps: ChatStep[]): ChatStep {
  const messages = Array.isArray(body.messages) ? body.messages.filter(isObject) : [];
  const results = messages.filter(({ role }) => role === 'tool').length;
  return steps[results] ?? { text: 'The script has no more steps.' };
}

const USAGE = { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 };

function messageOf(step: ChatStep, number: number): JsonObject {
  if ('text' in step) return { role: 'assistant', content: step.text };
  const called = { name: step.call, arguments: JSON.stringify(step.input) };
  const call = { index: 0, id: `call_${number}`, type: 'function', function: called };
  return { role: 'assistant', content: null, tool_calls: [call] };
}

function reasonOf(step: ChatStep): string {
  return 'text' in step ? 'stop' : 'tool_calls';
}

function wholeAnswer(step: ChatStep, number: number): JsonObject {
  const choice = { index: 0, message: messageOf(step, number), finish_reason: reasonOf(step) };
  return {
    id: `chat-${number}`,
    object: 'chat.completion',
    created: 1,
    model: MODEL,
    choices: [choice],
    usage: USAGE,
  };
}

function streamStep(response: ServerResponse, step: ChatStep, number: number): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const base = { id: `chat-${number}`, object: 'chat.completion.chunk', created: 1, model: MODEL };
  const first = { index: 0, delta: messageOf(step, number), finish_reason: null };
  const last = { index: 0, delta: {}, finish_reason: reasonOf(step) };
  for (const part of [
    { ...base, choices: [first] },
    { ...base, choices: [last], usage: USAGE },
  ])
    response.write(`data: ${JSON.stringify(part)}\n\n`);
  response.end('data: [DONE]\n\n');
}

async function readBody(request: IncomingMessage): Promise<JsonObject> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const body: unknown = JSON.parse(Buffer.concat(chunks).toString('utf8'));
  return isObject(body) ? body : {};
}

function answerJson(response: ServerResponse, body: JsonObject): void {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}
