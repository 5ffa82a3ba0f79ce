/** What turns texts into vectors whose cosine tells how near they are in meaning. */
export interface Embedder {
  /** Which vectors can be compared with each other: only those of one id. */
  id: string;
  /** As many vectors as texts, each of length 1. @throws EmbedderError, or the signal's reason. */
  embed(
    texts: string[],
    purpose: Purpose,
    limits: { timeoutMs: number; signal: AbortSignal },
  ): Promise<Float32Array[]>;
}

/** Many models want to know which side of a comparison a text is on. */
export type Purpose = 'memory' | 'query';

/** `passing` goes by itself; `lasting` needs the person, and the message says what to do. */
export class EmbedderError extends Error {
  override readonly name = 'EmbedderError';
  readonly kind: 'passing' | 'lasting';
  /** How long the other side asks to be left alone. */
  readonly retryAfterMs?: number;
  /** The status of the answer, where there was one. */
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
