import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { openPlainStore } from '../../test/support/plain-store.ts';
import {
  type EmbedderPlay,
  startScriptedEmbedder,
  understand,
} from '../../test/support/scripted-embedder.ts';
import { addressOfNobody } from '../../test/support/scripted-provider.ts';
import { secretShapes } from '../../test/support/secrets.ts';
import { tempFolder } from '../../test/support/temp.ts';
import { readEnvironment } from '../config/environment.ts';
import { loadSettings, type Settings } from '../config/settings.ts';
import { readEmbedderProblem } from '../indexing/embedder-problem.ts';
import { createLog } from '../platform/log.ts';
import { pathsOf } from '../platform/paths.ts';
import { createEmbedding } from './embed.ts';

const NEVER = new AbortController().signal;
const HEALTHY: EmbedderPlay = { vectors: (text) => understand(text) };
const place = { path: '/home/ada/shop/.git', name: 'shop' };

const open: { close(): unknown }[] = [];
afterEach(async () => {
  for (const each of open.splice(0)) await each.close();
});

/** Creates a home with some notes, and a scripted embedder. */
async function setUp(play: EmbedderPlay, { notes = 3, settings: changed = {} as Partial<Settings> } = {}) {
  const server = await startScriptedEmbedder(play);
  const paths = pathsOf(join(tempFolder(), '.cairn'));
  const settings: Settings = {
    ...loadSettings(paths.config, readEnvironment({})).settings,
    'embedder.provider': 'openai',
    'embedder.model': 'small',
    'embedder.baseUrl': server.url,
    ...changed,
  };
  const clock = { at: Date.UTC(2026, 5, 1, 10) };
  const now = () => clock.at;
  const log = createLog({ folder: paths.logs, from: 'test' });
  const store = openPlainStore(paths.database);
  open.push(store, server);
  const note = (narrative: string) =>
    store.addNote(
      {
        ...{ type: null, title: 'A note', narrative, aliases: [], files: [], pins: [], place },
        ...{ scope: 'project', saidBy: 'person', isPinned: false },
      },
      now(),
    );
  for (let at = 1; at <= notes; at++) note(`Number ${at}`);
  const begin = (more: Partial<Settings> = {}) =>
    createEmbedding({ paths, settings: { ...settings, ...more }, access: {}, log, now });
  return { server, paths, store, clock, note, begin, host: new URL(server.url).host };
}

/** Embeds until nothing is pending. @returns the number of rounds. */
async function embedAll({ embed }: ReturnType<typeof createEmbedding>, store: Parameters<typeof embed>[0]) {
  let rounds = 0;
  while (await embed(store, NEVER)) rounds++;
  return rounds;
}

test('embeds memories in batches, and new ones later', async () => {
  const { server, store, note, begin } = await setUp(HEALTHY, { notes: 40 });
  const embedding = begin();
  expect(await embedAll(embedding, store)).toBe(2);
  expect(server.requests.map(({ input }) => input.length)).toEqual([32, 8]);
  expect(server.requests[0]?.input[0]).toBe('A note\nNumber 40');
  expect(store.getVectorIndex()).toMatchObject({ embedder: 'openai:small', dimension: 24, pending: 0 });
  expect(embedding.nextAt(store)).toBeNull();
  note('one more');
  expect(embedding.nextAt(store)).toBe(0);
  expect(await embedAll(embedding, store)).toBe(1);
  expect([store.countVectors(), server.requests.length]).toEqual([41, 3]);
});

test('sends no secret, even if a memory contains one', async () => {
  const { server, store, note, begin } = await setUp(HEALTHY, { notes: 0 });
  for (const { text } of secretShapes) note(`${'x'.repeat(1_480)} ${text}`);
  for (const { text } of secretShapes) note(text);
  await embedAll(begin(), store);
  const sent = server.requests.flatMap(({ input }) => input).join('\n');
  expect(sent).toContain('[redacted:');
  expect(secretShapes.filter(({ secret }) => sent.includes(secret)).map(({ name }) => name)).toEqual([]);
});

