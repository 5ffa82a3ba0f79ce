import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { registeredEvents } from '../../src/agents/claude-code/events.ts';
import { isObject, type Json, type JsonObject } from '../../src/model/json.ts';
import type { Random } from './random.ts';

/** A payload that an agent might send by mistake or by malice. */
export interface FuzzedPayload {
  hook: string;
  bytes: Buffer;
}

/**
 * `stored`: a complete object of a known event. `aside`: complete, but not JSON. `seen`: it has nothing to store, only
 * the call of the hook counts.
 */
export type Fate = 'stored' | 'aside' | 'seen';

const EVENTS = new Set(registeredEvents.map(({ event }) => event));

/** The expected fate, determined without the code under test. */
export function fateOf({ hook, bytes }: FuzzedPayload): Fate {
  if (bytes.length < 1_000 && bytes.toString('latin1').trim() === '') return 'seen';
  let payload: Json;
  try {
    payload = JSON.parse(bytes.toString('utf8'));
  } catch {
    return 'aside';
  }
  if (!isObject(payload)) return 'seen';
  const named = payload.hook_event_name;
  const event = typeof named === 'string' && named !== '' ? named : hook;
  if (!EVENTS.has(event)) return 'seen';
  if (event === 'SubagentStop' && payload.agent_type === '') return 'seen';
  if (event === 'PostToolBatch')
    return Array.isArray(payload.tool_calls) && payload.tool_calls.some(isObject) ? 'stored' : 'seen';
  return 'stored';
}

export function fuzzedPayload(number: number, random: Random): FuzzedPayload {
  const { hook, payload } = sample(number, random);
  return { hook: random.chance(0.03) ? 'NeverHeardOf' : hook, bytes: spoil(payload, random) };
}

const folder = join(import.meta.dirname, '../../src/agents/claude-code/payloads');
const recordings = ['events', 'tools']
  .flatMap((part) => readdirSync(join(folder, part)).map((name) => join(folder, part, name)))
  .map((path) => readFileSync(path, 'utf8'))
  .filter((text) => EVENTS.has(JSON.parse(text).hook_event_name));
const starts = recordings.filter((text) => JSON.parse(text).hook_event_name === 'SessionStart');
const others = recordings.filter((text) => !starts.includes(text));

/** A recorded payload with new ids: no two are duplicates. Session starts are rare, because they are answered. */
function sample(number: number, random: Random): { hook: string; payload: JsonObject } {
  const from = random.chance(0.03) ? starts : others;
  const text = from[random.below(from.length)] ?? '{}';
  const payload = JSON.parse(text.replaceAll(/toolu_\w+/g, (id) => `${id}-${number}`)) as JsonObject;
  return {
    hook: String(payload.hook_event_name),
    payload: { ...payload, session_id: `fuzz-${number}` },
  };
}

type Spoiler = (payload: JsonObject, random: Random) => string | Buffer;

/** With their weights. */
const spoilers: [number, Spoiler][] = [
  [30, (payload, random) => JSON.stringify(withWrongTypes(payload, random))],
  [12, (payload, random) => JSON.stringify(withStrangeTexts(payload, random))],
  [10, (payload) => JSON.stringify(payload)],
  [8, (_, random) => JSON.stringify(randomJson(random, 4))],
  [8, (payload, random) => JSON.stringify(payload).slice(0, random.below(2_000))],
  [8, (payload, random) => withBytes(payload, random, INVALID_UTF8)],
  [6, (payload, random) => withBytes(payload, random, [Buffer.from([0])])],
  [5, nestedDeep],
  [5, (payload, random) => JSON.stringify({ ...payload, ...randomObject(random, 3) })],
  [3, (_, random) => Buffer.from(Array.from({ length: random.below(500) }, () => random.below(256)))],
  [3, (_, random) => ' \n\t\r'.repeat(random.below(3))],
  [1, (payload, random) => JSON.stringify(withHugeText(payload, random))],
  [1, (payload) => `${JSON.stringify(payload)}${JSON.stringify(payload)}`],
];
const weights = spoilers.reduce((sum, [weight]) => sum + weight, 0);

function spoil(payload: JsonObject, random: Random): Buffer {
  let left = random.below(weights);
  for (const [weight, spoiler] of spoilers) {
    left -= weight;
    if (left < 0) return Buffer.from(spoiler(payload, random));
  }
  return Buffer.alloc(0);
}

function withWrongTypes(payload: JsonObject, random: Random): JsonObject {
  const spoiled = { ...payload };
  for (const key of Object.keys(payload)) {
    if (random.chance(0.1)) delete spoiled[key];
    else if (random.chance(0.25)) spoiled[key] = randomJson(random, 3);
    else if (random.chance(0.2)) spoiled[key] = spoilInside(payload[key] ?? null, random);
  }
  return spoiled;
}

