import { isObject, type Json } from '../../model/json.ts';
import { ProviderTrouble } from './provider.ts';

/** Who was asked for what, with which key. */
export interface Asked {
  url: URL;
  model: string;
  /** Never quoted, whatever the other side says. */
  key: string | undefined;
  /** The environment variables that may hold the key, as a person would name them. */
  keyVariable: string;
}

const MOST_SAID = 300;

/** What an answer other than 2xx means, and what the person can do about it. */
export function refusal(response: Response, text: string, call: Asked, now = Date.now()): ProviderTrouble {
  const { status } = response;
  const { host } = call.url;
  const trouble = (kind: ProviderTrouble['kind'], message: string) =>
    new ProviderTrouble(kind, message, { status, retryAfterMs: retryAfter(response.headers, now) });

  const said = whatItSays(text, call.key);
  if (status === 429 && !isOutOfMoney(text)) {
    return trouble('rate-limited', `${host} asks to slow down (429).`);
  }
  if (status === 408 || status === 409 || status === 425 || status >= 500) {
    return trouble('overloaded', `${host} cannot answer now (${status}).`);
  }
  if (status === 401 || status === 403) {
    const missing = call.key === undefined;
    return trouble(
      'will-not-heal',
      missing
        ? `${host} wants a key (${status}). Set ${call.keyVariable} in the environment, then \`cairn worker restart\`.`
        : `${host} refuses the key (${status}). Put a valid one into ${call.keyVariable}, then \`cairn worker restart\`.`,
    );
  }
  if (status === 404) {
    const cure = 'Check the settings model.name and model.baseUrl.';
    return trouble(
      'will-not-heal',
      `${host} has no model ${call.model} at ${call.url.pathname} (404). ${cure}`,
    );
  }
  if (status >= 300 && status < 400) {
    return trouble(
      'will-not-heal',
      `${host} sends elsewhere (${status}). Correct the setting model.baseUrl.`,
    );
  }
  return trouble('will-not-heal', `${host} refuses the request (${status})${said}`);
}

/** Seconds, or a date. */
function retryAfter(headers: Headers, now: number): number | undefined {
  const given = headers.get('retry-after');
  if (given === null) return undefined;
  const ms = /^\s*\d+(\.\d+)?\s*$/.test(given) ? Number(given) * 1_000 : Date.parse(given) - now;
  return Number.isFinite(ms) ? Math.max(0, Math.round(ms)) : undefined;
}

/** Some providers call an empty account a rate limit; waiting does not fill it. */
function isOutOfMoney(text: string): boolean {
  return text.includes('insufficient_quota');
}

function whatItSays(text: string, key: string | undefined): string {
  const message = messageIn(text).replace(/\s+/g, ' ').trim();
  if (message === '') return '.';
  const harmless = key ? message.replaceAll(key, '[key]') : message;
  return `: ${harmless.length > MOST_SAID ? `${harmless.slice(0, MOST_SAID)}…` : harmless}`;
}

function messageIn(text: string): string {
  try {
    const body: Json = JSON.parse(text);
    const error = isObject(body) ? (body.error ?? body.message ?? '') : '';
    const message = isObject(error) ? error.message : error;
    return typeof message === 'string' ? message : '';
  } catch {
    return '';
  }
}
