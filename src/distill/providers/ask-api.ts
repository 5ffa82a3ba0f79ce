import { isObject, type JsonObject } from '../../model/json.ts';
import { HttpTrouble } from '../../platform/http-trouble.ts';
import { postJson } from '../../platform/post-json.ts';
import { ProviderTrouble, type TroubleKind } from './provider.ts';

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

const KINDS: Record<HttpTrouble['kind'], TroubleKind> = {
  unreachable: 'unreachable',
  overloaded: 'overloaded',
  'rate-limited': 'rate-limited',
  refused: 'will-not-heal',
  'bad-answer': 'bad-answer',
};

/** One question to a model's API. @throws ProviderTrouble, or the signal's reason. */
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
    throw error instanceof HttpTrouble ? new ProviderTrouble(KINDS[error.kind], error.message, error) : error;
  }
}
