import { isObject, type Json, type JsonObject } from '../../model/json.ts';
import { askApi } from './ask-api.ts';
import type { CompletionRequest, ModelProvider } from './provider.ts';

export interface AnthropicOptions {
  model: string;
  baseUrl: URL;
  apiKey: string;
  timeoutMs: number;
}

const TOOL = 'write_down';

/** The Messages API. The answer is the input of a tool that the model is forced to call. */
export function anthropicProvider({ model, baseUrl, apiKey, timeoutMs }: AnthropicOptions): ModelProvider {
  const url = new URL(baseUrl);
  const path = url.pathname.replace(/\/+$/, '');
  url.pathname = path.endsWith('/v1') ? `${path}/messages` : `${path}/v1/messages`;
  const headers = { 'x-api-key': apiKey, 'anthropic-version': '2023-06-01' };
  const keyVariable = 'ANTHROPIC_API_KEY';

  return {
    name: 'anthropic',
    model,
    async complete(request, signal) {
      const body = bodyFor(request, model);
      const answer = await askApi({ url, headers, body, model, key: apiKey, keyVariable, timeoutMs }, signal);
      const usage = isObject(answer.usage) ? answer.usage : {};
      return {
        text: textOf(answer.content),
        tokensIn:
          count(usage.input_tokens) +
          count(usage.cache_creation_input_tokens) +
          count(usage.cache_read_input_tokens),
        tokensOut: count(usage.output_tokens),
      };
    },
  };
}

function bodyFor({ system, user, schema, maxTokens }: CompletionRequest, model: string): JsonObject {
  return {
    model,
    max_tokens: maxTokens,
    system,
    messages: [{ role: 'user', content: user }],
    tools: [{ name: TOOL, description: 'Records the memories of the turn.', input_schema: schema }],
    tool_choice: { type: 'tool', name: TOOL },
  };
}

function textOf(content: Json | undefined): string {
  const blocks = Array.isArray(content) ? content.filter(isObject) : [];
  const call = blocks.find(({ type, name }) => type === 'tool_use' && name === TOOL);
  if (call) return JSON.stringify(call.input ?? null);
  return blocks.flatMap(({ text }) => (typeof text === 'string' ? [text] : [])).join('\n');
}

function count(value: Json | undefined): number {
  return typeof value === 'number' ? value : 0;
}
