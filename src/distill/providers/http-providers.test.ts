import { afterEach, describe, expect, test } from 'vitest';
import {
  addressOfNobody,
  type Play,
  type ScriptedProvider,
  startScriptedProvider,
} from '../../../test/support/scripted-provider.ts';
import { anthropicProvider } from './anthropic.ts';
import { openAiProvider } from './openai.ts';
import { type CompletionRequest, type ModelProvider, ProviderError } from './provider.ts';

// Made up, and put together here so that no scanner takes this file for a leak.
const KEY = ['sk', 'test', 'Zx81QwErTy77AsDf'].join('-');
const REQUEST: CompletionRequest = {
  system: 'Answer in JSON.',
  user: 'What was it?',
  schema: { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] },
  maxTokens: 500,
};
const NEVER = new AbortController().signal;

const servers: ScriptedProvider[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

async function serve(...plays: Play[]): Promise<ScriptedProvider> {
  const server = await startScriptedProvider(plays);
  servers.push(server);
  return server;
}

function anthropic(url: string, timeoutMs = 20_000): ModelProvider {
  return anthropicProvider({ model: 'small', baseUrl: new URL(url), apiKey: KEY, timeoutMs });
}

function openAi(url: string, { timeoutMs = 20_000, apiKey = KEY } = {}): ModelProvider {
  return openAiProvider({ model: 'small', baseUrl: new URL(url), apiKey, timeoutMs });
}

const both: [string, (url: string, timeoutMs?: number) => ModelProvider][] = [
  ['anthropic', anthropic],
  ['openai', (url, timeoutMs) => openAi(url, timeoutMs === undefined ? {} : { timeoutMs })],
];

describe.each(both)('%s', (_name, provider) => {
  test('an answer with what it cost', async () => {
    const server = await serve({ says: '{"a":"b"}' });
    expect(await provider(server.url).complete(REQUEST, NEVER)).toEqual({
      text: '{"a":"b"}',
      tokensIn: 1_200,
      tokensOut: 300,
    });
    expect(server.requests().length).toBe(1);
  });

  test('a refusal in words is handed on as it is', async () => {
    const server = await serve({ says: 'I cannot help with that.' });
    expect((await provider(server.url).complete(REQUEST, NEVER)).text).toBe('I cannot help with that.');
  });

  const host = expect.stringMatching(/127\.0\.0\.1:\d+/);
  test.each<[string, Play, Partial<ProviderError>]>([
    [
      '429 with seconds',
      { status: 429, headers: { 'retry-after': '37' } },
      { kind: 'rate-limited', status: 429, retryAfterMs: 37_000 },
    ],
    ['429 without a time', { status: 429 }, { kind: 'rate-limited', status: 429, message: host }],
    [
      '429 with nonsense',
      { status: 429, headers: { 'retry-after': 'soon' } },
      { kind: 'rate-limited', status: 429, message: host },
    ],
    [
      '429 of an empty account',
      { status: 429, error: { code: 'insufficient_quota', message: 'no money' } },
      { kind: 'will-not-heal', status: 429, message: expect.stringContaining('no money') },
    ],
    ['500', { status: 500 }, { kind: 'overloaded', status: 500 }],
    [
      '503 with seconds',
      { status: 503, headers: { 'retry-after': '5' } },
      { kind: 'overloaded', status: 503, retryAfterMs: 5_000 },
    ],
    ['529', { status: 529 }, { kind: 'overloaded', status: 529 }],
    [
      '401',
      { status: 401, error: { message: `wrong key ${KEY}` } },
      { kind: 'will-not-heal', status: 401, message: expect.stringContaining('_API_KEY') },
    ],
    [
      '403',
      { status: 403 },
      { kind: 'will-not-heal', status: 403, message: expect.stringContaining('_API_KEY') },
    ],
    [
      '404',
      { status: 404 },
      { kind: 'will-not-heal', status: 404, message: expect.stringContaining('model.name') },
    ],
    [
      '400',
      { status: 400, error: { message: `too long, said ${KEY}` } },
      { kind: 'will-not-heal', status: 400, message: expect.stringContaining('too long, said [key]') },
    ],
    [
      'a redirect',
      { status: 307, headers: { location: 'http://127.0.0.1:9/elsewhere' } },
      { kind: 'will-not-heal', status: 307, message: expect.stringContaining('model.baseUrl') },
    ],
    ['half an answer', { half: true }, { kind: 'unreachable' }],
    [
      'a page instead of JSON',
      { raw: '<html>Welcome</html>' },
      { kind: 'bad-answer', message: expect.stringContaining('model.baseUrl') },
    ],
    ['JSON that is no object', { raw: '[1]' }, { kind: 'bad-answer' }],
    ['an answer without end', { raw: `"${'x'.repeat(3_000_000)}"` }, { kind: 'bad-answer' }],
  ])('%s', async (_case, play, expected) => {
    const server = await serve(play);
    const trouble = await troubleOf(provider(server.url).complete(REQUEST, NEVER));
    expect(trouble).toMatchObject(expected);
    expect(expected.retryAfterMs === trouble.retryAfterMs).toBe(true);
    expect(trouble.message).not.toContain(KEY);
  });

  test('429 with a date', async () => {
    const server = await serve({
      status: 429,
      headers: { 'retry-after': new Date(Date.now() + 3_600_000).toUTCString() },
    });
    const trouble = await troubleOf(provider(server.url).complete(REQUEST, NEVER));
    expect(trouble.kind).toBe('rate-limited');
    expect(Math.round((trouble.retryAfterMs ?? 0) / 60_000)).toBe(60);
  });

  test('nobody listens', async () => {
    const trouble = await troubleOf(provider(await addressOfNobody()).complete(REQUEST, NEVER));
    expect(trouble).toMatchObject({ kind: 'unreachable', message: expect.stringContaining('ECONNREFUSED') });
  });

  test('a host that does not exist', async () => {
    const trouble = await troubleOf(provider('http://no-such-host.invalid').complete(REQUEST, NEVER));
    expect(trouble.kind).toBe('unreachable');
  });

  test('no answer in time', async () => {
    const server = await serve({ silent: true });
    const trouble = await troubleOf(provider(server.url, 200).complete(REQUEST, NEVER));
    expect(trouble).toMatchObject({ kind: 'unreachable', message: expect.stringContaining('within 0.2 s') });
  });

  test('the caller gives up: that is no trouble of the provider', async () => {
    const server = await serve({ silent: true });
    const reason = new Error('the worker ends');
    const asked = provider(server.url).complete(REQUEST, abortedSoon(reason));
    await expect(asked).rejects.toBe(reason);
  });
});

describe('what is sent', () => {
  test('anthropic: a forced tool call, and the key in its header', async () => {
    const server = await serve({ says: '{}' });
    await anthropic(server.url).complete(REQUEST, NEVER);
    const [request] = server.requests();
    expect(request?.path).toBe('/v1/messages');
    expect(request?.headers).toMatchObject({
      'x-api-key': KEY,
      'anthropic-version': '2023-06-01',
      'content-type': 'application/json',
    });
    expect(request?.body).toEqual({
      model: 'small',
      max_tokens: 500,
      system: 'Answer in JSON.',
      messages: [{ role: 'user', content: 'What was it?' }],
      tools: [{ name: 'write_down', description: expect.any(String), input_schema: REQUEST.schema }],
      tool_choice: { type: 'tool', name: 'write_down' },
    });
  });

  test('openai: a strict schema, and the key as a bearer', async () => {
    const server = await serve({ says: '{}' });
    await openAi(server.url).complete(REQUEST, NEVER);
    const [request] = server.requests();
    expect(request?.headers.authorization).toBe(`Bearer ${KEY}`);
    expect(request?.body).toEqual({
      model: 'small',
      max_tokens: 500,
      messages: [
        { role: 'system', content: 'Answer in JSON.' },
        { role: 'user', content: 'What was it?' },
      ],
      response_format: {
        type: 'json_schema',
        json_schema: { name: 'memory', strict: true, schema: REQUEST.schema },
      },
    });
  });

  test('openai: no key, no header', async () => {
    const server = await serve({ says: '{}' });
    await openAi(server.url, { apiKey: '' }).complete(REQUEST, NEVER);
    expect(server.requests()[0]?.headers.authorization).toBeUndefined();
  });

  test.each([
    ['', '/v1/chat/completions'],
    ['/', '/v1/chat/completions'],
    ['/v1/', '/v1/chat/completions'],
    ['/api/v1', '/api/v1/chat/completions'],
    ['/v1beta/openai', '/v1beta/openai/chat/completions'],
  ])('openai: the base URL …%s leads to %s', async (path, expected) => {
    const server = await serve({ says: '{}' });
    await openAi(server.url + path).complete(REQUEST, NEVER);
    expect(server.requests()[0]?.path).toBe(expected);
  });

  test.each([
    ['/v1', '/v1/messages'],
    ['/gateway/', '/gateway/v1/messages'],
  ])('anthropic: the base URL …%s leads to %s', async (path, expected) => {
    const server = await serve({ says: '{}' });
    await anthropic(server.url + path).complete(REQUEST, NEVER);
    expect(server.requests()[0]?.path).toBe(expected);
  });
});

describe('a server that does not know schemas', () => {
  const forms = (server: ScriptedProvider) =>
    server.requests().map(({ body }) => (body.response_format as { type: string }).type);

  test('is asked again for any JSON, and that is remembered', async () => {
    const server = await serve({ status: 400, error: 'response_format?' }, { says: '{"a":"b"}' });
    const provider = openAi(server.url);
    expect((await provider.complete(REQUEST, NEVER)).text).toBe('{"a":"b"}');
    await provider.complete(REQUEST, NEVER);
    expect(forms(server)).toEqual(['json_schema', 'json_object', 'json_object']);
  });

  test('one that refuses that too had another reason, and nothing is remembered', async () => {
    const server = await serve({ status: 400, error: 'no' });
    const provider = openAi(server.url);
    expect(await troubleOf(provider.complete(REQUEST, NEVER))).toMatchObject({
      kind: 'will-not-heal',
      status: 400,
    });
    await troubleOf(provider.complete(REQUEST, NEVER));
    expect(forms(server)).toEqual(['json_schema', 'json_object', 'json_schema', 'json_object']);
  });
});

test('a server that counts no tokens: they are estimated', async () => {
  const server = await serve({ raw: JSON.stringify({ choices: [{ message: { content: '{"a":"b"}' } }] }) });
  expect(await openAi(server.url).complete(REQUEST, NEVER)).toEqual({
    text: '{"a":"b"}',
    tokensIn: 7,
    tokensOut: 3,
  });
});

async function troubleOf(asked: Promise<unknown>): Promise<ProviderError> {
  const error = await asked.then(
    () => new Error('no trouble at all'),
    (reason) => reason,
  );
  if (error instanceof ProviderError) return error;
  throw error;
}

function abortedSoon(reason: Error): AbortSignal {
  const controller = new AbortController();
  setTimeout(() => controller.abort(reason), 100);
  return controller.signal;
}
