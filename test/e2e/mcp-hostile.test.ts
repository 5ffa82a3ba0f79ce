import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { findPlace } from '../../src/capture/place.ts';
import { isObject, type Json, type JsonObject } from '../../src/model/json.ts';
import { afterIntake, type HookWorld, makeHookWorld } from '../support/hook-call.ts';
import { type McpClient, startMcp } from '../support/mcp-client.ts';
import { rememberTurn } from '../support/memories.ts';
import { tempFolder } from '../support/temp.ts';

/** Calls that no reasonable client makes: each gets an error that explains it, and the server keeps running. */

const long = (characters: number) => 'x'.repeat(characters);
const many = (items: number) => Array.from({ length: items }, (_, at) => `item ${at}`);

let world: HookWorld;
let client: McpClient;

beforeEach(() => {
  world = makeHookWorld(tempFolder());
  afterIntake(world, (store) =>
    rememberTurn(store, {
      at: Date.UTC(2026, 10, 14),
      place: findPlace(world.project),
      observations: [{ title: 'Prune the apple trees in winter' }],
    }),
  );
  client = startMcp({ ...world.env, CLAUDE_CODE_SESSION_ID: 'now' }, world.project);
});

afterEach(() => {
  if (client.process.exitCode === null) client.process.kill();
});

describe('arguments over a limit are refused, with the limit', () => {
  test.each<[string, JsonObject, RegExp]>([
    ['tasks', { add: many(51) }, /add has more than 50 items/],
    ['tasks', { add: [long(501)] }, /add\.0 has more than 500 characters/],
    ['tasks', { done: Array.from({ length: 51 }, (_, at) => at) }, /done has more than 50 items/],
    ['handoff', { goal: long(20_001) }, /goal has more than 20,000 characters/],
    ['handoff', { goal: 'x', state: long(20_000), note: long(20_000), decisions: long(20_000) }, /60,000/],
    ['handoff', { work: long(201) }, /work has more than 200 characters/],
    ['remember', { text: long(20_001) }, /text has more than 20,000 characters/],
    ['remember', { text: 'x', files: many(101) }, /files has more than 100 items/],
    ['remember', { text: 'x', files: [long(4_097)] }, /files\.0 has more than 4,096 characters/],
    ['update', { id: '1', title: long(301) }, /title has more than 300 characters/],
    ['update', { id: '1', text: long(20_001) }, /text has more than 20,000 characters/],
    ['search', { query: long(10_001) }, /query has more than 10,000 characters/],
    ['get', { ids: many(51) }, /ids has more than 50 items/],
    ['get', { ids: [''] }, /ids\.0 is empty/],
    ['search', { query: 'apple', limit: 0 }, /limit must be a whole number from 1 to 50/],
    ['search', { query: 'apple', limit: 51 }, /limit must be a whole number from 1 to 50/],
    ['search', { query: 'apple', limit: '-1' }, /limit must be a whole number from 1 to 50/],
    ['search', { query: ' ' }, /^Missing search terms\.$/m],
    ['timeline', { around: '1', before: -1 }, /before must be a whole number from 0 to 50/],
    ['timeline', { around: '' }, /around is empty/],
    ['file_history', { path: 'src', limit: 0 }, /limit must be a whole number from 1 to 50/],
    ['file_history', { path: '' }, /path is empty/],
    ['tasks', { done: [0] }, /done\.0 must be a whole number of at least 1/],
    ['tasks', { add: [''] }, /add\.0 is empty/],
  ])('%s', async (tool, args, says) => {
    const { text, isError } = await call(tool, args);
    expect({ isError, text }).toEqual({ isError: true, text: expect.stringMatching(says) });
    expect(text.length).toBeLessThan(1_000);
    expect(await stored()).toEqual({ works: 0, memories: 1 });
  });
});

