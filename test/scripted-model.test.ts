import { afterAll, beforeAll, expect, test } from 'vitest';
import type { JsonObject } from '../src/model/json.ts';
import { type ScriptedModel, startScriptedModel } from './support/scripted-model.ts';

let model: ScriptedModel;

beforeAll(async () => {
  model = await startScriptedModel({
    main: [
      [{ text: 'MAIN' }, { tool: 'Bash', input: { command: 'true' }, id: 'toolu_1' }],
      [{ text: 'AGAIN' }],
    ],
    subagents: { '[[SUB]]': [[{ text: 'SUB' }]] },
    notification: [[{ text: 'NOTED' }]],
  });
});

afterAll(() => model.close());

const tools = [{ name: 'Bash' }];
const user = (...texts: string[]) => ({
  role: 'user',
  content: texts.map((text) => ({ type: 'text', text })),
});

test('answers a request without streaming with the whole message', async () => {
  const answer = await ask({ model: 'm', tools, messages: [user('hello')] });
  expect(JSON.parse(answer)).toMatchObject({
    model: 'm',
    role: 'assistant',
    content: [
      { type: 'text', text: 'MAIN' },
      { type: 'tool_use', id: 'toolu_1', name: 'Bash', input: { command: 'true' } },
    ],
    stop_reason: 'tool_use',
  });
});

test.each([
  ['main', { tools, messages: [user('hello [[SUB]]')] }, 'AGAIN'],
  ['[[SUB]]', { tools, messages: [user('# context', '[[SUB]] go')] }, 'SUB'],
  ['notification', { tools, messages: [user('hello'), user('<task-notification>x')] }, 'NOTED'],
  ['side', { messages: [user('a title, please')] }, 'Scripted session'],
  ['compact', { tools, messages: [user('create a detailed summary of all')] }, 'SCRIPTED COMPACT SUMMARY'],
  ['main', { tools, messages: [user('more')] }, 'The script has no more turns.'],
])('streams the next turn of the queue %s', async (queue, body, text) => {
  const answer = await ask({ ...body, stream: true });
  expect(model.requests().at(-1)?.queue).toBe(queue);
  expect(answer).toContain(text);
  expect(answer.match(/^event: .*$/gm)).toEqual([
    'event: message_start',
    'event: content_block_start',
    'event: content_block_delta',
    'event: content_block_stop',
    'event: message_delta',
    'event: message_stop',
  ]);
});

test('rejects a body that is not JSON', async () => {
  const response = await fetch(`${model.url}/v1/messages`, { method: 'POST', body: 'not json' });
  expect({ status: response.status, body: await response.json() }).toEqual({
    status: 400,
    body: { type: 'error', error: { type: 'invalid_request_error', message: 'not in the script' } },
  });
});

async function ask(body: JsonObject): Promise<string> {
  const response = await fetch(`${model.url}/v1/messages`, { method: 'POST', body: JSON.stringify(body) });
  return response.text();
}
