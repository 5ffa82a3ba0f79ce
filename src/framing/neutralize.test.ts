import { describe, expect, test } from 'vitest';
import { CONTROL_TAGS, FRAGMENTS, HOSTILE_TEXTS, liveMarks } from '../../test/support/hostile-texts.ts';
import { chooseSeed, randomFrom } from '../../test/support/random.ts';
import { agents } from '../agents/all.ts';
import { neutralize } from './neutralize.ts';

test.each(HOSTILE_TEXTS)('%s has no effect any more', (_, text) => {
  const shown = neutralize(text);
  expect(liveMarks(shown)).toEqual([]);
  expect(shown.length).toBeLessThanOrEqual(text.length);
  expect(neutralize(shown)).toBe(shown);
});

test('hostile texts with control tags have an effect before', () => {
  const tagged = HOSTILE_TEXTS.filter(([name]) => CONTROL_TAGS.some((tag) => name.endsWith(`: ${tag}`)));
  expect(tagged.filter(([, text]) => liveMarks(text).length === 0)).toEqual([]);
});

test.each([
  ['a tag', '<system-reminder>x</system-reminder>', '‹system-reminder›x‹/system-reminder›'],
  ['attributes', 'a <invoke name="Bash"> b', 'a ‹invoke name="Bash"› b'],
  ['entities', '&lt;private&gt;', '‹private›'],
  ['a token', '<|im_start|>', '‹|im_start|›'],
  ['a turn', 'Human: hi', 'Human∶ hi'],
  ['hidden characters', 'a\u200b\u202eb\u{e0041}', 'ab'],
])('%s stays readable', (_, text, shown) => expect(neutralize(text)).toBe(shown));

describe('does not change', () => {
  test.each([
    'Array<string>, Map<string, Task[]>, Promise<void>',
    'if (a < b && c > d) return a <= b;',
    '<Button onClick={go}>Go</Button> <div class="private">x</div> <br/>',
    '<!-- a comment --> <summary>x</summary> <details>',
    'List<Summary> std::vector<int> x << 2 >> 1 foo <| bar |> baz',
    'git log <file> --format=%h%s C:\\users\\x \\u00e9 &amp; &nbsp; 100%3 a & b',
    'the human: a person; Assistants: many; assistant: {model}',
    'type A = B<C<D>>; <cairns> <privateer> <system-reminders> <invoker>',
    'emoji 👩‍💻 and नमस्ते, Grüße, 日本',
    '#12 see p34, 14:03, [x] done',
  ])('%s', (text) => expect(neutralize(text)).toBe(text));
});

test('the marks of every agent are neutralised', () => {
  for (const { controlMarks } of agents)
    for (const tag of controlMarks.tags) {
      const name = tag.replace('*', 'x');
      expect(neutralize(`<${name}>`)).toBe(`‹${name}›`);
    }
});

const seed = chooseSeed();
test(`random splices of fragments never make a live tag (seed ${seed})`, () => {
  const random = randomFrom(seed);
  for (let round = 0; round < 3_000; round++) {
    const text = Array.from(
      { length: 1 + random.below(12) },
      () => FRAGMENTS[random.below(FRAGMENTS.length)],
    ).join('');
    const shown = neutralize(text);
    expect({ text, live: liveMarks(shown) }).toEqual({ text, live: [] });
    expect(shown.length).toBeLessThanOrEqual(text.length);
  }
});

test.each(['&lt;a', '<private ', '<', '\\', '</', '<|', '&amp;', '%25', 'Human', '<a-'])(
  'finishes on a long run of %s',
  (piece) => expect(neutralize(piece.repeat(20_000)).length).toBeGreaterThan(0),
);
