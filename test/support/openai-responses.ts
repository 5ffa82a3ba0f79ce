import { isObject, type JsonObject } from '../../src/model/json.ts';
import { type Protocol, type Step, toEventStream } from './step-model.ts';

/** OpenAI's Responses API. A tool of an MCP server is named `<namespace>/<tool>`. */
export const openAiResponses: Protocol = {
  countResults(path, { input }) {
    if (!/\/responses\/?(?:\?|$)/.test(path) || !Array.isArray(input)) return null;
    return input.filter((item) => isObject(item) && /_output$/.test(String(item.type))).length;
  },
  format(step, id) {
    const item = itemOf(step, id);
    const usage = {
      input_tokens: 100,
      input_tokens_details: { cached_tokens: 0 },
      output_tokens: 10,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: 110,
    };
    const events = [
      { type: 'response.created', response: { id: `resp_${id}` } },
      { type: 'response.output_item.done', output_index: 0, item },
      {
        type: 'response.completed',
        response: { id: `resp_${id}`, status: 'completed', output: [item], usage },
      },
    ];
    return { type: 'text/event-stream', body: toEventStream(events, { named: true }) };
  },
};

function itemOf(step: Step, id: string): JsonObject {
  if ('text' in step)
    return {
      type: 'message',
      role: 'assistant',
      id: `msg_${id}`,
      content: [{ type: 'output_text', text: step.text }],
    };
  if (typeof step.input === 'string')
    return {
      type: 'custom_tool_call',
      id: `ctc_${id}`,
      call_id: `call_${id}`,
      name: step.tool,
      input: step.input,
    };
  const [namespace, name] = step.tool.includes('/') ? step.tool.split('/') : [undefined, step.tool];
  return {
    type: 'function_call',
    id: `fc_${id}`,
    call_id: `call_${id}`,
    name: name ?? '',
    ...(namespace !== undefined && { namespace }),
    arguments: JSON.stringify(step.input),
  };
}