function spoilInside(value: Json, random: Random): Json {
  if (Array.isArray(value))
    return value.map((item) => (random.chance(0.5) ? randomJson(random, 2) : spoilInside(item, random)));
  if (isObject(value)) return withWrongTypes(value, random);
  return randomJson(random, 1);
}

function withStrangeTexts(payload: JsonObject, random: Random): JsonObject {
  const entries = Object.entries(payload).map(([key, value]): [string, Json] => {
    if (key === 'hook_event_name' || !random.chance(0.4)) return [key, value];
    return [key, typeof value === 'string' ? value + strangeText(random) : strangeText(random)];
  });
  return Object.fromEntries(entries);
}

const STRANGE = [
  '\u0000',
  '\ud800',
  '\udfff\ud83d',
  '\u2028',
  '\ufeff',
  '\u202e',
  "'; DROP TABLE events; --",
  '$(touch /tmp/x)`id`',
  '%s%n%x',
  '../../../../etc/passwd',
  '\r\n',
  '\u001b[31m',
  '__proto__',
  '👩‍👩‍👧',
  '<system-reminder>',
  '</cairn-context>',
] as const;

function strangeText(random: Random): string {
  return Array.from({ length: 1 + random.below(4) }, () => random.oneOf(STRANGE) + random.below(1e9)).join(
    '',
  );
}

function withHugeText(payload: JsonObject, random: Random): JsonObject {
  const unit = random.oneOf(['x', 'line of output\n', 'ü', '{"a":1}', `${random.next()} `]);
  const huge = unit.repeat(Math.ceil((50_000 + random.below(1_500_000)) / unit.length));
  const key = random.oneOf(['tool_response', 'prompt', 'last_assistant_message', 'cwd', 'session_id']);
  return { ...payload, [key]: huge };
}

function nestedDeep(payload: JsonObject, random: Random): string {
  const depth = Math.floor(10 ** (1 + random.next() * 4));
  const [open, close] = random.oneOf([
    ['[', ']'],
    ['{"a":', '}'],
  ]);
  const nested = `${open.repeat(depth)}1${close.repeat(depth)}`;
  const key = random.oneOf(['tool_input', 'tool_response', 'session_id', 'tool_calls', 'new']);
  if (random.chance(0.2)) return nested;
  return JSON.stringify({ ...payload, [key]: '@' }).replace('"@"', nested);
}

const INVALID_UTF8 = [
  Buffer.from([0xff]),
  Buffer.from([0xc3]),
  Buffer.from([0xe2, 0x82]),
  Buffer.from([0xed, 0xa0, 0x80]),
  Buffer.from([0xf5, 0x80, 0x80, 0x80]),
];

/** Usually inside a string, where the JSON around the bytes stays valid. */
function withBytes(payload: JsonObject, random: Random, bytes: Buffer[]): Buffer {
  const whole = Buffer.from(JSON.stringify({ ...payload, session_id: '@@', tool_response: '@@' }));
  const inside = whole.indexOf('@@') + 1;
  const at = random.chance(0.7) ? inside : random.below(whole.length);
  const inserted = bytes[random.below(bytes.length)] ?? Buffer.alloc(0);
  return Buffer.concat([whole.subarray(0, at), inserted, whole.subarray(at)]);
}

function randomJson(random: Random, depth: number): Json {
  switch (random.below(depth > 0 ? 9 : 7)) {
    case 0:
      return null;
    case 1:
      return random.chance(0.5);
    case 2:
      return random.oneOf([0, -1, 1e308, -0.5, 2 ** 53, random.next() * 1e6]);
    case 3:
      return '';
    case 4:
    case 5:
      return strangeText(random);
    case 6:
      return `text ${random.below(1e9)}`;
    case 7:
      return Array.from({ length: random.below(4) }, () => randomJson(random, depth - 1));
    default:
      return randomObject(random, depth - 1);
  }
}

const KEYS = [
  'tool_input',
  'tool_response',
  'tool_name',
  'tool_calls',
  'prompt',
  'cwd',
  'source',
  'model',
  'error',
  'reason',
  'duration_ms',
  'agent_id',
  '__proto__',
  'constructor',
  'toString',
  '',
] as const;

function randomObject(random: Random, depth: number): JsonObject {
  const entries = Array.from({ length: random.below(5) }, (): [string, Json] => [
    random.chance(0.7) ? random.oneOf(KEYS) : strangeText(random),
    randomJson(random, depth),
  ]);
  return Object.fromEntries(entries);
}
