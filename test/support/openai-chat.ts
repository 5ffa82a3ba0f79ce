import { isObject, type JsonObject } from '../../src/model/json.ts';
import {
  type ChatProtocol,
  type ChatStep,
  type ModelAnswer,
  toEventStream,
  toJsonAnswer,
} from './chat-protocol.ts';

/** OpenAI's Chat Completions API. Requests without tools ask for a title or the like. */
export const openAiChat: ChatProtocol = {
  path: '/v1',
  listResults(path, { messages, tools }) {
    const hasTools = Array.isArray(tools) && tools.length > 0;
    if (!path.includes('/chat/completions') || !Array.isArray(messages) || !hasTools) return null;
    return messages.filter((message) => isObject(message) && message.role === 'tool');
  },
  formatStep,
  formatOther(path, body) {
    if (path.includes('/chat/completions')) return formatStep({ text: 'A title' }, 'other', body);
    return toJsonAnswer({ object: 'list', data: [{ id: MODEL, object: 'model' }] });
  },
};

const MODEL = 'scripted-model';
const USAGE = { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 };

function formatStep(step: ChatStep, id: string, { stream }: JsonObject): ModelAnswer {
  const message = messageOf(step, id);
  const finish_reason = 'text' in step ? 'stop' : 'tool_calls';
  const base = { id: `chat-${id}`, created: 1, model: MODEL };
  if (stream !== true) {
    const choices = [{ index: 0, message, finish_reason }];
    return toJsonAnswer({ ...base, object: 'chat.completion', choices, usage: USAGE });
  }
  const chunk = { ...base, object: 'chat.completion.chunk' };
  const answer = toEventStream([
    { ...chunk, choices: [{ index: 0, delta: message, finish_reason: null }] },
    { ...chunk, choices: [{ index: 0, delta: {}, finish_reason }], usage: USAGE },
  ]);
  return { ...answer, body: `${answer.body}data: [DONE]\n\n` };
}

function messageOf(step: ChatStep, id: string): JsonObject {
  if ('text' in step) return { role: 'assistant', content: step.text };
  const called = { name: step.call, arguments: JSON.stringify(step.input) };
  const call = { index: 0, id: `call_${id}`, type: 'function', function: called };
  return { role: 'assistant', content: null, tool_calls: [call] };
}
