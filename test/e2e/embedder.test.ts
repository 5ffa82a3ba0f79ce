import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isObject } from '../../src/model/json.ts';
import { workerProgram } from '../../src/platform/installation.ts';
import { cairn, rowCounts } from '../support/home-watch.ts';
import { type HookWorld, makeHookWorld, runProgram } from '../support/hook-call.ts';
import { startMcp } from '../support/mcp-client.ts';
import { makeModelFolder } from '../support/onnx-folder.ts';
import { type ScriptedEmbedder, startScriptedEmbedder, understand } from '../support/scripted-embedder.ts';

/** An embedding provider from the first setting to its last failure, with the built command and worker. */

const folder = mkdtempSync(join(tmpdir(), 'cairn-embedder-'));
let world: HookWorld;
let server: ScriptedEmbedder;
let host: string;

beforeAll(async () => {
  world = makeHookWorld(folder);
  execFileSync('git', ['init', '-q', '-b', 'main'], { cwd: world.project });
  server = await startScriptedEmbedder({ vectors: (text) => understand(text) });
  host = new URL(server.url).host;
  const notes = [
    'Always use pnpm.',
    'Payments are done with a backoff.',
    ...['One', 'Two', 'Three', 'Four', 'Five', 'Six'].map((word) => `${word} ladders stand in the orchard.`),
  ];
  for (const note of notes) await cairn(world, 'remember', note);
  for (const [name, value] of [
    ['embedder.provider', 'openai'],
    ['embedder.baseUrl', server.url],
    ['embedder.model', 'small'],
    ['worker.idleSeconds', '0'],
  ] as const)
    await cairn(world, 'config', 'set', name, value);
}, 60_000);
afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Runs the worker until it has nothing to do. */
async function work(): Promise<void> {
  await runProgram(process.execPath, [workerProgram()], { cwd: world.project, env: world.env });
}

function search(...words: string[]) {
  return cairn(world, 'search', ...words);
}

async function showIndex(): Promise<string> {
  const { stdout, stderr } = await cairn(world, 'index');
  return stdout + stderr;
}

/** Makes the next retry due. */
function waitForRetry(): void {
  const file = join(world.paths.state, 'embedder-trouble');
  writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, 'utf8')), retryAt: 0 }));
}

test('before the worker has run, search uses words only and calls no provider', async () => {
  expect((await search('pnpm')).stdout).toMatch(/^ +#1 /);
  expect((await search('which package manager')).stdout).toMatch(/^Nothing about "which package manager"/);
  expect(server.requests).toEqual([]);
  expect(await showIndex()).toBe('words       up to date\nembeddings  0 by (none yet)\n');
});

test('the worker computes the vectors, and search finds other words', async () => {
  await work();
  expect(await showIndex()).toBe('words       up to date\nembeddings  8 by openai:small, 24 dimensions\n');
  const { stdout, stderr } = await search('which package manager', '--why');
  expect(stderr).toBe('');
  expect(stdout).toMatch(/^ +#1 .+Always use pnpm.+means much the same/s);
  expect((await search('orchard')).stdout).toMatch(/ladders/);
  const doctor = JSON.parse((await cairn(world, 'doctor', '--json')).stdout);
  expect(doctor.checks).toContainEqual({ name: 'embedder', state: 'ok', message: 'openai:small' });
});

test('the search tool of the MCP server searches by meaning too', async () => {
  expect(await askAgent('which package manager')).toMatch(
    /1 hit in project.*#1 note .*Always use pnpm.*means much the same/s,
  );
});

test('when the provider fails, search uses words only, and every command reports it', async () => {
  server.play({ status: 500 });
  const why = `${host} cannot answer now (500).`;
  const { stdout, stderr, exitCode } = await search('pnpm');
  expect(stdout).toMatch(/^ +#1 /);
  expect({ stderr, exitCode }).toEqual({
    stderr: `Searched by words only, without embeddings: ${why}\n`,
    exitCode: 0,
  });
  const asked = server.requests.length;
  expect(await askAgent('pnpm')).toMatch(/#1 .*\nSearched by words only, without embeddings: /s);
  expect(server.requests.length).toBe(asked);
  expect((await cairn(world, 'status')).stdout).toContain(`! embedder: ${why} Search uses words only`);
  expect((await cairn(world, 'doctor')).stdout).toContain(why);
  expect(await showIndex()).toContain(`! ${why} It is retried automatically.\n`);
});

test('search by meaning resumes by itself when the provider is back', async () => {
  server.play({ vectors: (text) => understand(text) });
  waitForRetry();
  const { stdout, stderr } = await search('which package manager');
  expect(stderr).toBe('');
  expect(stdout).toMatch(/^ +#1 /);
  expect((await cairn(world, 'status')).stdout).not.toContain('! embedder');
});

test('another model rebuilds all vectors', async () => {
  await cairn(world, 'config', 'set', 'embedder.model', 'large');
  server.play({ vectors: (text) => understand(text, 32) });
  expect((await search('which package manager')).stdout).toMatch(/^Nothing about "which package manager"/);
  await work();
  expect(JSON.parse((await cairn(world, 'index', '--json')).stdout)).toEqual({
    words: { waiting: 0 },
    meanings: { embedder: 'openai:large', dimension: 32, vectors: 8, waiting: 0, trouble: null },
  });
  expect((await search('which package manager')).stdout).toMatch(/^ +#1 /);
});

test('cairn index rebuild rebuilds all vectors', async () => {
  const { stdout } = await cairn(world, 'index', 'rebuild');
  expect(stdout).toBe(
    '8 documents indexed.\nThe worker rebuilds the embeddings; until then search uses words only. See: cairn index\n',
  );
  expect(await showIndex()).toContain('embeddings  0 by openai:large, 8 pending\n');
  await work();
  expect(await showIndex()).toContain('embeddings  8 by openai:large, 32 dimensions\n');
});

test('a forgotten memory is not found by its meaning', async () => {
  await cairn(world, 'forget', '1', '--yes');
  expect((await search('which package manager')).stdout).toMatch(/^Nothing about "which package manager"/);
  expect(JSON.parse((await cairn(world, 'index', '--json')).stdout).meanings.vectors).toBe(7);
});

test('a model in a local folder works too', async () => {
  const asked = server.requests.length;
  await cairn(world, 'config', 'set', 'embedder.provider', 'onnx');
  await cairn(world, 'config', 'set', 'embedder.folder', makeModelFolder(world.root));
  await work();
  expect(await showIndex()).toContain('embeddings  7 by onnx:little-model:7, 2 dimensions\n');
  const { stdout, stderr } = await search('orchard');
  expect(stderr).toBe('');
  expect(stdout).toMatch(/ladders/);
  expect(server.requests.length).toBe(asked);
});

test('switching the provider off removes all vectors', async () => {
  await cairn(world, 'config', 'unset', 'embedder.provider');
  await cairn(world, 'index', 'rebuild');
  expect(await showIndex()).toBe(
    'words       up to date\nembeddings  none: no embedding provider is configured (embedder.provider)\n',
  );
  expect(rowCounts(world)).toMatchObject({ memory_vectors: 0, vectors_pending: 0, embedder_index: 0 });
});

async function askAgent(query: string): Promise<string> {
  const client = startMcp(world.env, world.project);
  try {
    const { result } = await client.request('tools/call', { name: 'search', arguments: { query } });
    const { content } = isObject(result) ? result : {};
    const [first] = Array.isArray(content) ? content : [];
    return isObject(first) ? String(first.text) : '';
  } finally {
    client.process.kill();
  }
}
