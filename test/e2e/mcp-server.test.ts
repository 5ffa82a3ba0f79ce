import { execFileSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { findPlace } from '../../src/capture/place.ts';
import { isObject, type JsonObject } from '../../src/model/json.ts';
import type { Observation } from '../../src/model/memory.ts';
import { blobHash } from '../../src/platform/git/checkout.ts';
import { pathsOf } from '../../src/platform/paths.ts';
import { openDatabase } from '../../src/store/sqlite/open.ts';
import { withoutFrame } from '../support/contexts.ts';
import { type McpClient, startMcp } from '../support/mcp-client.ts';
import { openPlainStore } from '../support/plain-store.ts';
import { tempFolder } from '../support/temp.ts';

/** The built server in its own process, with a real memory, through its real streams. */

const META = 'io.modelcontextprotocol';
const MORNING = Date.UTC(2026, 10, 10, 8, 0);
const MINUTE = 60_000;

/** A home, a project under git, and the environment in which the server starts. */
interface Machine {
  root: string;
  project: string;
  home: string;
  env: Record<string, string>;
}

let machine: Machine;
let clients: McpClient[];

beforeEach(() => {
  machine = makeMachine(tempFolder());
  clients = [];
});

afterEach(() => {
  for (const { process: server } of clients) if (server.exitCode === null) server.kill();
});

describe('handshakes', () => {
  test.each([
    { asked: '2025-11-25', answered: '2025-11-25' },
    { asked: '2025-06-18', answered: '2025-06-18' },
    { asked: '2024-11-05', answered: '2024-11-05' },
    { asked: '1999-12-31', answered: '2025-11-25' },
  ])('initialize with $asked', async ({ asked, answered }) => {
    const client = start();
    const { result } = await client.request('initialize', introduction(asked));
    expect(result).toEqual({
      protocolVersion: answered,
      capabilities: { tools: {} },
      serverInfo: { name: 'cairn', version: expect.stringMatching(/^\d+\.\d+\.\d+/) },
      instructions: expect.stringContaining('search'),
    });
    client.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
    expect(toolsOf(await client.request('tools/list'))).toEqual(TOOLS);
    expect(await client.close()).toEqual({ exitCode: 0, stderr: '' });
  });

  test('the probe of 2026-07-28, then requests that each identify their client', async () => {
    const client = start();
    const { result } = await client.request('server/discover', envelope());
    expect(result).toMatchObject({ supportedVersions: ['2026-07-28'], resultType: 'complete' });
    expect(toolsOf(await client.request('tools/list', envelope()))).toEqual(TOOLS);
    const called = await client.request('tools/call', {
      name: 'search',
      arguments: { query: 'anything' },
      ...envelope(),
    });
    expect(called.result).toMatchObject({ resultType: 'complete', structuredContent: { hits: [] } });
  });

  test('the probe, then initialize', async () => {
    const client = start();
    await client.request('server/discover', envelope());
    expect((await client.request('initialize', introduction())).result).toMatchObject({
      protocolVersion: '2025-11-25',
    });
  });

  test('garbage, unknown methods and notifications do no harm', async () => {
    const client = start();
    client.send('this is no JSON');
    client.send('{"jsonrpc":"2.0"}');
    client.send('[]');
    client.send('null');
    client.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 7 } });
    expect((await client.request('resources/list')).error).toEqual({
      code: -32601,
      message: 'Method not found',
    });
    expect((await client.request('ping')).result).toEqual({});
    expect(await client.close()).toEqual({ exitCode: 0, stderr: '' });
  });

  test('a batch is answered as one', async () => {
    const client = start();
    const ping = (id: number) => ({ jsonrpc: '2.0', id, method: 'ping' });
    client.send([ping(70), { jsonrpc: '2.0', method: 'notifications/initialized' }, ping(71)]);
    expect(await client.next()).toEqual({
      batch: [
        { jsonrpc: '2.0', id: 70, result: {} },
        { jsonrpc: '2.0', id: 71, result: {} },
      ],
    });
  });
});

