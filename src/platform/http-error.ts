/**
 * `unreachable`, `overloaded` and `rate-limited` are temporary. `refused` needs the person, and the message says what
 * to do. `bad-answer` is a response without a usable answer.
 */
export type HttpErrorKind = 'unreachable' | 'overloaded' | 'rate-limited' | 'refused' | 'bad-answer';

export class HttpError extends Error {
  override readonly name = 'HttpError';
  readonly kind: HttpErrorKind;
  readonly status: number | undefined;
  /** How long the server asks to wait. */
  readonly retryAfterMs: number | undefined;

  constructor(
    kind: HttpErrorKind,
    message: string,
    { status, retryAfterMs }: { status?: number; retryAfterMs?: number | undefined } = {},
  ) {
    super(message);
    this.kind = kind;
    this.status = status;
    this.retryAfterMs = retryAfterMs;
  }
}

/** The request's target, and the names that an error message uses. */
export interface RequestDescription {
  url: URL;
  model: string;
  /** Never quoted in a message. */
  key: string | undefined;
  names: {
    /** The expected server, with its article. */
    self: string;
    /** The environment variables for the key. */
    keyVariable: string;
    addressSetting: string;
    modelSetting: string;
  };
}

const MOST_SAID = 300;

/** The error for a status other than 2xx. */
export function createRefusal(
  { status, headers }: Response,
  text: string,
  request: RequestDescription,
): HttpError {
  const { url, model, key, names } = request;
  const trouble = (kind: HttpErrorKind, message: string) =>
    new HttpError(kind, `${url.host} ${message}`, { status, retryAfterMs: retryAfter(headers) });
  // Some servers report an empty account as a rate limit; waiting does not help.
  if (status === 429 && !text.includes('insufficient_quota'))
    return trouble('rate-limited', 'asks to slow down (429).');
  if ([408, 409, 425].includes(status) || status >= 500)
    return trouble('overloaded', `cannot answer now (${status}).`);
  if (status === 401 || status === 403) {
    const what = key ? `refuses the key (${status}). Put a valid one into` : `wants a key (${status}). Set`;
    return trouble(
      'refused',
      `${what} ${names.keyVariable} in the environment, then \`cairn worker restart\`.`,
    );
  }
  if (status === 404)
    return trouble('refused', `has no model ${model} at ${url.pathname} (404). ${checkSettings(request)}`);
  if (status >= 300 && status < 400)
    return trouble('refused', `sends elsewhere (${status}). Correct the setting ${names.addressSetting}.`);
  return trouble('refused', `refuses the request (${status})${quoteMessage(text, key)}`);
}

export function checkSettings({ names: { addressSetting, modelSetting } }: RequestDescription): string {
  return `Check the settings ${addressSetting} and ${modelSetting}.`;
}

/** Parses a `retry-after` header: seconds, or a date. */
function retryAfter(headers: Headers): number | undefined {
  const value = headers.get('retry-after');
  if (value === null) return undefined;
  const ms = /^\s*\d+(\.\d+)?\s*$/.test(value) ? Number(value) * 1_000 : Date.parse(value) - Date.now();
  return Number.isFinite(ms) ? Math.max(0, Math.round(ms)) : undefined;
}

function quoteMessage(text: string, key: string | undefined): string {
  const message = messageIn(text).replace(/\s+/g, ' ').trim();
  if (message === '') return '.';
  const harmless = key ? message.replaceAll(key, '[key]') : message;
  return `: ${harmless.length > MOST_SAID ? `${harmless.slice(0, MOST_SAID)}…` : harmless}`;
}

/** The text in `{"error": {"message": …}}`, `{"error": …}` or `{"message": …}`. */
function messageIn(text: string): string {
  try {
    const body = JSON.parse(text);
    const error = body?.error ?? body?.message;
    const message = error?.message ?? error;
    return typeof message === 'string' ? message : '';
  } catch {
    return '';
  }
}
