import { createServer, type IncomingMessage } from 'node:http';
import { isObject, type Json, type JsonObject, parseJson } from '../../src/model/json.ts';
import type { ChatProtocol, ChatStep } from './chat-protocol.ts';
import { openAiChat } from './openai-chat.ts';

export interface ScriptedChatModel {
  /** The base address of the API. */
  url: string;
  /** Starts again with these steps. */
  play(steps: ChatStep[], subagent?: SubagentScript): void;
  /** The requests for a step, in order. */
  requests(): JsonObject[];
  /** The result of the call before the last request. */
  lastResult(): Json | undefined;
  close(): Promise<void>;
}

/** The steps of a subagent, whose requests do not contain the prompt of the person. */
export interface SubagentScript {
  steps: ChatStep[];
  prompt: string;
}

/** Plays a model on loopback: a request with the results of n calls gets step n. */
export async function startScriptedChatModel(
  steps: ChatStep[],
  protocol: ChatProtocol = openAiChat,
): Promise<ScriptedChatModel> {
  let script = steps;
  let subagent: SubagentScript | undefined;
  const scriptFor = (body: JsonObject) =>
    subagent && !JSON.stringify(body).includes(subagent.prompt) ? subagent.steps : script;
  let requests: JsonObject[] = [];
  let lastResult: Json | undefined;
  const server = createServer(async (request, response) => {
    const body = await readBody(request);
    const path = request.url ?? '';
    const results = request.method === 'POST' ? protocol.listResults(path, body) : null;
    if (results) {
      requests.push(body);
      lastResult = results.at(-1);
    }
    const answer = results
      ? protocol.formatStep(scriptFor(body)[results.length] ?? NO_STEP, `${requests.length}`, body)
      : protocol.formatOther(path, body);
    response.writeHead(answer ? 200 : 404, { 'content-type': answer?.type ?? 'application/json' });
    response.end(answer?.body ?? '{"error":{"message":"not in the script"}}');
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the scripted model has no port');
  return {
    url: `http://127.0.0.1:${address.port}${protocol.path}`,
    play(next, delegated) {
      script = next;
      subagent = delegated;
      requests = [];
      lastResult = undefined;
    },
    requests: () => requests,
    lastResult: () => lastResult,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

const NO_STEP: ChatStep = { text: 'The script has no more steps.' };

async function readBody(request: IncomingMessage): Promise<JsonObject> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const body = parseJson(Buffer.concat(chunks).toString('utf8'));
  return isObject(body) ? body : {};
}
