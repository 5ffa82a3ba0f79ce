import { isObject, type Json, type JsonObject } from '../../model/json.ts';
import { HttpError } from '../../platform/http-error.ts';
import { postJson } from '../../platform/post-json.ts';
import { type Embedder, EmbedderError } from './embedder.ts';
import { addPrefix } from './prefixes.ts';
import { normaliseVector } from './unit-length.ts';

export interface OpenAiEmbedderOptions {
  model: string;
  baseUrl: URL;
  /** Local servers usually need none. */
  apiKey: string | undefined;
}

const NAMES = {
  self: 'an embedder',
  keyVariable: 'CAIRN_EMBEDDER_API_KEY',
  addressSetting: 'embedder.baseUrl',
  modelSetting: 'embedder.model',
};

const MOST_ANSWER_BYTES = 50_000_000;

/** Characters that fit even into the window of a small model, if the text is code. */
const SHORT_TEXT = 400;

/** Any server with OpenAI's embeddings API: Ollama, LM Studio, vLLM, OpenAI itself. */
export function openAiEmbedder({ model, baseUrl, apiKey }: OpenAiEmbedderOptions): Embedder {
  const url = new URL(baseUrl);
  const path = url.pathname.replace(/\/+$/, '');
  url.pathname = `${path === '' ? '/v1' : path}/embeddings`;
  const headers: Record<string, string> = apiKey ? { authorization: `Bearer ${apiKey}` } : {};

  async function post(body: JsonObject, timeoutMs: number, signal: AbortSignal): Promise<JsonObject> {
    const call = { url, headers, body, model, key: apiKey, names: NAMES, timeoutMs };
    try {
      return await postJson({ ...call, mostAnswerBytes: MOST_ANSWER_BYTES }, isObject, signal);
    } catch (error) {
      if (!(error instanceof HttpError)) throw error;
      const kind = error.kind === 'refused' || error.kind === 'bad-answer' ? 'lasting' : 'passing';
      throw new EmbedderError(kind, error.message, error);
    }
  }

  return {
    id: `openai:${model}`,
    async embed(texts, purpose, { timeoutMs, signal }) {
      const ask = async (input: string[]) =>
        vectorsIn(await post({ model, input }, timeoutMs, signal), input.length, url);
      const prefixed = texts.map((text) => addPrefix(text, model, purpose));
      try {
        return await ask(prefixed);
      } catch (error) {
        // Some servers reject texts longer than the model's window instead of cutting them.
        if (!isPerhapsTooLong(error, prefixed)) throw error;
        return await ask(prefixed.map((text) => text.slice(0, SHORT_TEXT)));
      }
    },
  };
}

function isPerhapsTooLong(error: unknown, texts: string[]): boolean {
  const { status = 0 } = error instanceof EmbedderError ? error : {};
  return [400, 413, 422, 500].includes(status) && texts.some((text) => text.length > SHORT_TEXT);
}

function vectorsIn({ data }: JsonObject, count: number, url: URL): Float32Array[] {
  const vectors: (Float32Array | null)[] = Array.from({ length: count }, () => null);
  for (const [place, entry] of (Array.isArray(data) ? data : []).entries()) {
    if (!isObject(entry)) continue;
    const index = typeof entry.index === 'number' ? entry.index : place;
    if (index in vectors) vectors[index] = asVector(entry.embedding);
  }
  const valid = vectors.filter((vector) => vector !== null);
  if (valid.length === count && valid.every(({ length }) => length === valid[0]?.length)) return valid;
  throw new EmbedderError(
    'lasting',
    `${url.host} does not answer with one vector for each text. Check the settings embedder.baseUrl and embedder.model.`,
  );
}

function asVector(json: Json | undefined): Float32Array | null {
  if (!Array.isArray(json) || json.length === 0) return null;
  if (!json.every((value) => typeof value === 'number')) return null;
  return normaliseVector(Float32Array.from(json));
}
