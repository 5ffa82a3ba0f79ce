import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { computePercentLeft, readClientStatus } from './client-status.ts';

function recorded(name: string): Buffer {
  return readFileSync(
    new URL(`../../agents/claude-code/payloads/programs/statusline.${name}.json`, import.meta.url),
  );
}

test.each([
  {
    name: 'before-first-response',
    expected: {
      session: 'b59906b3-98ca-41a2-a892-3158dd8f1fa6',
      folder: '/home/user/project',
      model: 'Opus 5.5',
      modelId: 'claude-opus-5-5',
      window: { size: 1_000_000, used: null },
    },
    left: undefined,
  },
  {
    name: 'after-clear',
    expected: {
      session: '4cd1cc50-a71a-4dc6-bc79-262929e04d77',
      folder: '/home/user/project',
      model: 'Sonnet 4.6',
      modelId: 'claude-sonnet-4-6',
      window: { size: 200_000, used: null },
    },
    left: undefined,
  },
  {
    name: 'after-responses',
    expected: {
      session: 'b59906b3-98ca-41a2-a892-3158dd8f1fa6',
      folder: '/home/user/project',
      model: 'Opus 5.5',
      modelId: 'claude-opus-5-5',
      window: { size: 1_000_000, used: 14_226 },
    },
    left: 99,
  },
])('$name', ({ name, expected, left }) => {
  expect(readClientStatus(recorded(name))).toEqual(expected);
  expect(computePercentLeft(expected.window)).toBe(left);
});

test.each([
  { name: 'nothing', text: '', expected: {} },
  { name: 'no JSON', text: '{"cwd": ', expected: {} },
  { name: 'a list', text: '[1]', expected: {} },
  {
    name: 'values of other kinds',
    text: '{"model": 3, "cwd": null, "context_window": {"context_window_size": "big"}}',
    expected: {},
  },
  {
    name: 'a model as a word',
    text: '{"model": "opus", "cwd": "/x"}',
    expected: { model: 'opus', folder: '/x' },
  },
  {
    name: 'a usage with gaps',
    text: '{"context_window": {"context_window_size": 100, "current_usage": {"input_tokens": 130, "x": 1}}}',
    expected: { window: { size: 100, used: 130 } },
  },
])('$name', ({ text, expected }) => expect(readClientStatus(Buffer.from(text))).toEqual(expected));

test('accepts any JSON', () => {
  fc.assert(fc.property(fc.json(), (text) => void readClientStatus(Buffer.from(text))));
  expect(computePercentLeft({ size: 100, used: 130 })).toBe(0);
});
