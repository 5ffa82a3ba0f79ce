import { isObject, type Json, type JsonObject } from '../../model/json.ts';
import { askApi } from './ask-api.ts';
import { type CompletionRequest, type ModelProvider, ProviderError } from './provider.ts';

export interface OpenAiOptions {
  model: string;
  baseUrl: URL;
  /** Local servers usually need none. */
  apiKey: string | undefined;
  timeoutMs: number;
}

type AnswerForm = 'json_schema' | 'json_object';

/** Any server with OpenAI's chat completions API. */
export function openAiProvider({ model, baseUrl, apiKey, timeoutMs }: OpenAiOptions): ModelProvider {
  const url = new URL(baseUrl);
  const path = url.pathname.replace(/\/+$/, '');
  url.pathname = `${path === '' ? '/v1' : path}/chat/completions`;
  const headers: Record<string, string> = apiKey ? { authorization: `Bearer ${apiKey}` } : {};
  const keyVariable = 'CAIRN_MODEL_API_KEY or OPENAI_API_KEY';
  // Not every server supports schemas; one that rejected a schema is not asked again.
  let form: AnswerForm = 'json_schema';

  async function ask(request: CompletionRequest, asked: AnswerForm, signal: AbortSignal) {
    const body = bodyFor(request, model, asked, url);
    return askApi({ url, headers, body, model, key: apiKey, keyVariable, timeoutMs }, signal);
  }

  async function askInTheBestForm(request: CompletionRequest, signal: AbortSignal): Promise<JsonObject> {
    try {
      return await ask(request, form, signal);
    } catch (error) {
      const isRefused = error instanceof ProviderError && (error.status === 400 || error.status === 422);
      if (!isRefused || form === 'json_object') throw error;
      const answer = await ask(request, 'json_object', signal);
      form = 'json_object';
      return answer;
    }
  }

  return {
    name: 'openai',
    model,
    async complete(request, signal) {
      const answer = await askInTheBestForm(request, signal);
      const text = textOf(answer);
      const usage = isObject(answer.usage) ? answer.usage : {};
      return {
        text,
        tokensIn: countOr(usage.prompt_tokens, request.system.length + request.user.length),
        tokensOut: countOr(usage.completion_tokens, text.length),
      };
    },
  };
}

function bodyFor(
  { system, user, schema, maxTokens }: CompletionRequest,
  model: string,
  form: AnswerForm,
  url: URL,
): JsonObject {
  // OpenAI's newer models reject max_tokens; many other servers support nothing else.
  const limit = url.hostname === 'api.openai.com' ? 'max_completion_tokens' : 'max_tokens';
  return {
    model,
    [limit]: maxTokens,
    messages: [
      { role: 'system', content: system },
      { role: 'user', content: user },
    ],
    response_format:
      form === 'json_schema'
        ? { type: 'json_schema', json_schema: { name: 'memory', strict: true, schema } }
        : { type: 'json_object' },
  };
}

function textOf(answer: JsonObject): string {
  const choice = Array.isArray(answer.choices) ? answer.choices[0] : undefined;
  const message = isObject(choice) ? choice.message : undefined;
  return isObject(message) && typeof message.content === 'string' ? message.content : '';
}

/** Some servers do not report usage; then four characters count as a token. */
function countOr(value: Json | undefined, characters: number): number {
  return typeof value === 'number' ? value : Math.ceil(characters / 4);
}
