import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readLastUsage } from './usage.ts';
import { windowSizeOf } from './window.ts';

const recorded = join(import.meta.dirname, 'payloads', 'transcripts');

function answer(usage: object, rest: object = {}): string {
  return JSON.stringify({
    type: 'assistant',
    isSidechain: false,
    message: { model: 'claude-opus-5-5', usage },
    ...rest,
  });
}

const COMPACTED = '{"type":"system","subtype":"compact_boundary","content":"Conversation compacted"}';

describe('lastUsage', () => {
  it('is found in the recorded transcript of a whole session', () => {
    const folder = join(recorded, 'whole');
    const [file = ''] = readdirSync(folder, { recursive: true })
      .map(String)
      .filter((path) => path.endsWith('.jsonl') && !path.includes('agent-'));
    expect(readLastUsage(readFileSync(join(folder, file), 'utf8'))).toEqual({
      tokens: expect.any(Number),
      model: 'claude-opus-5-5',
    });
  });

  it.each<[string, string[], object | null]>([
    ['is null for an empty transcript', [], null],
    ['is null before the first answer', ['{"type":"user"}'], null],
    [
      'counts the input, the cache and the answer itself',
      [
        answer({
          input_tokens: 100,
          cache_creation_input_tokens: 20,
          cache_read_input_tokens: 3,
          output_tokens: 4_000,
        }),
      ],
      { tokens: 4_123, model: 'claude-opus-5-5' },
    ],
    [
      'is from the last of several answers',
      [answer({ input_tokens: 1 }), answer({ input_tokens: 2 })],
      { tokens: 2, model: 'claude-opus-5-5' },
    ],
    [
      'ignores answers of subagents',
      [answer({ input_tokens: 1 }), answer({ input_tokens: 2 }, { isSidechain: true })],
      { tokens: 1, model: 'claude-opus-5-5' },
    ],
    [
      'ignores messages about failed requests',
      [answer({ input_tokens: 1 }), answer({ input_tokens: 0 }, { isApiErrorMessage: true })],
      { tokens: 1, model: 'claude-opus-5-5' },
    ],
    [
      'has the requested model, which determines the window',
      [answer({ input_tokens: 1 }, { requestedModel: 'claude-sonnet-4-6[1m]' })],
      { tokens: 1, model: 'claude-sonnet-4-6[1m]' },
    ],
    [
      'is found in a tail that begins and ends within a line',
      ['usage":{"input_tokens":7}}}', answer({ input_tokens: 1 }), answer({ input_tokens: 2 }).slice(0, -9)],
      { tokens: 1, model: 'claude-opus-5-5' },
    ],
    ['is null right after a compaction', [answer({ input_tokens: 9 }), COMPACTED, '{"type":"user"}'], null],
    [
      'is from the first answer after a compaction',
      [answer({ input_tokens: 9 }), COMPACTED, answer({ input_tokens: 2 })],
      { tokens: 2, model: 'claude-opus-5-5' },
    ],
    [
      'ignores a prompt that mentions a compaction',
      [answer({ input_tokens: 9 }), JSON.stringify({ type: 'user', said: 'what is a "compact_boundary"?' })],
      { tokens: 9, model: 'claude-opus-5-5' },
    ],
    ['ignores figures that are not numbers', [answer({ input_tokens: 'many' })], null],
  ])('%s', (_, lines, expected) => expect(readLastUsage(lines.join('\n'))).toEqual(expected));
});

describe('windowOf', () => {
  it.each<[string, number | null]>([
    ['claude-opus-5-5', 1_000_000],
    ['claude-sonnet-5', 1_000_000],
    ['claude-haiku-5-5', 1_000_000],
    ['claude-fable-5-1', 1_000_000],
    ['claude-opus-4-8', 1_000_000],
    ['claude-opus-4-6', 200_000],
    ['claude-sonnet-4-6', 200_000],
    ['claude-sonnet-4-6[1m]', 1_000_000],
    ['claude-haiku-4-5-20251001', 200_000],
    ['claude-opus-4-20250514', 200_000],
    ['claude-3-5-haiku-20241022', 200_000],
    ['gpt-5', null],
    ['<synthetic>', null],
    ['claude-later-9', null],
  ])('%s', (model, tokens) => expect(windowSizeOf(model)).toBe(tokens));
});
