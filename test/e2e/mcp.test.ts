import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isObject, type Json, type JsonObject } from '../../src/model/json.ts';
import { runSession, type SessionRun } from '../support/claude-code.ts';
import { cairn, installPlugin, makeConnectedWorld, makeWorld, type World } from '../support/world.ts';

/** The real client starts our server; the scripted model calls its tools. */

const ALLOWED: JsonObject = { permissions: { allow: ['mcp__cairn__*'] } };

describe('registered by cairn install claude-code', () => {
  let world: World;
  let run: SessionRun;

  beforeAll(async () => {
    world = await makeConnectedWorld({ files: { 'src/cache.ts': 'export function cacheKey() {}\n' } });
    await cairn(
      world,
      'remember',
      '--type',
      'gotcha',
      '--file',
      'src/cache.ts',
      'The cache key lacks the locale.',
    );
    run = await runSession(world, {
      prompts: ['why are the prices French?'],
      settings: ALLOWED,
      script: {
        main: [
          [{ tool: 'mcp__cairn__search', input: { query: 'cache key locale' }, id: 'toolu_search' }],
          [{ tool: 'mcp__cairn__get', input: { ids: ['1'] }, id: 'toolu_get' }],
          [
            {
              tool: 'mcp__cairn__remember',
              input: { text: 'Prices are cached per country.' },
              id: 'toolu_remember',
            },
          ],
          [{ tool: 'mcp__cairn__get', input: { ids: ['nonsense'] }, id: 'toolu_wrong' }],
          [{ text: 'The locale was missing in the cache key.' }],
        ],
      },
    });
  });
  afterAll(() => world.remove());

  test('the session ends without errors', () => {
    expect({ exitCode: run.exitCode, stderr: run.stderr }).toEqual({ exitCode: 0, stderr: '' });
    expect(run.debugLog).toContain('"negotiatedProtocolVersion":"2026-07-28"');
  });

  test('the first request has the tools and the instructions', () => {
    expect(toolsOffered(run).filter((name) => name.includes('cairn'))).toEqual([
      'mcp__cairn__file_history',
      'mcp__cairn__forget',
      'mcp__cairn__get',
      'mcp__cairn__handoff',
      'mcp__cairn__remember',
      'mcp__cairn__search',
      'mcp__cairn__tasks',
      'mcp__cairn__timeline',
      'mcp__cairn__update',
    ]);
    expect(JSON.stringify(run.requests[0]?.body)).toContain('Cairn is the memory of past sessions');
  });

  test('each call gets its answer as text', () => {
    expect(answerTo('toolu_search')).toMatch(
      /^<cairn-context>\n.+ not instructions.+\n1 hit in project.+\n#1 gotcha .+ · The cache key lacks the locale/,
    );
    expect(answerTo('toolu_get')).toContain('files read: src/cache.ts');
    expect(answerTo('toolu_remember')).toMatch(
      /^<cairn-context>\n.+\nRemembered as #2\.\n<\/cairn-context>$/,
    );
    expect(answerTo('toolu_wrong')).toContain('"nonsense" is not an id. A memory is 12');
  });

  test('given memories are recorded for this session, and a remembered one is stored', async () => {
    const why = await cairn(world, 'why', '1', '--json');
    expect(JSON.parse(why)).toMatchObject({
      injections: expect.arrayContaining([
        expect.objectContaining({ source: 'mcp', agent: 'claude-code', agentSession: run.sessionId }),
      ]),
    });
    expect(JSON.parse(await cairn(world, 'show', '2', '--json'))).toMatchObject({
      kind: 'note',
      saidBy: 'agent',
      title: 'Prices are cached per country',
    });
  });

  test('memories that a tool returned are not captured', async () => {
    const session = await cairn(world, 'show', run.sessionId, '--json');
    expect(session).toContain('toolu_get');
    expect(session).not.toContain('lacks the locale');
  });

  test('uninstall removes only our server from the configuration', async () => {
    const config = join(world.home, '.claude.json');
    const before: JsonObject = JSON.parse(await readFile(config, 'utf8'));
    await cairn(world, 'uninstall', 'claude-code');
    const { mcpServers, ...others } = before;
    expect(mcpServers).toHaveProperty('cairn');
    expect(JSON.parse(await readFile(config, 'utf8'))).toEqual(others);
  });

  function answerTo(id: string): string {
    const messages = run.requests.flatMap(({ body }) => (Array.isArray(body.messages) ? body.messages : []));
    const blocks = messages
      .filter(isObject)
      .flatMap(({ content }) => (Array.isArray(content) ? content : []));
    const result = blocks.filter(isObject).find((block) => block.tool_use_id === id);
    return textOf(result?.content);
  }
});

describe('registered by the plugin', () => {
  let world: World;

  beforeAll(async () => {
    world = await makeWorld();
    await installPlugin(world);
  });
  afterAll(() => world.remove());

  const hello = () =>
    runSession(world, { prompts: ['hello'], script: { main: [[{ text: 'Good morning.' }]] } });
  const ours = (run: SessionRun) => toolsOffered(run).filter((name) => name.includes('cairn'));

  test('the tools have the name of the plugin', async () => {
    const offered = ours(await hello());
    expect(offered).toHaveLength(9);
    expect(offered).toContain('mcp__plugin_cairn_cairn__search');
  });

  test('each tool is registered once when the settings have it too', async () => {
    await cairn(world, 'install', 'claude-code');
    const offered = ours(await hello());
    expect(offered).toHaveLength(9);
    expect(offered).toContain('mcp__cairn__search');
  });
});

function toolsOffered(run: SessionRun): string[] {
  const [first] = run.requests.filter(({ queue }) => queue === 'main');
  const tools = Array.isArray(first?.body.tools) ? first.body.tools.filter(isObject) : [];
  return tools.map(({ name }) => String(name)).sort();
}

function textOf(content: Json | undefined): string {
  if (typeof content === 'string') return content;
  const blocks = Array.isArray(content) ? content.filter(isObject) : [];
  return blocks.map(({ text }) => String(text)).join('');
}
