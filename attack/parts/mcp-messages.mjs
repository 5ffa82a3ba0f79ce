import { hostileTexts } from '../hostile-text.mjs';
import { randomValue } from '../payload-fuzz.mjs';

const TEXTS = hostileTexts({ canary: '/nonexistent/canary', outside: '/nonexistent/outside' });
const TOOLS = [
  'search',
  'get',
  'timeline',
  'file_history',
  'remember',
  'update',
  'forget',
  'standing',
  'tasks',
  'handoff',
  'works',
];
const ODD_TOOLS = ['', '__proto__', 'constructor', 'toString', 'no-such-tool', '../search', 'SEARCH'];
const FIELDS = [
  'query',
  'ids',
  'id',
  'path',
  'text',
  'type',
  'files',
  'limit',
  'all',
  'kinds',
  'around',
  'before',
  'after',
  'add',
  'done',
  'drop',
  'action',
  'title',
  'confirm',
  'global',
  'name',
  '__proto__',
  'constructor',
];

/** @returns a function that makes the next message: { line, ids }, where ids are the requests that must be answered. */
export function createHostileMessages(random) {
  let number = 0;

  function nextId() {
    number += 1;
    return random.pick([
      number,
      `id ${number}`,
      `${number} ${random.pick(TEXTS).slice(0, 50)}`,
      number + 0.5,
    ]);
  }

  function request(method, params) {
    return { jsonrpc: '2.0', id: nextId(), method, ...(params !== undefined && { params }) };
  }

  function call(name = random.pick(TOOLS), args = hostileArguments(random)) {
    return request('tools/call', { name, arguments: args });
  }

  const one = (message) => ({ line: `${JSON.stringify(message)}\n`, ids: [message.id] });
  const noAnswer = (text) => ({ line: `${text}\n`, ids: [] });

  const kinds = [
    () => one(call()),
    () => one(call()),
    () => one(call()),
    () => one(call(random.pick(TOOLS), randomValue(random, 4))),
    () => one(call(random.pick(ODD_TOOLS))),
    () => one(request('tools/call', randomValue(random, 3))),
    () => one(request('tools/call', { name: randomValue(random, 1), arguments: {} })),
    () =>
      one(
        request(
          random.pick(['tools/list', 'ping', 'initialize', 'resources/list', 'prompts/get', ...TEXTS]),
          randomValue(random, 2),
        ),
      ),
    () => one({ ...request('ping'), jsonrpc: random.pick(['1.0', 2, null]) }),
    () => one(withMeta(request('tools/list'), randomValue(random, 2))),
    () => one(call('remember', { text: 'word '.repeat(random.pick([10, 10_000, 200_000])) })),
    () =>
      one(
        call('search', {
          query: random.pick(['a ', '"', '(', 'x* OR ', 'é', '-']).repeat(random.pick([10, 5_000, 50_000])),
        }),
      ),
    () => deep(call('search', { query: '@' })),
    () =>
      batch([
        call(),
        request('ping'),
        { jsonrpc: '2.0', method: 'notifications/cancelled' },
        call(random.pick(ODD_TOOLS)),
      ]),
    () => noAnswer('[]'),
    () => noAnswer('[1,null,"x",[[]]]'),
    () => noAnswer(JSON.stringify(randomValue(random, 3))),
    () =>
      noAnswer(
        JSON.stringify({ jsonrpc: '2.0', method: random.pick(TEXTS), params: randomValue(random, 2) }),
      ),
    () => noAnswer(JSON.stringify({ jsonrpc: '2.0', id: `wrong ${number++}`, method: 42 })),
    () => noAnswer(JSON.stringify({ jsonrpc: '2.0', id: random.pick([null, {}, [], true]), method: 'ping' })),
    () => noAnswer(JSON.stringify({ jsonrpc: '2.0', id: 'cairn-roots', result: randomValue(random, 3) })),
    () =>
      noAnswer(
        random.pick([
          '{',
          '}',
          'null',
          '\ufeff',
          '"',
          '\0',
          'GET / HTTP/1.1\r',
          'Content-Length: 5\r\n\r',
          '\u2028',
        ]),
      ),
    () => ({
      line: Buffer.concat([random.bytes(200).map((byte) => (byte === 10 ? 11 : byte)), Buffer.from('\n')]),
      ids: [],
    }),
    () => invalidUtf8(call('search', { query: '@@' })),
    () => crlf(request('ping')),
  ];
  return () => random.pick(kinds)();
}

function hostileArguments(random) {
  return Object.fromEntries(
    Array.from({ length: 1 + random.below(4) }, () => [
      random.pick(FIELDS),
      random.chance(0.5) ? random.pick(TEXTS) : randomValue(random, 3),
    ]),
  );
}

function withMeta(message, value) {
  const meta = { 'io.modelcontextprotocol/protocolVersion': value, progressToken: value };
  return { ...message, params: { _meta: meta } };
}

function deep(message) {
  const depth = 20_000;
  const line = JSON.stringify(message).replace('"@"', `${'[{"a":'.repeat(depth)}1${'}]'.repeat(depth)}`);
  return { line: `${line}\n`, ids: [message.id] };
}

function batch(messages) {
  return {
    line: `${JSON.stringify(messages)}\n`,
    ids: messages.map(({ id }) => id).filter((id) => id !== undefined),
  };
}

function invalidUtf8(message) {
  const bytes = Buffer.from(`${JSON.stringify(message)}\n`);
  bytes.set([0xff, 0xc3], bytes.indexOf('@@'));
  return { line: bytes, ids: [message.id] };
}

function crlf(message) {
  return { line: `  ${JSON.stringify(message)}\r\n`, ids: [message.id] };
}
