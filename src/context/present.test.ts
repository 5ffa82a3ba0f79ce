import { expect, test } from 'vitest';
import type { NumberedPrompt } from '../store/types/history.ts';
import type { StoredMemory } from '../store/types/memory.ts';
import type { SessionDigest } from '../store/types/session.ts';
import { entryLine, entryOfMemory, entryOfPrompt } from './present-entry.ts';
import { formatMemory, formatPrompt, formatSession } from './present-record.ts';
import { formatTimeline } from './present-timeline.ts';

const AT = new Date(2026, 10, 10, 14, 3).getTime();
const DAY = 86_400_000;

test.each([
  {
    name: 'a memory',
    line: entryLine(entryOfMemory(memory())),
    says: '#12 gotcha 2026-11-10 14:03 · The cache key lacks the locale · 40 tokens',
  },
  {
    name: 'a memory with marks, reasons and its project',
    line: entryLine(
      entryOfMemory(memory({ supersededBy: 15, pinnedAt: 1 }), {
        marks: ['src/a.ts has changed since'],
        reasons: ['title says cache', '2 days old'],
      }),
      { withProject: true },
    ),
    says: '#12 gotcha 2026-11-10 14:03 · The cache key lacks the locale · 40 tokens · orchard · replaced by #15 · pinned · src/a.ts has changed since · (title says cache, 2 days old)',
  },
  {
    name: 'a summary, which has no type',
    line: entryLine(entryOfMemory(memory({ kind: 'summary', type: null }))),
    says: '#12 summary 2026-11-10 14:03 · The cache key lacks the locale · 40 tokens',
  },
  {
    name: 'a prompt, shortened to one line',
    line: entryLine(entryOfPrompt(prompt({ text: 'fix\n\nthe   prices' }))),
    says: 'p34 prompt 2026-11-10 14:03 · fix the prices · 4 tokens',
  },
])('formats a line for $name', ({ line, says }) => expect(line).toBe(says));

test('formats a timeline by day, and marks the requested entry', () => {
  const entries = [
    entryOfPrompt(prompt()),
    entryOfMemory(memory()),
    entryOfMemory(memory({ id: 13, at: AT + DAY })),
  ];
  expect(formatTimeline(entries, { at: '#12' })).toBe(
    [
      '2026-11-10',
      '  p34 prompt 14:03 · fix the prices · 3 tokens',
      '> #12 gotcha 14:03 · The cache key lacks the locale · 40 tokens',
      '2026-11-11',
      '  #13 gotcha 14:03 · The cache key lacks the locale · 40 tokens',
    ].join('\n'),
  );
});

test('formats a memory with all its fields', () => {
  const whole = memory({
    subtitle: 'In the shop',
    narrative: 'Prices were mixed.',
    facts: ['one', 'two'],
    concepts: ['cache', 'i18n'],
    filesModified: ['src/a.ts'],
    filesRead: ['src/b.ts'],
    strength: 3,
    saidBy: 'person',
    pinnedAt: 1,
  });
  expect(formatMemory(whole, ['src/a.ts has changed since'])).toBe(
    [
      '#12 gotcha: The cache key lacks the locale',
      '2026-11-10 14:03 · orchard · branch main · commit 0123456789 · session s5 · said by person · met 3 times · pinned',
      '! src/a.ts has changed since',
      'In the shop',
      'Prices were mixed.',
      '- one',
      '- two',
      'files changed: src/a.ts',
      'files read: src/b.ts',
      'about: cache, i18n',
    ].join('\n'),
  );
});

test('formats a summary with its non-empty parts', () => {
  const empty = { investigated: '', learned: '', completed: '', notes: '', filesRead: [], filesModified: [] };
  const parts = { ...empty, request: 'fix it', nextSteps: 'write a test' };
  expect(formatMemory(memory({ kind: 'summary', type: null, parts, scope: 'global' })).split('\n')).toEqual([
    '#12 summary: The cache key lacks the locale',
    '2026-11-10 14:03 · every project · branch main · commit 0123456789 · session s5',
    'request: fix it',
    'next steps: write a test',
  ]);
});

test.each([
  { name: 'as it was typed', changes: {}, says: 'fix the prices' },
  { name: 'without the text if it is private', changes: { isPrivate: true, text: '' }, says: '(private)' },
  {
    name: 'only the beginning if it is very long',
    changes: { text: 'x'.repeat(9_000) },
    says: `${'x'.repeat(6_000)}\n… (9000 characters in all)`,
  },
])('formats a prompt: $name', ({ changes, says }) =>
  expect(formatPrompt(prompt(changes))).toBe(
    `p34 prompt, 2026-11-10 14:03 · orchard · branch main · session s5\n${says}`,
  ),
);

test('formats a session with its prompts and memories', () => {
  expect(formatSession(session(), [entryOfPrompt(prompt()), entryOfMemory(memory())])).toBe(
    [
      's5 session, 2026-11-10 14:03 · orchard · branch main · claude-code · opus, 2 prompts',
      'files changed: src/a.ts',
      'ended with: Done.',
      'p34 prompt 2026-11-10 14:03 · fix the prices · 3 tokens',
      '#12 gotcha 2026-11-10 14:03 · The cache key lacks the locale · 40 tokens',
    ].join('\n'),
  );
});

function memory(more: Partial<StoredMemory> = {}): StoredMemory {
  return {
    ...{ id: 12, kind: 'observation', type: 'gotcha', title: 'The cache key lacks the locale', subtitle: '' },
    ...{ narrative: '', facts: [], concepts: [], parts: null, tokens: 40, strength: 1, supersededBy: null },
    ...{ turnId: 1, sessionId: 5, project: 'orchard', prompt: 1, branch: 'main', commit: '0123456789abcdef' },
    ...{ distiller: 'offline', at: AT, filesRead: [], filesModified: [], pins: [], projectId: 1 },
    ...{ scope: 'project', saidBy: 'distiller', aliases: [], pinnedAt: null, editedAt: null },
    ...{ mergedAt: null, origin: null, author: null },
    ...more,
  } as StoredMemory;
}

function prompt(more: Partial<NumberedPrompt> = {}): NumberedPrompt {
  return {
    ...{ id: 34, number: 1, at: AT, text: 'fix the prices', origin: 'person', isPrivate: false },
    ...{ sessionId: 5, project: 'orchard', projectId: 1, branch: 'main' },
    ...more,
  } as NumberedPrompt;
}

function session(): SessionDigest {
  return {
    ...{ id: 5, agent: 'claude-code', agentSession: 'x', project: 'orchard', projectId: 1, worktree: null },
    ...{ branch: 'main', model: 'opus', startSource: null, endReason: null, firstSeen: AT, lastSeen: AT },
    ...{ endedAt: null, prompts: 2, events: 3, firstPrompt: 'a', lastPrompt: 'b', closingWords: 'Done.' },
    changedFiles: ['src/a.ts'],
  };
}
