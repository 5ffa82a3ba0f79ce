import { expect, test } from 'vitest';
import { createStreamReader, type StreamMessage } from './stream-reader.ts';

const TEXT =
  'retry: 2000\n\nid: 7\nevent: ready\ndata: {}\n\n: still here\n\nid: 9\nevent: changes\ndata: [1]\n\nid: 10\n';
const MESSAGES = [
  { id: '7', event: 'ready', data: '{}' },
  { id: '9', event: 'changes', data: '[1]' },
];

test.each([1, 2, 7, 1_000])('reads messages from pieces of %i characters', (size) => {
  const seen: StreamMessage[] = [];
  const read = createStreamReader((message) => seen.push(message));
  for (let at = 0; at < TEXT.length; at += size) read(TEXT.slice(at, at + size));
  expect(seen).toEqual(MESSAGES);
});
