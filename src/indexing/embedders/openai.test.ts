import { afterEach, describe, expect, test } from 'vitest';
import {
  type EmbedderPlay,
  type ScriptedEmbedder,
  startScriptedEmbedder,
} from '../../../test/support/scripted-embedder.ts';
import { addressOfNobody } from '../../../test/support/scripted-provider.ts';
import { readEnvironment } from '../../config/environment.ts';
import { loadSettings } from '../../config/settings.ts';
import { createEmbedder } from './create.ts';
import { EmbedderError } from './embedder.ts';
import { openAiEmbedder } from './openai.ts';

const KEY = ['ek', 'made', 'up'].join('-');
const NEVER = new AbortController().signal;
const LIMITS = { timeoutMs: 5_000, signal: NEVER };
const HEALTHY: EmbedderPlay = { vectors: (text) => [text.length, 0, 0, 0] };

let server: ScriptedEmbedder | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

async function embedderWith(play: EmbedderPlay, { path = '', model = 'small', apiKey = KEY } = {}) {
  server = await startScriptedEmbedder(play);
  const baseUrl = new URL(server.url + path);
  return { embedder: openAiEmbedder({ model, baseUrl, apiKey: apiKey || undefined }), server };
}

async function troubleOf(work: Promise<unknown>) {
  const error = await work.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof EmbedderError)) throw new Error(`no trouble, but ${error}`);
  const { kind, message, status, retryAfterMs } = error;
  return { kind, message: message.replace(/127\.0\.0\.1:\d+/, 'HOST'), status, retryAfterMs };
}

test('requests all texts at once and returns the vectors in their order', async () => {
  const { embedder, server } = await embedderWith({ vectors: (text) => (text === 'a' ? [3, 4] : [0, 2]) });
  const vectors = await embedder.embed(['a', 'b'], 'memory', LIMITS);
  expect(vectors).toEqual([Float32Array.from([0.6, 0.8]), Float32Array.from([0, 1])]);
  expect(embedder.id).toBe('openai:small');
  expect(server.requests).toMatchObject([
    {
      path: '/v1/embeddings',
      model: 'small',
      input: ['a', 'b'],
      headers: { authorization: `Bearer ${KEY}` },
    },
  ]);
});

test.each([
  { name: 'no path', path: '', requested: '/v1/embeddings' },
  { name: 'a path', path: '/v1/', requested: '/v1/embeddings' },
  { name: 'another path', path: '/api/openai/v1', requested: '/api/openai/v1/embeddings' },
])('accepts an address with $name', async ({ path, requested }) => {
  const { embedder, server } = await embedderWith(HEALTHY, { path, apiKey: '' });
  await embedder.embed(['a'], 'memory', LIMITS);
  expect(server.requests.map(({ path, headers }) => [path, headers.authorization])).toEqual([
    [requested, undefined],
  ]);
});

test.each([
  { model: 'nomic-embed-text:v1.5', memory: 'search_document: a', query: 'search_query: a' },
  { model: 'intfloat/multilingual-e5-small', memory: 'passage: a', query: 'query: a' },
  { model: 'text-embedding-3-small', memory: 'a', query: 'a' },
])('adds the prefixes for memories and queries to texts for $model', async ({ model, memory, query }) => {
  const { embedder, server } = await embedderWith(HEALTHY, { model });
  await embedder.embed(['a'], 'memory', LIMITS);
  await embedder.embed(['a'], 'query', LIMITS);
  expect(server.requests.map(({ input }) => input)).toEqual([[memory], [query]]);
});

