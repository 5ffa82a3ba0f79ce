import { allRecorded } from '../bench/payloads.mjs';
import { hostileTexts } from './hostile-text.mjs';

const EVENTS = [
  ...['Setup', 'SessionStart', 'UserPromptSubmit', 'PreToolUse', 'PermissionRequest', 'PostToolUse'],
  ...['PostToolUseFailure', 'PostToolBatch', 'SubagentStop', 'PreCompact', 'PostCompact', 'Stop'],
  ...['StopFailure', 'SessionEnd'],
];
const TEXTS = hostileTexts({ canary: '/nonexistent/canary', outside: '/nonexistent/outside' });
const HUGE = [200_000, 1_000_000, 3_000_000];

/** @returns a function that makes the next input for a hook's stdin: { event, bytes, how }. */
export function createFuzz(random) {
  const recordings = allRecorded(EVENTS);

  return function fuzz(number) {
    const payload = { ...random.pick(recordings), session_id: `fuzz-${number}` };
    const [how, spoil] = random.pick(SPOILERS);
    return { event: payload.hook_event_name, bytes: Buffer.from(spoil(payload, random)), how };
  };
}

const SPOILERS = [
  ['wrong types', (payload, random) => JSON.stringify(replaceSome(payload, random, 3))],
  ['wrong types', (payload, random) => JSON.stringify(replaceSome(payload, random, 3))],
  ['hostile texts', (payload, random) => JSON.stringify(replaceTexts(payload, random))],
  ['missing fields', (payload, random) => JSON.stringify(pickFields(payload, random))],
  ['random JSON', (_, random) => JSON.stringify(randomValue(random, 5))],
  ['truncated', (payload, random) => cut(Buffer.from(JSON.stringify(payload)), random)],
  ['flipped bytes', (payload, random) => flipBytes(Buffer.from(JSON.stringify(payload)), random)],
  ['huge text', (payload, random) => JSON.stringify(withHuge(payload, random))],
  ['deep nesting', (payload, random) => withDeep(payload, random)],
  ['several values', (payload, random) => JSON.stringify(payload).repeat(2 + random.below(3))],
  [
    'lines',
    (payload, random) =>
      JSON.stringify(payload, null, random.below(8)).replaceAll('\n', random.pick(['\n', '\r\n', '\n\n'])),
  ],
  ['BOM', (payload) => `\ufeff${JSON.stringify(payload)}`],
  ['UTF-16', (payload) => Buffer.from(JSON.stringify(payload), 'utf16le')],
  ['invalid UTF-8', (payload, random) => insertBytes(payload, random)],
  ['binary', (_, random) => random.bytes(random.below(2_000))],
  ['empty', (_, random) => ' \n\t\0'.repeat(random.below(3))],
  ['doubled keys', (payload) => `{"session_id":1,${JSON.stringify(payload).slice(1)}`],
  [
    'prototype keys',
    (payload) =>
      JSON.stringify(payload).replace('{', '{"__proto__":{"tool_name":"x"},"constructor":{"prototype":1},'),
  ],
  [
    'odd numbers',
    (payload) =>
      JSON.stringify(payload).replace(
        '{',
        '{"duration_ms":1e999,"tool_use_id":-0,"prompt_id":123456789012345678901234567890,',
      ),
  ],
  [
    'escapes',
    (payload) =>
      JSON.stringify({ ...payload, prompt: '@' }).replace('"@"', '"\\u0000\\ud800\\udc00\\udfff\\u202e\\/"'),
  ],
  [
    'spool end mark',
    (payload, random) => `${JSON.stringify(payload)}\n#none.${random.text('0123456789abcdef', 32)}\n`,
  ],
  ['spool header', (payload) => `cairn1 claude-code Stop settings /\n${JSON.stringify(payload)}`],
];

function replaceSome(value, random, depth) {
  if (depth === 0 || typeof value !== 'object' || value === null)
    return random.chance(0.3) ? randomValue(random, 2) : value;
  const entries = Object.entries(value).map(([key, inner]) => [key, replaceSome(inner, random, depth - 1)]);
  return Array.isArray(value) ? entries.map(([, inner]) => inner) : Object.fromEntries(entries);
}

function replaceTexts(value, random) {
  if (typeof value === 'string') return random.chance(0.4) ? random.pick(TEXTS) : value;
  if (Array.isArray(value)) return value.map((inner) => replaceTexts(inner, random));
  if (typeof value !== 'object' || value === null) return value;
  const isKept = (key) => key === 'hook_event_name';
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, isKept(key) ? inner : replaceTexts(inner, random)]),
  );
}

function pickFields(payload, random) {
  return Object.fromEntries(Object.entries(payload).filter(() => random.chance(0.5)));
}

function withHuge(payload, random) {
  const unit = random.pick([
    'x',
    'word ',
    'line\n',
    'ü',
    '\\',
    '"',
    '<private>',
    'key=',
    'a.b.',
    'https://',
    'AAAA',
    '\u001b[0m',
  ]);
  const text = unit.repeat(Math.ceil(random.pick(HUGE) / unit.length));
  const field = random.pick([
    'prompt',
    'tool_response',
    'last_assistant_message',
    'session_id',
    'cwd',
    'tool_use_id',
    'error',
  ]);
  return { ...payload, [field]: text };
}

function withDeep(payload, random) {
  const depth = random.pick([100, 2_000, 50_000, 200_000]);
  const [open, close] = random.pick([
    ['[', ']'],
    ['{"a":', '}'],
    ['[{"tool_input":', '}]'],
  ]);
  const field = random.pick(['tool_input', 'tool_response', 'session_id', 'tool_calls', 'cwd', 'extra']);
  return JSON.stringify({ ...payload, [field]: '@' }).replace(
    '"@"',
    `${open.repeat(depth)}1${close.repeat(depth)}`,
  );
}

function cut(bytes, random) {
  return bytes.subarray(0, random.below(bytes.length));
}

function flipBytes(bytes, random) {
  for (let flips = 1 + random.below(5); flips > 0; flips--)
    bytes[random.below(bytes.length)] ^= 1 << random.below(8);
  return bytes;
}

function insertBytes(payload, random) {
  const bytes = Buffer.from(JSON.stringify({ ...payload, prompt: '@@', tool_response: '@@' }));
  const at = bytes.indexOf('@@') + 1;
  const invalid = random.pick([
    [0xff],
    [0xc3],
    [0xe2, 0x82],
    [0xed, 0xa0, 0x80],
    [0xf5, 0x80, 0x80, 0x80],
    [0],
  ]);
  return Buffer.concat([bytes.subarray(0, at), Buffer.from(invalid), bytes.subarray(at)]);
}

export function randomValue(random, depth) {
  switch (random.below(depth > 0 ? 9 : 6)) {
    case 0:
      return null;
    case 1:
      return random.chance(0.5);
    case 2:
      return random.pick([0, -1, 1.5, 2 ** 53, -1e308, random.next()]);
    case 3:
    case 4:
      return random.pick(TEXTS);
    case 5:
      return random.text('abc xyz/.-_', random.below(40));
    case 6:
      return Array.from({ length: random.below(5) }, () => randomValue(random, depth - 1));
    default:
      return Object.fromEntries(
        Array.from({ length: random.below(5) }, () => [random.pick(TEXTS), randomValue(random, depth - 1)]),
      );
  }
}
