import { PassThrough } from 'node:stream';
import { McpServer } from '@modelcontextprotocol/server';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { isObject, type Json, type JsonObject } from '../model/json.ts';
import { createConversation } from './protocol.ts';

/**
 * The reference implementation costs 1 MB, 90 ms at startup and 19 MB of memory, so the server does not use it. These
 * tests do: our answers must equal its answers.
 */

const IMPLEMENTATION = { name: 'echo', version: '1.2.3' };
const INSTRUCTIONS = 'Say something.';
const TOOL = {
  name: 'echo',
  description: 'Says it again',
  inputSchema: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
};

const META = 'io.modelcontextprotocol';
const envelope = (more: JsonObject = {}): JsonObject => ({
  _meta: {
    [`${META}/protocolVersion`]: '2026-07-28',
    [`${META}/clientInfo`]: { name: 'test', version: '1' },
    [`${META}/clientCapabilities`]: {},
    ...more,
  },
});
const introduction = (protocolVersion: string): JsonObject => ({
  protocolVersion,
  capabilities: {},
  clientInfo: { name: 'test', version: '1' },
});
const echo = { name: 'echo', arguments: { text: 'hello' } };
const introduced = [
  { method: 'initialize', params: introduction('2025-11-25') },
  { notification: 'notifications/initialized' },
];

type Step = { method: string; params?: JsonObject } | { notification: string };

const conversations: { name: string; steps: Step[] }[] = [
  ...['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05', '1999-12-31'].map((version) => ({
    name: `initialize ${version}`,
    steps: [{ method: 'initialize', params: introduction(version) }],
  })),
  {
    name: 'older form: list, call, ping',
    steps: [
      ...introduced,
      { method: 'tools/list' },
      { method: 'tools/call', params: echo },
      { method: 'ping' },
    ],
  },
  {
    name: 'older form: unknown tools and methods',
    steps: [
      ...introduced,
      { method: 'tools/call', params: { name: 'nothing', arguments: {} } },
      { method: 'tools/call', params: {} },
      { method: 'resources/list' },
      { method: 'prompts/list' },
      { method: 'logging/setLevel', params: { level: 'info' } },
      { method: 'no/such/method' },
    ],
  },
  { name: 'a list before initialize', steps: [{ method: 'tools/list' }] },
  { name: 'a discovery request without a protocol version', steps: [{ method: 'server/discover' }] },
  {
    name: 'newer form: discover, list, call',
    steps: [
      { method: 'server/discover', params: envelope() },
      { method: 'tools/list', params: envelope() },
      { method: 'tools/call', params: { ...echo, ...envelope() } },
    ],
  },
  {
    name: 'newer form: unknown tools and methods',
    steps: [
      { method: 'server/discover', params: envelope() },
      { method: 'tools/call', params: { name: 'nothing', arguments: {}, ...envelope() } },
      { method: 'ping', params: envelope() },
      { method: 'resources/list', params: envelope() },
      { method: 'tools/list', params: { _meta: { [`${META}/protocolVersion`]: '2026-07-28' } } },
    ],
  },
  {
    name: 'an unknown protocol version',
    steps: [{ method: 'server/discover', params: envelope({ [`${META}/protocolVersion`]: '2031-01-01' }) }],
  },
  {
    name: 'a discovery request followed by the older form',
    steps: [{ method: 'server/discover', params: envelope() }, ...introduced, { method: 'tools/list' }],
  },
];

describe('answers like the reference implementation', () => {
  test.each(conversations)('$name', async ({ steps }) => {
    const messages = steps.map((step, id): JsonObject => {
      if ('notification' in step) return { jsonrpc: '2.0', method: step.notification };
      return { jsonrpc: '2.0', id, ...step };
    });
    const [ours, theirs] = [await collectOurAnswers(messages), await collectReferenceAnswers(messages)];
    expect(ours).toEqual(theirs);
    expect(ours).toHaveLength(messages.filter(({ id }) => id !== undefined).length);
  });
});

async function collectOurAnswers(messages: JsonObject[]): Promise<Json[]> {
  const conversation = createConversation({
    ...IMPLEMENTATION,
    instructions: INSTRUCTIONS,
    tools: [TOOL],
    call: async (name, args) =>
      name === 'echo' && isObject(args) ? { content: [{ type: 'text', text: args.text ?? '' }] } : undefined,
  });
  const answers: Json[] = [];
  for (const message of messages) {
    const answer = await conversation.answer(message);
    if (answer) answers.push(comparable(answer));
  }
  return answers;
}

async function collectReferenceAnswers(messages: JsonObject[]): Promise<Json[]> {
  const input = new PassThrough();
  const output = new PassThrough();
  const handle = serveStdio(
    () => {
      const server = new McpServer(IMPLEMENTATION, { instructions: INSTRUCTIONS });
      const { name, description } = TOOL;
      server.registerTool(name, { description, inputSchema: z.object({ text: z.string() }) }, ({ text }) => ({
        content: [{ type: 'text', text }],
      }));
      return server;
    },
    { transport: new StdioServerTransport(input, output) },
  );
  let written = '';
  output.on('data', (chunk) => {
    written += chunk;
  });
  const answers = () => written.split('\n').filter((line) => line !== '');
  let due = 0;
  for (const message of messages) {
    if (message.id !== undefined) due++;
    input.write(`${JSON.stringify(message)}\n`);
    while (answers().length < due) await new Promise((resume) => setTimeout(resume, 1));
  }
  await handle.close();
  return answers().map((line) => comparable(JSON.parse(line)));
}

/** Removes fields in which implementations may differ: texts of errors and optional fields of a list. */
function comparable(answer: JsonObject): Json {
  const own = ['message', '$schema', 'listChanged'];
  return JSON.parse(JSON.stringify(answer, (key, value) => (own.includes(key) ? undefined : value)));
}