describe('tools', () => {
  let client: McpClient;

  const call = (name: string, args: JsonObject, by = client) => callTool(by, name, args);

  beforeEach(() => {
    seed(machine);
    client = start();
  });

  test('search returns an index as text and as structure, and records what it gave', async () => {
    const answer = await call('search', { query: 'cache key locale' });
    expect(answer.text).toMatch(
      /^\d hits? in orchard, best first; open with get:\n#1 gotcha 2026-11-10 08:02 · The cache key lacks the locale · 40 tokens/,
    );
    expect(answer.structure).toMatchObject({
      project: 'orchard',
      hits: expect.arrayContaining([
        {
          id: '1',
          type: 'gotcha',
          at: '2026-11-10T08:02:00.000Z',
          title: 'The cache key lacks the locale',
          tokens: 40,
          file: 'src/cache.ts',
          marks: [],
          reasons: expect.any(Array),
          score: expect.any(Number),
          isWeaker: false,
          project: 'orchard',
        },
      ]),
    });
    expect(injections(1)).toEqual([
      {
        agent: 'test',
        agentSession: 'session-now',
        source: 'mcp',
        reason: expect.stringContaining('search'),
      },
    ]);
  });

  test('search says how long a list is that was cut', async () => {
    const { text, structure } = await call('search', { query: 'since:1970-01-01', limit: 1 });
    expect(text).toMatch(/^1 of (\d+) hits in .+, best first; open with get:$/m);
    expect(text).toMatch(/^1 of (\d+) hits\. To see all, add limit: \1$/m);
    expect(structure).toMatchObject({ more: expect.any(Number) });
  });

  test('search says when a file has changed since', async () => {
    writeFileSync(join(machine.project, 'src/cache.ts'), 'export function cacheKey(locale) {}\n');
    expect((await call('search', { query: 'cache key' })).text).toContain('src/cache.ts has changed since');
    expect((await call('get', { ids: ['1'] })).text).toContain('\n! src/cache.ts has changed since');
  });

  test('search finds prompts if requested, and other projects with all', async () => {
    expect((await call('search', { query: 'French prices', kinds: ['prompt'] })).text).toMatch(
      /^p1 prompt 2026-11-10 08:00 · the prices are French/m,
    );
    const elsewhere = startElsewhere();
    expect((await call('search', { query: 'cache key' }, elsewhere)).text).toMatch(/^Nothing about/m);
    expect((await call('search', { query: 'cache key', all: true }, elsewhere)).text).toMatch(
      /^#1 gotcha .+ · orchard/m,
    );
    expect((await call('search', { query: 'cache key project:orchard' }, elsewhere)).text).toMatch(
      /^\d hits? in orchard, /,
    );
  });

  test('search rejects an unknown agent and an unknown branch', async () => {
    expect((await call('search', { query: 'cache agent:claud-code' })).text).toMatch(/^Unknown agent in /);
    expect((await call('search', { query: 'cache branch:nope' })).text).toMatch(/^Unknown branch in /);
  });

  test('get opens memories, prompts and sessions, and names missing ones', async () => {
    const { text, structure } = await call('get', { ids: ['#1', 'p1', 's1', 99] });
    expect(text).toContain(
      [
        '#1 gotcha: The cache key lacks the locale',
        '2026-11-10 08:02 · orchard · branch main · commit abc · session s1',
        'Prices of one country were shown in another.',
        '- cacheKey() must get the locale',
        'files changed: src/cache.ts',
        'about: cache',
      ].join('\n'),
    );
    expect(text).toContain(
      'p1 prompt, 2026-11-10 08:00 · orchard · branch main · session s1\nthe prices are French',
    );
    expect(text).toContain('s1 session, 2026-11-10 08:00 · orchard · branch main · claude-code');
    expect(text).toContain('There is no memory #99.');
    expect(structure).toMatchObject({
      records: [{ id: '1', type: 'gotcha', session: 's1' }, { id: 'p1' }, { id: 's1', kind: 'session' }],
      missing: ['There is no memory #99.'],
    });
    expect(injections(1)).toMatchObject([{ reason: 'opened by its id' }]);
  });

  test('timeline shows what was before and after', async () => {
    const { text, structure } = await call('timeline', { around: '1', before: 1, after: 1 });
    expect(text).toBe(
      [
        '2026-11-10',
        '  p1 prompt 08:00 · the prices are French on the German page · 8 tokens',
        '> #1 gotcha 08:02 · The cache key lacks the locale · 40 tokens',
        '  #2 summary 08:02 · Prices per country · 12 tokens',
      ].join('\n'),
    );
    expect(structure).toMatchObject({ entries: [{ id: 'p1' }, { id: '1' }, { id: '2' }] });
    expect((await call('timeline', { around: 's1' })).text).toContain('#2 summary');
    expect((await call('timeline', { around: '2026-11-10', before: 0 })).text).toContain('p1 prompt 08:00');
    expect((await call('timeline', { around: '2026-11-09', after: 0 })).text).toMatch(/^Nothing happened/);
  });

  test.each([
    { name: 'relative', path: 'src/cache.ts' },
    { name: 'absolute', path: '/orchard/src/cache.ts' },
    { name: 'a folder', path: 'src' },
    { name: 'the whole project', path: '.' },
    { name: 'a bare name', path: 'cache.ts' },
  ])('file_history: $name', async ({ path }) => {
    const named = path.startsWith('/') ? join(machine.root, path) : path;
    expect((await call('file_history', { path: named })).text).toMatch(/^#1 gotcha 2026-11-10 08:02/m);
  });

  test('file_history of a file without memories', async () => {
    expect((await call('file_history', { path: 'src/other.ts' })).text).toBe(
      'No memories about src/other.ts.',
    );
  });

  test('remember, search, update, pin', async () => {
    const note = { text: 'We use pnpm, not npm. The lock file is pnpm-lock.yaml.', type: 'decision' };
    expect(await call('remember', { ...note, files: ['src/cache.ts'] })).toMatchObject({
      text: 'Remembered as #3.',
      structure: { id: '3', isNew: true },
    });
    expect((await call('remember', note)).text).toBe('Known already: #3. It counts for more now.');
    expect((await call('search', { query: 'pnpm' })).text).toContain('#3 decision');
    expect((await call('get', { ids: ['3'] })).text).toContain('said by agent');

    expect(
      (await call('update', { id: 3, title: 'We use yarn', text: 'Since May.', pinned: true })).text,
    ).toBe('#3: new title, new text, pinned.');
    expect((await call('search', { query: 'yarn' })).text).toMatch(
      /^#3 decision .+ · We use yarn · .+ · pinned/m,
    );
    expect((await call('search', { query: 'pnpm' })).text).toContain('Nothing about');
    expect((await call('update', { id: '3', pinned: false })).text).toBe('#3: no longer pinned.');
  });

  test('a note replaces an outdated one', async () => {
    await call('remember', { text: 'The nightly export starts at two.' });
    expect(
      await call('remember', { text: 'The nightly export starts at four.', replaces: ['3'] }),
    ).toMatchObject({
      text: 'Remembered as #4. It replaces #3.',
      structure: { id: '4', isNew: true, replaces: ['3'] },
    });
    const { text } = await call('search', { query: 'nightly export' });
    expect(text).toContain('replaces #3');
    expect(text).not.toContain('at two');
    expect(await call('remember', { text: 'It starts at five.', replaces: ['p1'] })).toMatchObject({
      isError: true,
      text: expect.stringContaining('only memories'),
    });
    expect(await call('remember', { text: 'It starts at five.', replaces: ['3'] })).toMatchObject({
      isError: true,
      text: 'Nothing was remembered: Memory 3 was replaced by 4.',
    });
  });

  test('search corrects a misspelled word and an operator, and finds by given and learnt aliases', async () => {
    await call('remember', { text: 'The limiter counts sign-ins.', aliases: ['throttle'] });
    const id = '3';
    expect(await call('search', { query: 'limitter' })).toMatchObject({
      text: expect.stringContaining('Showing results for limiter (no memory has “limitter”).'),
      structure: { replaced: [{ typed: 'limitter', used: 'limiter' }], hits: [{ id }] },
    });
    expect((await call('search', { query: 'kidn:note limiter' })).text).toContain('Did you mean kind:note?');
    expect((await call('search', { query: 'throttle' })).text).toContain(`#${id} note`);
    expect((await call('update', { id, aliases: ['brake'] })).text).toBe(`#${id}: more aliases.`);
    expect((await call('search', { query: 'brake' })).text).toContain(`#${id} note`);
    expect((await call('search', { query: 'gatekeeper' })).text).toContain('Nothing about');
    expect((await call('get', { ids: [id] })).text).toContain('Learnt: “gatekeeper” finds');
    expect((await call('search', { query: 'gatekeeper' })).text).toContain(`#${id} note`);
  });

  test('a global memory is found in another project', async () => {
    await call('remember', { text: 'Robin wants short commit messages.', global: true });
    const elsewhere = startElsewhere();
    expect((await call('search', { query: 'commit messages' }, elsewhere)).text).toContain('#3 note');
  });

  test('secrets and private parts are not stored', async () => {
    await call('remember', {
      text: 'The fox is brown. <private>hidden words</private> password=hunter2hunter2',
    });
    const record = (await call('get', { ids: ['3'] })).text;
    expect(record).toContain('The fox is brown');
    expect(record).not.toMatch(/hidden|hunter2/);
    expect(await call('remember', { text: '<private>all of it</private>' })).toMatchObject({ isError: true });
  });

  test('forget asks for confirmation, then removes', async () => {
    const asked = await call('forget', { id: '1' });
    expect(asked.text).toMatch(/^Nothing was removed yet\. This would remove: #1 "The cache key lacks/);
    expect((await call('get', { ids: ['1'] })).isError).toBe(false);
    const done = await call('forget', { id: '1', confirm: true });
    expect(done).toMatchObject({ structure: { removed: true, memories: ['1'] } });
    expect(await call('get', { ids: ['1'] })).toMatchObject({
      isError: true,
      text: 'There is no memory #1. Use search to find ids.',
    });
    expect((await call('search', { query: 'cache key locale' })).text).not.toContain('#1');
  });

  test('an unknown tool is a protocol error', async () => {
    const { error } = await client.request('tools/call', { name: 'destroy', arguments: {} });
    expect(error).toEqual({ code: -32602, message: 'There is no tool destroy' });
  });

  test('Claude Code gets only the text: with both, it would give the model only the structure', async () => {
    await client.request('initialize', introduction('2025-11-25', 'claude-code'));
    const { result } = await client.request('tools/call', {
      name: 'search',
      arguments: { query: 'cache key' },
    });
    expect(Object.keys(result as JsonObject)).toEqual(['content']);
  });

  function injections(memoryId: number) {
    const store = openPlainStore(pathsOf(machine.home).database);
    try {
      return store
        .listInjections(memoryId)
        .map(({ agent, agentSession, source, reason }) => ({ agent, agentSession, source, reason }));
    } finally {
      store.close();
    }
  }
});

describe('any input of a model', () => {
  const root = mkdtempSync(join(tmpdir(), 'cairn-mcp-'));
  let client: McpClient;
  const call = (name: string, args: JsonObject) => callTool(client, name, args);

  beforeAll(() => {
    const shared = makeMachine(realpathSync(root));
    seed(shared);
    client = startMcp(shared.env, shared.project);
  });
  afterAll(async () => {
    await client.close();
    rmSync(root, { recursive: true, force: true });
  });

  test.each(['"', 'type:', '-', 'AND OR NOT', '(((', '* ^ : {}', 'file:"'])(
    'search accepts %j',
    async (query) => expect((await call('search', { query })).isError).toBe(false),
  );

  test.each([
    {
      tool: 'get',
      args: { ids: ['abc'] },
      says: '"abc" is not an id. A memory is 12, a prompt p34, a session s5',
    },
    { tool: 'get', args: { ids: [] }, says: 'ids is empty' },
    { tool: 'get', args: {}, says: 'Wrong arguments for get: ids must be a list. Arguments: ids.' },
    { tool: 'get', args: { ids: ['p77', 's88'] }, says: 'There is no prompt p77. There is no session s88.' },
    {
      tool: 'search',
      args: { q: 'x' },
      says: 'search has no argument "q". Arguments: query, limit, kinds, all, team.',
    },
    {
      tool: 'search',
      args: { query: 'x', kinds: ['todo'] },
      says: 'kinds.0 must be one of observation, summary',
    },
    {
      tool: 'timeline',
      args: { around: 'once upon a time' },
      says: 'is neither an id (12, p34, s5) nor a time',
    },
    { tool: 'timeline', args: { around: '404' }, says: 'There is no memory #404.' },
    { tool: 'remember', args: { text: '  ' }, says: 'Nothing was remembered: There is nothing to remember.' },
    {
      tool: 'update',
      args: { id: '1' },
      says: 'Nothing to update: give a title, a text, aliases, or pinned.',
    },
    { tool: 'update', args: { id: 'p1', title: 'x' }, says: 'p1 is a prompt; only memories' },
    { tool: 'update', args: { id: '2', text: 'x' }, says: 'Nothing was changed: Memory 2 is a summary' },
    { tool: 'forget', args: { id: '404' }, says: 'There is no memory #404.' },
  ])('$tool $args is explained', async ({ tool, args, says }) => {
    const { isError, text } = await call(tool, args);
    expect({ isError, text }).toEqual({ isError: true, text: expect.stringContaining(says) });
  });
});

describe('the project is', () => {
  const name = async (client: McpClient) => {
    const params = { name: 'search', arguments: { query: 'x' }, ...envelope() };
    const { result } = await client.request('tools/call', params);
    return ((result as JsonObject).structuredContent as JsonObject).project;
  };

  beforeEach(() => seed(machine));

  test('that of the current folder', async () => expect(await name(start())).toBe('orchard'));

  test('that of CLAUDE_PROJECT_DIR, before that', async () => {
    expect(await name(start(machine.root, { CLAUDE_PROJECT_DIR: join(machine.project, 'src') }))).toBe(
      'orchard',
    );
  });

  test("that of the client's roots, if it says nothing else", async () => {
    const client = start(machine.root);
    await client.request('initialize', { ...introduction(), capabilities: { roots: {} } });
    client.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
    const { id, method } = await client.next();
    expect(method).toBe('roots/list');
    const roots = [{ uri: 'https://example.invalid' }, { uri: pathToFileURL(machine.project).href }];
    client.send({ jsonrpc: '2.0', id: id ?? null, result: { roots } });
    expect(await name(client)).toBe('orchard');
  });

  test('null without a project', async () => expect(await name(start(machine.root))).toBeNull());
});

describe('with a problem of the memory', () => {
  const search = { name: 'search', arguments: { query: 'cache key' }, ...envelope() };
  const textOf = ({ result }: JsonObject) => JSON.stringify((result as JsonObject).content);

  test('a locked database is still read, and a change reports the lock', async () => {
    seed(machine);
    const client = start();
    await client.request('tools/call', search);
    const holder = openDatabase(pathsOf(machine.home).database);
    holder.exec('BEGIN IMMEDIATE');
    try {
      expect(textOf(await client.request('tools/call', search))).toContain('#1 gotcha');
      const remember = { name: 'remember', arguments: { text: 'x y z' } };
      const { result } = await client.request('tools/call', remember);
      expect(result).toMatchObject({ isError: true, content: [{ text: expect.stringContaining('locked') }] });
    } finally {
      holder.exec('ROLLBACK');
      holder.close();
    }
    expect(
      textOf(await client.request('tools/call', { name: 'remember', arguments: { text: 'x y z' } })),
    ).toContain('Remembered');
  });

  test('a damaged database is reported, and a repaired one is used', async () => {
    seed(machine);
    const { database } = pathsOf(machine.home);
    const db = openDatabase(database);
    db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    db.close();
    copyFileSync(database, join(machine.root, 'good'));
    const client = start();
    expect(textOf(await client.request('tools/call', search))).toContain('#1 gotcha');
    for (const end of ['', '-wal', '-shm']) rmSync(`${database}${end}`, { force: true });
    writeFileSync(database, 'x'.repeat(10_000));
    const { result } = await client.request('tools/call', search);
    expect(result).toMatchObject({ isError: true, content: [{ text: expect.stringContaining('damaged') }] });
    rmSync(database);
    copyFileSync(join(machine.root, 'good'), database);
    expect(textOf(await client.request('tools/call', search))).toContain('#1 gotcha');
  });

  test('a newer database is reported with a fix', async () => {
    seed(machine);
    const db = openDatabase(pathsOf(machine.home).database);
    db.exec('PRAGMA user_version = 999');
    db.close();
    const { result } = await start().request('tools/call', search);
    expect(result).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('Update Cairn') }],
    });
  });

  test('a missing memory is not an error', async () => {
    const { result } = await start().request('tools/call', search);
    expect(result).toMatchObject({ structuredContent: { project: null, hits: [] } });
  });

  test('stdout has only messages, even with a debug log', async () => {
    seed(machine);
    const client = start(machine.project, { CAIRN_LOG_LEVEL: 'debug' });
    await client.request('tools/call', search);
    expect(await client.close()).toEqual({ exitCode: 0, stderr: '' });
    const [log = ''] = [`${new Date().toISOString().slice(0, 10)}.jsonl`].map((file) =>
      join(machine.home, 'logs', file),
    );
    expect(existsSync(log) && readFileSync(log, 'utf8')).toContain('"message":"tool called"');
  });
});

