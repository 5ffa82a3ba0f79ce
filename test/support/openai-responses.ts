import { isObject, type JsonObject } from '../../src/model/json.ts';
import { type ChatProtocol, type ChatStep, toEventStream } from './chat-protocol.ts';

/** OpenAI's Responses API. A tool of an MCP server is named `<namespace>/<tool>`. */
export const openAiResponses: ChatProtocol = {
  path: '/v1',
  listResults(path, { input }) {
    if (!/\/responses\/?(?:\?|$)/.test(path) || !Array.isArray(input)) return null;
    return input.filter((item) => isObject(item) && /_output$/.test(String(item.type)));
  },
  formatStep(step, id) {
    const item = itemOf(step, id);
    const usage = {
      input_tokens: 100,
      input_tokens_details: { cached_tokens: 0 },
      output_tokens: 10,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: 110,
    };
    const response = { id: `resp_${id}`, status: 'completed', output: [item], usage };
    const events = [
      { type: 'response.created', response: { id: `resp_${id}` } },
      { type: 'response.output_item.done', output_index: 0, item },
      { type: 'response.completed', response },
    ];
    return toEventStream(events, { named: true });
  },
  formatOther: () => null,
};

function itemOf(step: ChatStep, id: string): JsonObject {
  if ('text' in step) {
    const content = [{ type: 'output_text', text: step.text }];
    return { type: 'message', role: 'assistant', id: `msg_${id}`, content };
  }
  const call_id = `call_${id}`;
  if (typeof step.input === 'string')
    return { type: 'custom_tool_call', id: `ctc_${id}`, call_id, name: step.call, input: step.input };
  const [name = '', namespace] = step.call.split('/').reverse();
  return {
    type: 'function_call',
    id: `fc_${id}`,
    call_id,
    name,
    ...(namespace !== undefined && { namespace }),
    arguments: JSON.stringify(step.input),
  };
}
