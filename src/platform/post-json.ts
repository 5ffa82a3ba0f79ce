import { checkSettings, createRefusal, HttpError, type RequestDescription } from './http-error.ts';

export interface JsonCall extends RequestDescription {
  headers: Record<string, string>;
  body: object;
  timeoutMs: number;
  mostAnswerBytes: number;
}

/**
 * Posts JSON to an HTTP API and returns a JSON response that passes `isAnswer`.
 * @throws HttpError; or the signal's reason if the caller aborted.
 */
export async function postJson<T>(
  call: JsonCall,
  isAnswer: (value: unknown) => value is T,
  signal: AbortSignal,
): Promise<T> {
  const { url, timeoutMs } = call;
  const limit = AbortSignal.timeout(timeoutMs);
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { ...call.headers, accept: 'application/json', 'content-type': 'application/json' },
      body: JSON.stringify(call.body),
      signal: AbortSignal.any([signal, limit]),
      // A redirect would send the key to an address that the person has not configured.
      redirect: 'manual',
    });
    const text = await readBounded(response, call);
    if (!response.ok) throw createRefusal(response, text, call);
    const answer = parsed(text);
    if (isAnswer(answer)) return answer;
    throw new HttpError(
      'bad-answer',
      `${url.host} answers, but not as ${call.names.self} does. ${checkSettings(call)}`,
    );
  } catch (error) {
    if (error instanceof HttpError) throw error;
    if (signal.aborted) throw signal.reason;
    throw new HttpError(
      'unreachable',
      limit.aborted
        ? `${url.host} did not answer within ${timeoutMs / 1_000} s.`
        : `Cannot reach ${url.host} (${causeOf(error)}).`,
    );
  }
}

async function readBounded(response: Response, call: JsonCall): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > call.mostAnswerBytes)
      throw new HttpError(
        'bad-answer',
        `The answer of ${call.url.host} is far too long. ${checkSettings(call)}`,
      );
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** `fetch` hides the reason in its cause; its own message could quote a header. */
function causeOf(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  if (cause instanceof Error && 'code' in cause && typeof cause.code === 'string') return cause.code;
  return 'the connection broke';
}
