import { isObject, type JsonObject } from '../../model/json.ts';
import { ProviderTrouble } from './provider.ts';
import { type Asked, refusal } from './refusal.ts';

export interface JsonCall extends Asked {
  headers: Record<string, string>;
  body: JsonObject;
  timeoutMs: number;
}

const MOST_ANSWER_BYTES = 2_000_000;

/** One question to an HTTP API, answered by one JSON object. */
export async function postJson(call: JsonCall, signal: AbortSignal): Promise<JsonObject> {
  const limit = AbortSignal.timeout(call.timeoutMs);
  try {
    const response = await fetch(call.url, {
      method: 'POST',
      headers: { ...call.headers, accept: 'application/json', 'content-type': 'application/json' },
      body: JSON.stringify(call.body),
      signal: AbortSignal.any([signal, limit]),
      // A redirect would take the key to an address that nobody has set.
      redirect: 'manual',
    });
    const text = await readBounded(response, call.url);
    if (!response.ok) throw refusal(response, text, call);
    return asObject(text, call.url);
  } catch (error) {
    if (error instanceof ProviderTrouble) throw error;
    if (signal.aborted) throw signal.reason;
    if (limit.aborted) {
      const seconds = Math.ceil(call.timeoutMs / 1_000);
      throw new ProviderTrouble('unreachable', `${call.url.host} did not answer within ${seconds} s.`);
    }
    throw new ProviderTrouble('unreachable', `Cannot reach ${call.url.host} (${causeOf(error)}).`);
  }
}

async function readBounded(response: Response, url: URL): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > MOST_ANSWER_BYTES) {
      throw new ProviderTrouble('bad-answer', `The answer of ${url.host} is far too long.`);
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function asObject(text: string, url: URL): JsonObject {
  try {
    const value: unknown = JSON.parse(text);
    if (isObject(value)) return value;
  } catch {
    // Said below.
  }
  const advice = 'Is the setting model.baseUrl right?';
  throw new ProviderTrouble('bad-answer', `${url.host} answers, but not as a model's API does. ${advice}`);
}

/** `fetch` hides what happened in its cause; a message of its own could quote a header. */
function causeOf(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  if (cause instanceof Error && 'code' in cause && typeof cause.code === 'string') return cause.code;
  return 'the connection broke';
}
