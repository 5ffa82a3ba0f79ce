import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { lookAlikes, type SecretShape, secretShapes } from '../../test/support/secrets.ts';
import type { Json } from '../model/json.ts';
import { cleanPayload } from './clean.ts';

/** Where a text may be in a payload. */
const positions: Record<string, (text: string) => Json> = {
  'the payload itself': (text) => text,
  prompt: (text) => ({
    hook_event_name: 'UserPromptSubmit',
    prompt: `please look at this:\n${text}\nthanks`,
  }),
  'tool input': (text) => ({ tool_name: 'Bash', tool_input: { command: text } }),
  'nested response': (text) => ({ tool_response: { content: [{ type: 'text', text: { deep: [[text]] } }] } }),
  'object key': (text) => ({ [text]: 1 }),
  'list among others': (text) => [1, null, { a: text }, text],
  'JSON in a string': (text) => JSON.stringify({ command: text, ok: true }),
  'JSON in JSON in a string': (text) => ({
    body: JSON.stringify({ inner: JSON.stringify({ command: text }) }),
  }),
  'lines of a patch': (text) => ({
    structuredPatch: [
      { oldStart: 1, lines: [' before', ...text.split('\n').map((line) => `+${line}`), ' after'] },
    ],
  }),
  'lines of a file': (text) => ['first', ...text.split('\n'), 'last'],
  'numbered lines': (text) =>
    text
      .split('\n')
      .map((line, index) => `${index + 1}\t${line}`)
      .join('\n'),
};

/** The lines of a secret that must not appear anywhere. */
function forms({ secret }: SecretShape): string[] {
  return secret.split('\n').filter((line) => line.length >= 5);
}

describe('cleanPayload', () => {
  describe.each(Object.entries(positions))('in %s', (_, place) => {
    it.each(secretShapes)('no $name survives', (shape) => {
      const clean = cleanPayload(place(shape.text));
      for (const form of forms(shape)) expect(JSON.stringify(clean)).not.toContain(form);
      expect(cleanPayload(clean)).toEqual(clean);
    });

    it.each(lookAlikes)('$name survives', ({ text }) => {
      const payload = place(text);
      expect(cleanPayload(payload)).toBe(payload);
    });
  });

  it.each<{ name: string; payload: Json; clean: Json }>([
    { name: 'password', payload: { password: 'hunter2!' }, clean: { password: '[redacted:password]' } },
    { name: 'plain word', payload: { password: 'swordfish' }, clean: { password: '[redacted:password]' } },
    { name: 'number', payload: { password: 12345678 }, clean: { password: '[redacted:password]' } },
    {
      name: 'env variable',
      payload: { env: { AWS_SECRET_ACCESS_KEY: 'abcDEF123456', HOME: '/home/me' } },
      clean: { env: { AWS_SECRET_ACCESS_KEY: '[redacted:key]', HOME: '/home/me' } },
    },
    {
      name: 'header',
      payload: { headers: { Authorization: 'Bearer abc123def456ghi789', Accept: '*/*' } },
      clean: { headers: { Authorization: 'Bearer [redacted:authorization]', Accept: '*/*' } },
    },
    {
      name: 'header list',
      payload: { headers: { 'X-Api-Key': ['q8w7e6r5t4y3'] } },
      clean: { headers: { 'X-Api-Key': ['[redacted:key]'] } },
    },
    {
      name: 'name and value',
      payload: [
        { name: 'API_KEY', value: 'q8w7e6r5t4y3' },
        { name: 'PORT', value: '8080' },
      ],
      clean: [
        { name: 'API_KEY', value: '[redacted:key]' },
        { name: 'PORT', value: '8080' },
      ],
    },
    {
      name: 'arguments of a program',
      payload: { args: ['tool', '--password', 'hunter2!', 'run'] },
      clean: { args: ['tool', '--password', '[redacted:password]', 'run'] },
    },
    {
      name: 'private part across lines',
      payload: { lines: [' a', '+<private>', '+b', '+</private>', ' c'] },
      clean: { lines: [' a', '+[private]', ' c'] },
    },
    {
      name: 'private part across hunks',
      payload: [
        { oldStart: 1, lines: [' a', '+<private>', '+b'] },
        { oldStart: 9, lines: ['+c', '+</private>', ' d'] },
        { oldStart: 20, lines: [' e'] },
      ],
      clean: [
        { oldStart: 1, lines: [' a', '+[private]'] },
        { oldStart: 9, lines: ['[private]', ' d'] },
        { oldStart: 20, lines: [' e'] },
      ],
    },
    { name: 'private key name', payload: { 'a <private>b</private>': 1 }, clean: { 'a [private]': 1 } },
    {
      name: 'keys that become the same',
      payload: { '<private>a</private>': 1, '<private>b</private>': 2 },
      clean: { '[private]': 1, '[private] (2)': 2 },
    },
  ])('detects from context: $name', ({ payload, clean }) => {
    expect(cleanPayload(payload)).toEqual(clean);
  });

  it.each<{ name: string; payload: Json }>([
    { name: 'usage', payload: { usage: { input_tokens: 5, output_tokens: 12345, token_count: 20000 } } },
    { name: 'schema', payload: { properties: { password: { type: 'string' }, token: 'string' } } },
    {
      name: 'ids',
      payload: { session_id: '0f1e2d3c-aaaa-bbbb-cccc-0123456789ab', tool_use_id: 'toolu_01AbCdEf' },
    },
    { name: 'labels', payload: { password: 'Enter your password', token: 'keyword.control' } },
    {
      name: 'empty and small',
      payload: [{}, [], '', 0, null, false, { password: '', token: null, secret: true }],
    },
  ])('returns a payload without secrets unchanged: $name', ({ payload }) => {
    expect(cleanPayload(payload)).toBe(payload);
  });

  it('keeps a key named __proto__ and does not change its argument', () => {
    const json = '{"__proto__":{"password":"hunter2!"},"a":["<private>b</private>"]}';
    const payload: Json = JSON.parse(json);
    expect(JSON.stringify(cleanPayload(payload))).toBe(
      '{"__proto__":{"password":"[redacted:password]"},"a":["[private]"]}',
    );
    expect(JSON.stringify(payload)).toBe(json);
  });

  it('replaces values that are nested too deep by a mark', () => {
    let payload: Json = 'x';
    for (let depth = 0; depth < 100_000; depth++) payload = depth % 2 === 0 ? [payload] : { a: payload };
    expect(cleanPayload(payload, { maxDepth: 2 })).toEqual({ a: ['[nested too deep]'] });
    expect(JSON.stringify(cleanPayload(payload))).toContain('[nested too deep]');
  });
});