describe('malformed requests get an error in words', () => {
  const deep = '['.repeat(20_000) + ']'.repeat(20_000);
  test.each<[string, string, Json | string]>([
    ['a number for a list', 'tasks', { add: 7.5, done: {} }],
    ['an object for a text', 'remember', { text: { toString: 1, valueOf: 2 } }],
    ['a list of objects for a text', 'remember', { text: [{ toString: 1 }] }],
    ['a list of lists', 'get', { ids: [[['1']]] }],
    ['no arguments', 'get', null],
    ['a list of arguments', 'get', ['1']],
    ['thousands of wrong items', 'get', { ids: Array.from({ length: 5_000 }, () => ({})) }],
    ['a key of the prototype', 'remember', '{"text":"x","__proto__":{"files":["a"]}}'],
    ['another key of the prototype', 'remember', '{"constructor":{"prototype":1},"text":"x"}'],
    ['a very long key', 'remember', { [long(1_000_000)]: 'x' }],
    ['deep nesting', 'remember', `{"text":${deep}}`],
    ['deep nesting in a text', 'get', { ids: deep }],
    ['megabytes', 'remember', { text: long(6_000_000) }],
  ])('%s', async (_, tool, args) => {
    const written = typeof args === 'string' ? args : JSON.stringify(args);
    const { result } = await raw(`"tools/call","params":{"name":"${tool}","arguments":${written}}`);
    const { text, isError } = answerIn(result);
    expect({ isError, text }).toEqual({ isError: true, text: expect.stringMatching(/argument|no id/) });
    expect(text).not.toMatch(/call stack|Cannot convert|undefined|\[object/);
    expect(text.length).toBeLessThan(1_000);
    expect(await stored()).toEqual({ works: 0, memories: 1 });
  });

  test.each([
    ['a very long tool name', `"tools/call","params":{"name":"${long(1_000_000)}"}`],
    [
      'a version that is an object',
      '"ping","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":{"toString":1}}}',
    ],
    ['a tool name that is an object', '"tools/call","params":{"name":{"toString":1}}'],
  ])('%s', async (_, request) => {
    const { error } = await raw(request);
    expect(error).toMatchObject({ message: expect.stringMatching(/tool|version/) });
    expect(JSON.stringify(error).length).toBeLessThan(1_000);
  });

  test('a message over the limit', async () => {
    const { error } = await raw(
      `"tools/call","params":{"name":"remember","arguments":{"text":"${long(10_000_000)}"}}`,
    );
    expect(error).toEqual({
      code: -32600,
      message: 'Message refused: it is longer than 8,388,608 characters.',
    });
    expect(await stored()).toEqual({ works: 0, memories: 1 });
  });

  test('methods of other types in a batch are ignored', async () => {
    client.send(
      '[{"jsonrpc":"2.0","id":70,"method":{"toString":1}},{"jsonrpc":"2.0","id":71,"method":"ping"}]',
    );
    expect(await client.next()).toEqual({ batch: [{ jsonrpc: '2.0', id: 71, result: {} }] });
  });
});

let number = 1_000;

/** Sends the text unchanged; the server must answer it by its id. */
async function raw(methodAndRest: string): Promise<JsonObject> {
  number += 1;
  const answer = client.next();
  client.send(`{"jsonrpc":"2.0","id":${number},"method":${methodAndRest}}`);
  const message = await answer;
  expect(message.id).toBe(number);
  return message;
}

async function call(name: string, args: JsonObject) {
  return answerIn((await client.request('tools/call', { name, arguments: args })).result);
}

function answerIn(result: Json | undefined) {
  const { content, isError = false } = isObject(result) ? result : {};
  const [block] = Array.isArray(content) ? content.filter(isObject) : [];
  return { text: String(block?.text), isError };
}

/** Checks that the server still answers, and returns what is in the store. */
async function stored() {
  expect((await client.request('ping')).result).toEqual({});
  return afterIntake(world, (store) => ({
    works: store.listWorkItems({ limit: 10 }).length,
    memories: [1, 2, 3].filter((id) => store.getMemory(id) !== null && store.getMemory(id) !== undefined)
      .length,
  }));
}
