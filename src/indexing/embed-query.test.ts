import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type ScriptedEmbedder, startScriptedEmbedder } from '../../test/support/scripted-embedder.ts';
import { tempFolder } from '../../test/support/temp.ts';
import { redactValue } from '../capture/redact/redact-value.ts';
import { readEnvironment } from '../config/environment.ts';
import { loadSettings, type Settings } from '../config/settings.ts';
import { pathsOf } from '../platform/paths.ts';
import type { VectorIndex } from '../store/types/vector.ts';
import { embedQuery } from './embed-query.ts';
import { readEmbedderProblem } from './embedder-problem.ts';

const INDEX: VectorIndex = { embedder: 'openai:small', dimension: 2, begunAt: 0, pending: 0 };
const EAST = Float32Array.from([1, 0]);

let server: ScriptedEmbedder;
beforeEach(async () => {
  server = await startScriptedEmbedder({ vectors: () => [4, 0] });
});
afterEach(() => server.close());

/** Long enough for a busy machine. */
const PATIENT_MS = 10_000;

function options(changed: Partial<Settings> = {}, mostMs = PATIENT_MS) {
  const paths = pathsOf(join(tempFolder(), '.cairn'));
  const settings: Settings = {
    ...loadSettings(paths.config, readEnvironment({})).settings,
    'embedder.provider': 'openai',
    'embedder.model': 'small',
    'embedder.baseUrl': server.url,
    ...changed,
  };
  const clock = { at: 1_000_000 };
  const clean = (text: string) => redactValue(text.replace('hunter2', '[redacted]'));
  const ask = (text: string, index: VectorIndex | null = INDEX) =>
    embedQuery(text, index, { paths, settings, access: () => ({}), clean, now: () => clock.at, mostMs });
  return { paths, clock, ask };
}

test('embeds a question, and sends only its redacted text', async () => {
  const { ask } = options();
  expect(await ask('is hunter2 the password?')).toEqual({ vector: EAST });
  expect(server.requests.map(({ input }) => input)).toEqual([['is [redacted] the password?']]);
});

test.each<{ name: string; index?: VectorIndex | null; settings?: Partial<Settings>; text?: string }>([
  { name: 'no embedder is configured', settings: { 'embedder.provider': 'none' } },
  { name: 'there is no index', index: null },
  { name: 'the index is empty', index: { ...INDEX, dimension: null } },
  { name: 'the index is of another embedder', index: { ...INDEX, embedder: 'openai:large' } },
  { name: 'there are no words', text: ' ' },
])('sends no request when $name', async ({ index = INDEX, settings, text = 'why?' }) => {
  const { ask, paths } = options(settings);
  expect(await ask(text, index)).toEqual({});
  expect(server.requests).toEqual([]);
  expect(readEmbedderProblem(paths)).toBeNull();
});

test('reports a problem with every answer, and retries after 30 seconds', async () => {
  const { ask, paths, clock } = options();
  const host = new URL(server.url).host;
  const why = `${host} cannot answer now (503).`;
  server.play({ status: 503 });
  expect(await ask('one')).toEqual({ trouble: why });
  expect(readEmbedderProblem(paths)).toEqual({ why, since: 1_000_000, retryAt: 1_030_000 });
  clock.at += 29_000;
  expect(await ask('two')).toEqual({ trouble: why });
  expect(server.requests).toHaveLength(1);
  clock.at += 1_000;
  expect(await ask('three')).toEqual({ trouble: why });
  expect(readEmbedderProblem(paths)).toEqual({ why, since: 1_000_000, retryAt: 1_060_000 });
  server.play({ vectors: () => [4, 0] });
  clock.at += 30_000;
  expect(await ask('four')).toEqual({ vector: EAST });
  expect(readEmbedderProblem(paths)).toBeNull();
});

test('waits as long as a rate limit asks', async () => {
  const { ask, clock } = options();
  server.play({ status: 429, headers: { 'retry-after': '120' } });
  await ask('one');
  clock.at += 119_000;
  await ask('two');
  expect(server.requests).toHaveLength(1);
});

test('gives up on an embedder that does not answer in time', async () => {
  const { ask } = options({}, 300);
  server.play({ silent: true });
  expect(await ask('one')).toEqual({ trouble: `${new URL(server.url).host} did not answer within 0.3 s.` });
});

test('reports a vector of another length', async () => {
  const { ask } = options();
  server.play({ vectors: () => [1, 2, 3] });
  expect(await ask('one')).toEqual({
    trouble: 'openai:small gives 3 numbers now, the index has 2. Rebuild it: cairn index rebuild',
  });
});

test('reports settings that cannot work', async () => {
  const { ask } = options({ 'embedder.model': '' });
  expect(await ask('one')).toEqual({
    trouble: 'embedder.provider is openai, but no model is named. Set embedder.model.',
  });
});