describe('clipping', () => {
  it('keeps head and tail and reports how much was left out', () => {
    const text = `${'h'.repeat(1000)}${'m'.repeat(5000)}${'t'.repeat(1000)}`;
    expect(cleanPayload(text, { maxText: 264 })).toBe(
      `${'h'.repeat(100)}\n[… 6800 characters left out …]\n${'t'.repeat(100)}`,
    );
  });

  it('never leaves a part of a secret at a cut', () => {
    const [{ secret } = { secret: '' }] = secretShapes;
    for (let offset = 0; offset <= secret.length; offset++) {
      const text = `${' '.repeat(968 - offset)}${secret}${' '.repeat(9000)}${secret}${' '.repeat(968 - offset)}`;
      expect(cleanPayload(text, { maxText: 2000 })).not.toContain(secret.slice(0, 8));
      expect(cleanPayload(text, { maxText: 2000 })).not.toContain(secret.slice(-8));
    }
  });

  it('treats a private part as continuing across the cut', () => {
    const text = `a <private>${'b'.repeat(50_000)}`;
    expect(cleanPayload(text, { maxText: 1000 })).toBe('a [private]');
    expect(cleanPayload(`${'b'.repeat(50_000)}</private> c`, { maxText: 1000 })).toBe('[private] c');
  });

  it('does not split a character', () => {
    const clean = cleanPayload('😀'.repeat(5000), { maxText: 1001 });
    expect(clean).toBe(Buffer.from(String(clean)).toString());
  });

  it('stays within the limit when marks make the text longer', () => {
    const text = 'A_PASSWORD=abcd\n'.repeat(60);
    const clean = String(cleanPayload(text, { maxText: 1000 }));
    expect({ within: clean.length <= 1000, again: cleanPayload(clean, { maxText: 1000 }) }).toEqual({
      within: true,
      again: clean,
    });
  });
});

describe('any JSON value', () => {
  const pieces = fc.constantFrom(
    ...[
      'password',
      'TOKEN',
      'api_key',
      '=',
      ': ',
      '"',
      "'",
      '\\"',
      ' ',
      '\n',
      '\\n',
      '<private>',
      '</private>',
    ],
    ...[
      '<cairn-context>\n',
      '\n</cairn-context>',
      'hunter2!',
      '://u:',
      '@h',
      'Bearer ',
      'Authorization: ',
      '--',
      'curl -u a:',
    ],
    ...[
      '[redacted:x]',
      '[private]',
      `ghp_${'a1B2'.repeat(9)}`,
      `-----BEGIN ${'PRIVATE'} KEY-----`,
      'MIIEvQIBADANBgkqhkiG9w0B',
    ],
    ...[
      `-----END ${'PRIVATE'} KEY-----`,
      'eyJ',
      '.',
      '密码',
      '😀',
      '&',
      '?',
      ',',
      '>',
      '<',
      'Cookie: a=',
      'is',
    ],
  );
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.array(pieces, { maxLength: 14 }).map((parts) => parts.join('')),
  );
  const { payload } = fc.letrec<{ payload: Json }>((tie) => ({
    payload: fc.oneof(
      { maxDepth: 4 },
      text,
      fc.constant(null),
      fc.boolean(),
      fc.integer(),
      fc.array(text, { maxLength: 4 }),
      fc.array(tie('payload'), { maxLength: 4 }),
      fc.dictionary(text, tie('payload'), { maxKeys: 4 }),
    ),
  }));

  it('is cleaned without an error, idempotently', () => {
    fc.assert(
      fc.property(payload, (value) => {
        const before = JSON.stringify(value);
        const clean = cleanPayload(value);
        expect(cleanPayload(clean)).toEqual(clean);
        expect(JSON.stringify(value)).toBe(before);
      }),
      { numRuns: 2000 },
    );
  });

  it.each([
    'a',
    '=',
    'eyJ',
    '-----BEGIN ',
    `-----BEGIN ${'PRIVATE'} KEY-----\n`,
    '"',
    "'",
    '\\',
    'password=',
    'token="',
    '<private',
    'password: "\u3000',
    '://a:',
    'sk-',
    'Authorization: ',
  ])('finishes cleaning a megabyte of %j', (piece) => {
    expect(typeof cleanPayload(piece.repeat(1_000_000 / piece.length), { maxText: 2_000_000 })).toBe(
      'string',
    );
  });
});
