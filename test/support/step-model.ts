import { createServer } from 'node:http';
import { isObject, type Json, type JsonObject, parseJson } from '../../src/model/json.ts';

/** What a scripted model does next: one call, or the last words of the turn. */
export type Step = { tool: string; input: Json } | { text: string };

/** The way in which an agent talks to its model. */
export interface Protocol {
  /** How many calls of this turn have results; null if the request is not one for the agent's next step. */
  countResults(path: string, body: JsonObject): number | null;
  /** The whole answer to the request. */
  format(step: Step, id: string, path: string): { type: string; body: string };
  /** The answer to every other request. */
  formatOther?(path: string, body: JsonObject): { type: string; body: string } | null;
}

export interface StepModel {
  url: string;
  /** The requests for a step, in order. */
  requests(): JsonObject[];
  close(): Promise<void>;
}

/** Plays a model on loopback: the step for a request is the one after as many calls as it has results of. */
export async function startStepModel(protocol: Protocol, steps: Step[], port = 0): Promise<StepModel> {
  const requests: JsonObject[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const parsed = parseJson(Buffer.concat(chunks).toString('utf8'));
    const body = isObject(parsed) ? parsed : {};
    const path = request.url ?? '';
    const count = request.method === 'POST' ? protocol.countResults(path, body) : null;
    const step = count === null ? undefined : steps[Math.min(count, steps.length - 1)];
    if (step) requests.push(body);
    const answer = step
      ? protocol.format(step, `${requests.length}`, path)
      : protocol.formatOther?.(path, body);
    response.writeHead(answer ? 200 : 404, { 'content-type': answer?.type ?? 'application/json' });
    response.end(answer?.body ?? '{"error":{"message":"not in the script"}}');
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const address = server.address();
  const own = typeof address === 'object' ? address?.port : undefined;
  return {
    url: `http://127.0.0.1:${own}`,
    requests: () => requests,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

/** Server-sent events. */
export function toEventStream(events: JsonObject[], { named = false } = {}): string {
  return events
    .map((event) => `${named ? `event: ${event.type}\n` : ''}data: ${JSON.stringify(event)}\n\n`)
    .join('');
}