async function callTool(client: McpClient, name: string, args: JsonObject) {
  const { result } = await client.request('tools/call', { name, arguments: args, ...envelope() });
  const { content, structuredContent, isError = false } = result as JsonObject;
  const [block] = Array.isArray(content) ? content.filter(isObject) : [];
  const text = withoutFrame(String(block?.text));
  return { text, structure: structuredContent, isError };
}

const TOOLS = [
  ...['search', 'get', 'timeline', 'file_history', 'remember', 'tasks', 'handoff'],
  ...['update', 'forget'],
];

function makeMachine(root: string): Machine {
  const project = join(root, 'orchard');
  mkdirSync(join(project, 'src'), { recursive: true });
  writeFileSync(join(project, 'src/cache.ts'), 'export function cacheKey() {}\n');
  execFileSync('git', ['init', '-q', '-b', 'main', project]);
  const outside = { PATH: process.env.PATH ?? '', HOME: root, TZ: 'UTC', CAIRN_NO_WORKER: '1' };
  return {
    root,
    project,
    home: join(root, '.cairn'),
    env: { ...outside, CLAUDE_CODE_SESSION_ID: 'session-now' },
  };
}

function start(cwd = machine.project, more: Record<string, string> = {}): McpClient {
  const client = startMcp({ ...machine.env, ...more }, cwd);
  clients.push(client);
  return client;
}

