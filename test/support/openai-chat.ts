import { isObject, type JsonObject } from '../../src/model/json.ts';
import { type Protocol, toEventStream } from './step-model.ts';

const USAGE = { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 };

/** OpenAI's Chat Completions API, streamed. */
export const openAiChat: Protocol = {
  countResults(path, { messages, tools }) {
    const hasTools = Array.isArray(tools) && tools.length > 0;
    if (!path.includes('/chat/completions') || !Array.isArray(messages) || !hasTools) return null;
    return messages.filter((message) => isObject(message) && message.role === 'tool').length;
  },
  format(step, id) {
    const call = 'text' in step ? undefined : step;
    const delta: JsonObject = call
      ? {
          role: 'assistant',
          content: null,
          tool_calls: [
            {
              index: 0,
              id: `call_${id}`,
              type: 'function',
              function: { name: call.tool, arguments: JSON.stringify(call.input) },
            },
          ],
        }
      : { role: 'assistant', content: 'text' in step ? step.text : '' };
    return { type: 'text/event-stream', body: streamOf(delta, call ? 'tool_calls' : 'stop') };
  },
  /** Titles and the like, and the list of models. */
  formatOther(path, { stream }) {
    if (path.includes('/models'))
      return {
        type: 'application/json',
        body: JSON.stringify({ object: 'list', data: [{ id: 'fake-model', object: 'model' }] }),
      };
    if (!path.includes('/chat/completions')) return null;
    const message = { role: 'assistant', content: 'A title' };
    if (stream === true) return { type: 'text/event-stream', body: streamOf(message, 'stop') };
    const choices = [{ index: 0, message, finish_reason: 'stop' }];
    return {
      type: 'application/json',
      body: JSON.stringify({ id: 'other', object: 'chat.completion', created: 1, choices, usage: USAGE }),
    };
  },
};

function streamOf(delta: JsonObject, reason: string): string {
  const base = { id: 'chatcmpl', object: 'chat.completion.chunk', created: 1, model: 'fake-model' };
  const chunks = [
    { ...base, choices: [{ index: 0, delta, finish_reason: null }] },
    { ...base, choices: [{ index: 0, delta: {}, finish_reason: reason }], usage: USAGE },
  ];
  return `${toEventStream(chunks)}data: [DONE]\n\n`;
}
