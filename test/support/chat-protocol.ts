import type { Json, JsonObject } from '../../src/model/json.ts';

/** What the model does next: calls a tool, or ends with a text. */
export type ChatStep = { call: string; input: Json } | { text: string };

/** How a client talks to its model. */
export interface ChatProtocol {
  /** The path of the API below the server's address. */
  path: string;
  /** The results of the calls in a request; null if the client does not ask for its next step. */
  listResults(path: string, body: JsonObject): Json[] | null;
  formatStep(step: ChatStep, id: string, body: JsonObject): ModelAnswer;
  /** The answer to any other request; null if there is none. */
  formatOther(path: string, body: JsonObject): ModelAnswer | null;
}

export interface ModelAnswer {
  type: 'application/json' | 'text/event-stream';
  body: string;
}

/** Server-sent events. */
export function toEventStream(events: JsonObject[], { named = false } = {}): ModelAnswer {
  const body = events.map(
    (event) => `${named ? `event: ${event.type}\n` : ''}data: ${JSON.stringify(event)}\n\n`,
  );
  return { type: 'text/event-stream', body: body.join('') };
}

export function toJsonAnswer(body: JsonObject): ModelAnswer {
  return { type: 'application/json', body: JSON.stringify(body) };
}
