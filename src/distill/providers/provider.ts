import type { JsonObject } from '../../model/json.ts';

export interface ModelProvider {
  name: string;
  model: string;
  /** @throws ProviderError; or the signal's reason if the caller aborted. */
  complete(request: CompletionRequest, signal: AbortSignal): Promise<Completion>;
}

export interface CompletionRequest {
  system: string;
  user: string;
  /** The JSON schema of the answer. */
  schema: JsonObject;
  maxTokens: number;
}

export interface Completion {
  /** Empty when the model gave no answer in the form asked for. */
  text: string;
  tokensIn: number;
  tokensOut: number;
}

export interface ModelUsage {
  calls: number;
  tokensIn: number;
  tokensOut: number;
}

/**
 * `unreachable`, `overloaded` and `rate-limited` pass by themselves. `will-not-heal` needs the person, and its
 * message says what to do. `bad-answer` concerns this one turn.
 */
export type ProviderErrorKind =
  | 'unreachable'
  | 'overloaded'
  | 'rate-limited'
  | 'will-not-heal'
  | 'bad-answer';

export class ProviderError extends Error {
  override readonly name = 'ProviderError';
  readonly kind: ProviderErrorKind;
  /** How long the provider asks to wait. */
  readonly retryAfterMs?: number;
  /** The HTTP status, if there was an answer. */
  readonly status?: number;
  /** Tokens spent before the failure; they count for the day's budget. */
  spent: ModelUsage = { calls: 0, tokensIn: 0, tokensOut: 0 };

  constructor(
    kind: ProviderErrorKind,
    message: string,
    { retryAfterMs, status }: { retryAfterMs?: number | undefined; status?: number | undefined } = {},
  ) {
    super(message);
    this.kind = kind;
    if (retryAfterMs !== undefined) this.retryAfterMs = retryAfterMs;
    if (status !== undefined) this.status = status;
  }
}
