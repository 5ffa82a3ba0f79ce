import type { JsonObject } from '../../model/json.ts';

/** One way to ask a model something. */
export interface ModelProvider {
  name: string;
  model: string;
  /** Throws a ProviderError; or the signal's reason, when it was the caller who gave up. */
  complete(request: CompletionRequest, signal: AbortSignal): Promise<Completion>;
}

export interface CompletionRequest {
  system: string;
  user: string;
  /** The form of the answer, as a JSON schema. */
  schema: JsonObject;
  maxTokens: number;
}

export interface Completion {
  /** Empty when the model gave no answer in the form asked for. */
  text: string;
  tokensIn: number;
  tokensOut: number;
}

export interface Usage {
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
  /** How long the provider asks to be left alone. */
  readonly retryAfterMs?: number;
  /** The status of the answer, where there was one. */
  readonly status?: number;
  /** What was spent before the trouble; it counts for the day's budget all the same. */
  spent: Usage = { calls: 0, tokensIn: 0, tokensOut: 0 };

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