describe('errors', () => {
  const settings = 'Check the settings embedder.baseUrl and embedder.model.';
  test.each<{ name: string; play: EmbedderPlay; is: object }>([
    {
      name: 'a rate limit',
      play: { status: 429, headers: { 'retry-after': '7' } },
      is: { kind: 'passing', message: 'HOST asks to slow down (429).', status: 429, retryAfterMs: 7_000 },
    },
    {
      name: 'an empty account',
      play: { status: 429, body: { error: { code: 'insufficient_quota', message: `No money on ${KEY}` } } },
      is: { kind: 'lasting', message: 'HOST refuses the request (429): No money on [key]', status: 429 },
    },
    {
      name: 'an outage',
      play: { status: 500 },
      is: { kind: 'passing', message: 'HOST cannot answer now (500).', status: 500 },
    },
    {
      name: 'a wrong key',
      play: { status: 401 },
      is: {
        kind: 'lasting',
        message:
          'HOST refuses the key (401). Put a valid one into CAIRN_EMBEDDER_API_KEY in the environment, then `cairn worker restart`.',
        status: 401,
      },
    },
    {
      name: 'an unknown model',
      play: { status: 404 },
      is: {
        kind: 'lasting',
        message: `HOST has no model small at /v1/embeddings (404). ${settings}`,
        status: 404,
      },
    },
    {
      name: 'a redirect',
      play: { status: 307, headers: { location: 'http://127.0.0.1:1/' } },
      is: {
        kind: 'lasting',
        message: 'HOST sends elsewhere (307). Correct the setting embedder.baseUrl.',
        status: 307,
      },
    },
    {
      name: 'a refused request',
      play: { status: 400, body: { error: 'bad\n input' } },
      is: { kind: 'lasting', message: 'HOST refuses the request (400): bad input', status: 400 },
    },
    {
      name: 'a web page',
      play: { raw: '<html>' },
      is: { kind: 'lasting', message: `HOST answers, but not as an embedder does. ${settings}` },
    },
    {
      name: 'too few vectors',
      play: { raw: '{"data":[]}' },
      is: { kind: 'lasting', message: `HOST does not answer with one vector for each text. ${settings}` },
    },
    {
      name: 'a zero vector',
      play: { vectors: () => [0, 0] },
      is: { kind: 'lasting', message: `HOST does not answer with one vector for each text. ${settings}` },
    },
    {
      name: 'vectors of two lengths',
      play: { vectors: (text) => (text === 'a' ? [1] : [1, 1]) },
      is: { kind: 'lasting', message: `HOST does not answer with one vector for each text. ${settings}` },
    },
  ])('$name', async ({ play, is }) => {
    const { embedder } = await embedderWith(play);
    expect(await troubleOf(embedder.embed(['a', 'b'], 'memory', LIMITS))).toEqual(is);
  });

  test('no answer', async () => {
    const { embedder } = await embedderWith({ silent: true });
    expect(await troubleOf(embedder.embed(['a'], 'query', { timeoutMs: 150, signal: NEVER }))).toEqual({
      kind: 'passing',
      message: 'HOST did not answer within 0.15 s.',
    });
  });

  test('no server', async () => {
    const baseUrl = new URL(await addressOfNobody());
    const embedder = openAiEmbedder({ model: 'small', baseUrl, apiKey: undefined });
    expect(await troubleOf(embedder.embed(['a'], 'query', LIMITS))).toEqual({
      kind: 'passing',
      message: 'Cannot reach HOST (ECONNREFUSED).',
    });
  });

  test("an abort rejects with the signal's reason", async () => {
    const { embedder } = await embedderWith({ silent: true });
    const stop = new AbortController();
    const request = embedder.embed(['a'], 'query', { timeoutMs: 5_000, signal: stop.signal });
    stop.abort(new Error('no time'));
    await expect(request).rejects.toThrow('no time');
  });
});

test('cuts texts and retries if they may be too long for the server', async () => {
  const long = 'x'.repeat(1_000);
  const { embedder, server } = await embedderWith({ status: 400, body: { error: 'input too long' } });
  const request = embedder.embed([long, 'short'], 'memory', LIMITS);
  expect(await troubleOf(request)).toMatchObject({ kind: 'lasting', status: 400 });
  expect(server.requests.map(({ input }) => input.map((text) => text.length))).toEqual([
    [1_000, 5],
    [400, 5],
  ]);
});

describe('createEmbedder', () => {
  const NOTHING = loadSettings('/nowhere', readEnvironment({})).settings;
  const local = {
    'embedder.provider': 'openai',
    'embedder.model': 'm',
    'embedder.baseUrl': 'http://127.0.0.1:1',
  };
  test.each<{ name: string; changed: object; env?: object; says: string | null }>([
    { name: 'no provider', changed: {}, says: null },
    { name: 'a local server without a key', changed: local, says: 'openai:m' },
    {
      name: 'no model',
      changed: { ...local, 'embedder.model': '' },
      says: 'embedder.provider is openai, but no model is named. Set embedder.model.',
    },
    {
      name: 'OpenAI without a key',
      changed: { ...local, 'embedder.baseUrl': '' },
      says: "The embedder's key is missing. Set CAIRN_EMBEDDER_API_KEY or OPENAI_API_KEY in the environment, then `cairn worker restart`.",
    },
    {
      name: 'OpenAI with its key',
      changed: { ...local, 'embedder.baseUrl': '' },
      env: { openaiApiKey: KEY },
      says: 'openai:m',
    },
    {
      name: 'an invalid address',
      changed: { ...local, 'embedder.baseUrl': 'localhost' },
      says: 'The address of the embedder is not an http(s) URL. Check the setting embedder.baseUrl.',
    },
    {
      name: 'an address with a password',
      changed: { ...local, 'embedder.baseUrl': 'http://me:pass@127.0.0.1' },
      says: 'The address of the embedder must not contain a password. Keys come from the environment only.',
    },
    {
      name: 'an empty folder',
      changed: { 'embedder.provider': 'onnx', 'embedder.folder': '/nowhere/model' },
      says: 'There is no model.onnx in /nowhere/model. Set embedder.folder to a folder with model.onnx and tokenizer.json.',
    },
  ])('$name', ({ changed, env = {}, says }) => {
    const create = () => createEmbedder({ ...NOTHING, ...changed }, env)?.id ?? null;
    const result = (() => {
      try {
        return create();
      } catch (error) {
        return error instanceof EmbedderError && error.kind === 'lasting' ? error.message : String(error);
      }
    })();
    expect(result).toBe(says);
  });

  test("does not send OpenAI's key to other servers", async () => {
    server = await startScriptedEmbedder(HEALTHY);
    const settings = { ...NOTHING, ...local, 'embedder.baseUrl': server.url } as typeof NOTHING;
    await createEmbedder(settings, { openaiApiKey: KEY })?.embed(['a'], 'query', LIMITS);
    expect(server.requests.map(({ headers }) => headers.authorization)).toEqual([undefined]);
  });
});
