import { expect, test } from 'vitest';
import { readSentences, splitSentences } from './sentences.ts';

test.each([
  ['two sentences', 'It works. The test passes.', ['It works.', 'The test passes.']],
  ['as people type', 'good. commit it. and push', ['good.', 'commit it.', 'and push']],
  ['a file name', 'See src/a.ts and b.js. Done.', ['See src/a.ts and b.js.', 'Done.']],
  ['an abbreviation', 'Use a map, e.g. a WeakMap. It frees.', ['Use a map, e.g. a WeakMap.', 'It frees.']],
  ['a full stop in code', 'Call `a. B()` twice. Then stop.', ['Call `a. B()` twice.', 'Then stop.']],
  ['a date', 'Am 29. März wird umgestellt. Gut.', ['Am 29. März wird umgestellt.', 'Gut.']],
  ['a version', 'It needs Node 20. Nothing else.', ['It needs Node 20.', 'Nothing else.']],
  ['a range of versions', 'It breaks with 2.x. Pin it.', ['It breaks with 2.x.', 'Pin it.']],
  ['Japanese', '直しました。テストは通ります！次は?', ['直しました。', 'テストは通ります！', '次は?']],
  ['Japanese before code', '切りました。`a()` を使います。', ['切りました。', '`a()` を使います。']],
  ['an unclosed code span', 'A ` stray mark. And more.', ['A ` stray mark.', 'And more.']],
  ['nothing', '   ', []],
])('splits %s', (_name, text, expected) => {
  expect(splitSentences(text)).toEqual(expected);
});

test('headings, labels, lists, tables and code blocks', () => {
  const text = `## What changed

Two parts were **renamed**.

\`\`\`ts
const hidden = 1;
\`\`\`

**Cause:** the \`cache\` was cold.

What's left:
- [ ] the docs
- see [the plan](https://example.org/plan)

Ruled out:
1. the network

| file | lines |
|---|---|
| src/a.ts | 12 |
| src/b.ts | ✅ |

| | before | after |
|---|---|---|
| Queries | 1,242 | 4 |

Found and fixed:
1. the cache was cold

**a.ts** — new
**b.ts** — smaller
`;
  const plain = { block: expect.any(Number), inList: false, code: [] };
  expect(readSentences(text)).toEqual([
    { ...plain, text: 'Two parts were renamed.', under: 'what changed' },
    { ...plain, text: 'The cache was cold.', under: 'cause', code: ['cache'] },
    { ...plain, text: 'the docs', under: 'to do', inList: true },
    { ...plain, text: 'see the plan', under: "what's left", inList: true },
    { ...plain, text: 'Ruled out: the network', under: 'ruled out', inList: true, item: 1 },
    { ...plain, text: 'src/a.ts: 12', under: 'what changed', inList: true },
    { ...plain, text: 'Queries: before 1,242, after 4', under: 'what changed', inList: true },
    { ...plain, text: 'the cache was cold', under: 'found and fixed', inList: true, item: 1 },
    { ...plain, text: 'a.ts — new', under: 'what changed' },
    { ...plain, text: 'b.ts — smaller', under: 'what changed' },
  ]);
});

test.each([
  ['a reminder', 'Fix it.<system-reminder>never say this</system-reminder>'],
  ['a reminder that never ends', 'Fix it.\n<system-reminder>never say this'],
  ['a notification', '<task-notification><id>7</id></task-notification>Fix it.'],
  ['an interruption', '[Request interrupted by user for tool use]\nFix it.'],
  ['a blob', `Fix it. ${'QUJD'.repeat(100)}`],
  ['a picture', '[Image #1] Fix it.'],
])('cuts %s', (_name, text) => {
  expect(readSentences(text).map((sentence) => sentence.text)).toEqual(['Fix it.']);
});
