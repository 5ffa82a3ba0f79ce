import { isObject, type Json, type JsonObject } from '../../model/json.ts';
import { EmbedderTrouble } from './embedder.ts';

export interface TextsCall {
  url: URL;
  body: JsonObject;
  /** Never quoted, whatever the other side says. */
  apiKey: string | undefined;
  timeoutMs: number;
}

const MOST_ANSWER_BYTES = 50_000_000;
const MOST_SAID = 300;
const CHECK_SETTINGS = 'Check the settings embedder.baseUrl and embedder.model.';

/** One question to an embeddings API, answered by one JSON object. */
export async function postTexts(call: TextsCall, signal: AbortSignal): Promise<JsonObject> {
  const { url, body, apiKey, timeoutMs } = call;
  const limit = AbortSignal.timeout(timeoutMs);
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        accept: 'application/json',
        'content-type': 'application/json',
        ...(apiKey && { authorization: `Bearer ${apiKey}` }),
      },
      body: JSON.stringify(body),
      signal: AbortSignal.any([signal, limit]),
      // A redirect would take the key to an address that nobody has set.
      redirect: 'manual',
    });
    const text = await readBounded(response, url);
    if (!response.ok) throw refusal(response, text, call);
    const answer = parsed(text);
    if (isObject(answer)) return answer;
    throw new EmbedderTrouble(
      'lasting',
      `${url.host} answers, but not as an embedder does. ${CHECK_SETTINGS}`,
    );
  } catch (error) {
    if (error instanceof EmbedderTrouble) throw error;
    if (signal.aborted) throw signal.reason;
    throw limit.aborted
      ? new EmbedderTrouble('passing', `${url.host} did not answer within ${timeoutMs / 1_000} s.`)
      : new EmbedderTrouble('passing', `Cannot reach ${url.host} (${causeOf(error)}).`);
  }
}

/** What an answer other than 2xx means, and what the person can do about it. */
function refusal(
  { status, headers }: Response,
  text: string,
  { url, apiKey, body }: TextsCall,
): EmbedderTrouble {
  const trouble = (kind: EmbedderTrouble['kind'], message: string) =>
    new EmbedderTrouble(kind, message, { status, retryAfterMs: retryAfter(headers) });
  // Some call an empty account a rate limit; waiting does not fill it.
  if (status === 429 && !text.includes('insufficient_quota'))
    return trouble('passing', `${url.host} asks to slow down (429).`);
  if ([408, 409, 425].includes(status) || status >= 500)
    return trouble('passing', `${url.host} cannot answer now (${status}).`);
  if (status === 401 || status === 403) {
    const what = apiKey ? 'refuses the key' : 'wants a key';
    const cure =
      'Put a valid one into CAIRN_EMBEDDER_API_KEY in the environment, then `cairn worker restart`.';
    return trouble('lasting', `${url.host} ${what} (${status}). ${cure}`);
  }
  if (status === 404)
    return trouble(
      'lasting',
      `${url.host} has no model ${body.model} at ${url.pathname} (404). ${CHECK_SETTINGS}`,
    );
  if (status >= 300 && status < 400)
    return trouble(
      'lasting',
      `${url.host} sends elsewhere (${status}). Correct the setting embedder.baseUrl.`,
    );
  return trouble('lasting', `${url.host} refuses the request (${status})${whatItSays(text, apiKey)}`);
}

/** Seconds, or a date. */
function retryAfter(headers: Headers): number | undefined {
  const given = headers.get('retry-after');
  if (given === null) return undefined;
  const ms = /^\s*\d+(\.\d+)?\s*$/.test(given) ? Number(given) * 1_000 : Date.parse(given) - Date.now();
  return Number.isFinite(ms) ? Math.max(0, Math.round(ms)) : undefined;
}

function whatItSays(text: string, key: string | undefined): string {
  const body = parsed(text);
  const error = isObject(body) ? (body.error ?? body.message ?? '') : '';
  const message = isObject(error) ? error.message : error;
  if (typeof message !== 'string' || message.trim() === '') return '.';
  const harmless = (key ? message.replaceAll(key, '[key]') : message).replace(/\s+/g, ' ').trim();
  return `: ${harmless.length > MOST_SAID ? `${harmless.slice(0, MOST_SAID)}…` : harmless}`;
}

async function readBounded(response: Response, url: URL): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > MOST_ANSWER_BYTES)
      throw new EmbedderTrouble('lasting', `The answer of ${url.host} is far too long. ${CHECK_SETTINGS}`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function parsed(text: string): Json | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** `fetch` hides what happened in its cause; a message of its own could quote a header. */
function causeOf(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  if (cause instanceof Error && 'code' in cause && typeof cause.code === 'string') return cause.code;
  return 'the connection broke';
}
