/** Converts texts to vectors; their cosine is the similarity in meaning. */
export interface Embedder {
  /** Only vectors with the same id are comparable. */
  id: string;
  /** As many vectors as texts, each of length 1. @throws EmbedderError, or the signal's reason. */
  embed(
    texts: string[],
    purpose: Purpose,
    limits: { timeoutMs: number; signal: AbortSignal },
  ): Promise<Float32Array[]>;
}

/** Many models distinguish queries from documents. */
export type Purpose = 'memory' | 'query';

/** `passing` resolves itself; `lasting` needs the person, and the message says what to do. */
export class EmbedderError extends Error {
  override readonly name = 'EmbedderError';
  readonly kind: 'passing' | 'lasting';
  /** How long the server asks to wait. */
  readonly retryAfterMs?: number;
  /** The HTTP status, if there was an answer. */
  readonly status?: number;

  constructor(
    kind: 'passing' | 'lasting',
    message: string,
    { retryAfterMs, status }: { retryAfterMs?: number | undefined; status?: number | undefined } = {},
  ) {
    super(message);
    this.kind = kind;
    if (retryAfterMs !== undefined) this.retryAfterMs = retryAfterMs;
    if (status !== undefined) this.status = status;
  }
}
