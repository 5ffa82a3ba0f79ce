import { isObject, type JsonObject } from '../../model/json.ts';
import { HttpError } from '../../platform/http-error.ts';
import { postJson } from '../../platform/post-json.ts';
import { ProviderError, type ProviderErrorKind } from './provider.ts';

export interface ApiCall {
  url: URL;
  headers: Record<string, string>;
  body: JsonObject;
  model: string;
  key: string | undefined;
  keyVariable: string;
  timeoutMs: number;
}

const MOST_ANSWER_BYTES = 2_000_000;

const KINDS: Record<HttpError['kind'], ProviderErrorKind> = {
  unreachable: 'unreachable',
  overloaded: 'overloaded',
  'rate-limited': 'rate-limited',
  refused: 'will-not-heal',
  'bad-answer': 'bad-answer',
};

/** One request to a model's API. @throws ProviderError, or the signal's reason. */
export async function askApi({ keyVariable, ...call }: ApiCall, signal: AbortSignal): Promise<JsonObject> {
  const names = {
    self: "a model's API",
    keyVariable,
    addressSetting: 'model.baseUrl',
    modelSetting: 'model.name',
  };
  try {
    return await postJson({ ...call, names, mostAnswerBytes: MOST_ANSWER_BYTES }, isObject, signal);
  } catch (error) {
    throw error instanceof HttpError ? new ProviderError(KINDS[error.kind], error.message, error) : error;
  }
}