function startElsewhere(): McpClient {
  const other = join(machine.root, 'meadow');
  execFileSync('git', ['init', '-q', '-b', 'main', other]);
  return start(other);
}

function introduction(protocolVersion = '2025-11-25', name = 'test'): JsonObject {
  return { protocolVersion, capabilities: {}, clientInfo: { name, version: '1' } };
}

function envelope(): { _meta: JsonObject } {
  return {
    _meta: {
      [`${META}/protocolVersion`]: '2026-07-28',
      [`${META}/clientInfo`]: { name: 'test', version: '1' },
      [`${META}/clientCapabilities`]: {},
    },
  };
}

function toolsOf({ result }: JsonObject): unknown[] {
  const { tools } = result as JsonObject;
  return Array.isArray(tools) ? tools.filter(isObject).map((tool) => tool.name) : [];
}

/** One turn of one session, with its memories. */
function seed({ home, project }: Machine): void {
  const store = openPlainStore(pathsOf(home).database);
  const place = findPlace(project);
  const base = { sessionId: 'session-one', cwd: project, promptId: 'one' };
  const events = [
    {
      ...base,
      kind: 'prompt' as const,
      text: 'the prices are French on the German page',
      origin: 'person' as const,
    },
    { ...base, kind: 'turn-end' as const, text: 'Done.', continued: false },
  ];
  for (const [index, event] of events.entries()) {
    const at = MORNING + index * 2 * MINUTE;
    const head = { name: `spool-${index}`, agent: 'claude-code', hook: 'Hook', via: 'settings', at, place };
    const captured = { agent: 'claude-code', event, priority: 'normal' as const, at, via: 'settings' };
    store.ingest([{ ...head, events: [{ ...captured, spoolName: head.name }] }], at);
  }
  const observation: Observation = {
    type: 'gotcha',
    title: 'The cache key lacks the locale',
    subtitle: '',
    narrative: 'Prices of one country were shown in another.',
    facts: ['cacheKey() must get the locale'],
    concepts: ['cache'],
    filesRead: [],
    filesModified: ['src/cache.ts'],
    events: [],
  };
  const hash = blobHash(readFileSync(join(project, 'src/cache.ts')));
  const parts = { investigated: '', learned: '', completed: 'Found it.', nextSteps: '', notes: '' };
  const job = store.claimJob(['distil'], MORNING + 10 * MINUTE, 1_000);
  if (!job) throw new Error('there is no turn to distil');
  const distilled = {
    distiller: 'offline',
    commit: 'abc',
    observations: [{ ...observation, tokens: 40, pins: [{ path: 'src/cache.ts', hash, symbols: [] }] }],
    summary: {
      request: 'Prices per country',
      ...parts,
      filesRead: [],
      filesModified: [],
      title: 'Prices per country',
      tokens: 12,
    },
  };
  store.saveDistilled(job, distilled, MORNING + 10 * MINUTE);
  store.close();
}
