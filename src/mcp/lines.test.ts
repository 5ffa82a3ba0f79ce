import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import type { Json } from '../model/json.ts';
import { readMessages, writeMessage } from './lines.ts';

test.each([
  {
    name: 'one message per line',
    chunks: ['{"a":1}\n{"b":2}\n'],
    messages: [{ a: 1 }, { b: 2 }],
    garbage: 0,
  },
  {
    name: 'messages in pieces',
    chunks: ['{"a"', ':1}', '\n{"b":', '2}\n'],
    messages: [{ a: 1 }, { b: 2 }],
    garbage: 0,
  },
  {
    name: 'lines with carriage returns',
    chunks: ['{"a":1}\r\n\r\n{"b":2}\r\n'],
    messages: [{ a: 1 }, { b: 2 }],
    garbage: 0,
  },
  {
    name: 'other line breaks inside a text',
    chunks: ['{"a":"x\u2028y"}\n'],
    messages: [{ a: 'x\u2028y' }],
    garbage: 0,
  },
  { name: 'around garbage', chunks: ['hello\n{"a":1}\n{"a":\n'], messages: [{ a: 1 }], garbage: 2 },
  {
    name: 'no last line without a line feed',
    chunks: ['{"a":1}\n{"b":2}'],
    messages: [{ a: 1 }],
    garbage: 0,
  },
  {
    name: 'a line that never ends',
    chunks: ['x'.repeat(17_000_000), '\n{"a":1}\n'],
    messages: [{ a: 1 }],
    garbage: 0,
    tooLong: [null],
  },
  {
    name: 'past lines that are too long and reports the ids of their requests',
    chunks: [
      `{"jsonrpc":"2.0","id":7,"method":"tools/call","x":"${'x'.repeat(5_000_000)}`,
      'x'.repeat(5_000_000),
      '","id":9}\n{"a":1}\n',
      `{"method":"tools/call","params":{"id":5,"x":"${'x'.repeat(9_000_000)}"},"jsonrpc":"2.0","id":"eight"}\n`,
      `{"params":{"id":5},"x":"${'x'.repeat(9_000_000)}"}\n{"b":2}\n`,
    ],
    messages: [{ a: 1 }, { b: 2 }],
    garbage: 0,
    tooLong: [7, 'eight', null],
  },
  { name: 'nothing', chunks: [], messages: [], garbage: 0 },
])('reads $name', async ({ chunks, messages, garbage, tooLong = [] }) => {
  const input = new PassThrough();
  const received: Json[] = [];
  const refused: unknown[] = [];
  let unread = 0;
  const reading = readMessages({
    input,
    receive: async (message) => void received.push(message),
    onGarbage: () => unread++,
    onTooLong: async (id) => void refused.push(id),
  });
  for (const chunk of chunks) input.write(chunk);
  input.end();
  await reading;
  expect({ received, unread, refused }).toEqual({ received: messages, unread: garbage, refused: tooLong });
});

test('a character split across chunks stays intact', async () => {
  const input = new PassThrough();
  const received: Json[] = [];
  const reading = readMessages({
    input,
    receive: async (message) => void received.push(message),
    onGarbage: () => {},
    onTooLong: async () => {},
  });
  for (const byte of Buffer.from('"Grüße 日本"\n')) input.write(Buffer.of(byte));
  input.end();
  await reading;
  expect(received).toEqual(['Grüße 日本']);
});

test('writes one message per line', async () => {
  const output = new PassThrough();
  await writeMessage(output, { text: 'one\ntwo' });
  expect(output.read().toString()).toBe('{"text":"one\\ntwo"}\n');
});