test('embeds everything again for another model', async () => {
  const { store, begin } = await setUp(HEALTHY);
  await embedAll(begin(), store);
  await embedAll(begin({ 'embedder.model': 'large' }), store);
  expect(store.getVectorIndex()).toMatchObject({ embedder: 'openai:large', dimension: 24, pending: 0 });
  expect(store.countVectors()).toBe(3);
});

test('embeds everything again if the vectors of a model have another length', async () => {
  const { server, store, note, begin } = await setUp(HEALTHY);
  const embedding = begin();
  await embedAll(embedding, store);
  server.play({ vectors: (text) => understand(text, 48) });
  note('one more');
  expect(await embedAll(embedding, store)).toBe(2);
  expect(store.getVectorIndex()).toMatchObject({ embedder: 'openai:small', dimension: 48, pending: 0 });
  expect(store.countVectors()).toBe(4);
});

test.each<{ name: string; play: EmbedderPlay; waitsMs: [number, number]; says: string }>([
  {
    name: 'waits as long as a rate limit asks',
    play: { status: 429, headers: { 'retry-after': '90' } },
    waitsMs: [90_000, 90_000],
    says: 'HOST asks to slow down (429).',
  },
  {
    name: 'waits after an outage',
    play: { status: 500 },
    waitsMs: [10_000, 20_000],
    says: 'HOST cannot answer now (500).',
  },
])('$name, then resumes by itself', async ({ play, waitsMs, says }) => {
  const { server, store, paths, clock, begin, host } = await setUp(play);
  const embedding = begin();
  expect(await embedding.embed(store, NEVER)).toBe(false);
  expect(readEmbedderProblem(paths)?.why).toBe(says.replace('HOST', host));
  const waits = (embedding.nextAt(store) ?? 0) - clock.at;
  expect(waits).toBeGreaterThanOrEqual(waitsMs[0]);
  expect(waits).toBeLessThanOrEqual(waitsMs[1]);
  server.play(HEALTHY);
  clock.at += waits - 1;
  expect(await embedding.embed(store, NEVER)).toBe(false);
  expect(server.requests).toHaveLength(1);
  clock.at += 1;
  expect(await embedAll(embedding, store)).toBe(1);
  expect([readEmbedderProblem(paths), store.countVectors()]).toEqual([null, 3]);
});

test('tries a wrong key again only in the next worker', async () => {
  const { server, store, paths, clock, begin, host } = await setUp({ status: 401 });
  const embedding = begin();
  await embedding.embed(store, NEVER);
  clock.at += 86_400_000;
  expect(await embedding.embed(store, NEVER)).toBe(false);
  expect([server.requests.length, embedding.nextAt(store)]).toEqual([1, null]);
  expect(readEmbedderProblem(paths)?.why).toBe(
    `${host} wants a key (401). Set CAIRN_EMBEDDER_API_KEY in the environment, then \`cairn worker restart\`.`,
  );
  server.play(HEALTHY);
  expect(await embedAll(begin(), store)).toBe(1);
  expect(readEmbedderProblem(paths)).toBeNull();
});

test('an unreachable embedder does not keep the worker running forever', async () => {
  const { store, clock, begin } = await setUp(HEALTHY, {
    settings: { 'embedder.baseUrl': await addressOfNobody() },
  });
  const embedding = begin();
  for (let failure = 1; failure < 6; failure++) {
    await embedding.embed(store, NEVER);
    clock.at = embedding.nextAt(store) ?? 0;
    expect(clock.at).toBeGreaterThan(0);
  }
  await embedding.embed(store, NEVER);
  expect(embedding.nextAt(store)).toBeNull();
});

test('does not wait for an answer when the worker stops', async () => {
  const { store, paths, begin } = await setUp({ silent: true });
  const stop = new AbortController();
  const embedding = begin();
  const running = embedding.embed(store, stop.signal);
  stop.abort();
  expect(await running).toBe(false);
  expect(readEmbedderProblem(paths)).toBeNull();
});
