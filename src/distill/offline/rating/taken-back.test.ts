import { expect, test } from 'vitest';
import { read, turnOf } from '../../../../test/support/made-up-turn.ts';
import { collectCandidates } from './collect.ts';
import { rateAll } from './measure.ts';
import { createTakenBackTest } from './taken-back.ts';

/** The sentences that are taken back in a turn in which one thing is said before a call, and another after it. */
function findTakenBack(before: string, closingWords: string, reports: string[] = []): string[] {
  const turn = turnOf({
    said: [{ text: before, place: 0 }],
    calls: [read('app.log')],
    reports,
    closingWords,
  });
  const rated = rateAll(collectCandidates(turn, []), {
    failedPlaces: new Set(),
    questionWords: new Set(),
    requestWords: new Set(),
    requestSubject: new Set(),
    doneNames: new Set(),
    isAnswer: false,
    isCut: false,
    earlierWords: '',
  });
  return rated.filter(createTakenBackTest(rated)).map(({ text }) => text);
}

test.each([
  ['en', 'My first hypothesis is the DNS resolver.', 'The resolver is out: every lookup took 2 ms.'],
  [
    'en',
    'The slow disk is the likely cause.',
    'Not the disks. That kills the disk theory: slow queries hit the cache.',
  ],
  ['pt', 'A hipótese é fragmentação do índice.', 'Não é fragmentação: o índice tem 3 % de folga.'],
  ['pt', 'Minha suspeita é o motor novo (SBE).', 'Nada mudou, então o SBE não é o culpado.'],
  ['es', 'Mi hipótesis es la compresión.', 'No es la compresión: sin ella tarda lo mismo.'],
  [
    'de',
    'Vermutlich liegt es an der Komprimierung.',
    'Die Komprimierung ist nicht die Ursache: 900 ms auch ohne sie.',
  ],
  ['ja', '仮説は圧縮設定の影響です。', '圧縮設定は原因ではなく、無効でも同じです。'],
])('a hypothesis that is refuted in its turn (%s): %s ← %s', (_language, guess, verdict) => {
  expect(findTakenBack(guess, verdict)).toEqual([guess]);
  expect(findTakenBack(guess, 'The timeout is 5 s.')).toEqual([]);
});

test('what is no guess stays', () => {
  expect(findTakenBack('The resolver has a timeout of 5 s.', 'The resolver is out: 2 ms.')).toEqual([]);
});

test('what a subagent reported and the agent discards', () => {
  const report = [
    '- The SPF record is missing, so every mail is rejected.',
    '- The queue has no limit.',
  ].join('\n');
  expect(
    findTakenBack('Asking for a review.', 'The queue is real.\n\nRuled out: the SPF record.', [report]),
  ).toEqual(['The SPF record is missing, so every mail is rejected.']);
});

test.each([
  'Ruled out: the 8 KiB buffer.',
  'All 60 long lines arrive, so the 8 KiB buffer is innocent and the subagent was wrong on that point.',
])('what a subagent recommends for a finding that the agent discards: %s', (verdict) => {
  const report =
    '1. The buffer cuts lines longer than 8 KiB. Raise the capacity to 1 MiB.\n2. The queue has no limit.';
  expect(findTakenBack('Asking for a review.', `The queue is real.\n\n${verdict}`, [report])).toEqual([
    'The buffer cuts lines longer than 8 KiB.',
    'Raise the capacity to 1 MiB.',
  ]);
});

test('a verdict on a report takes back what the sentence before it names', () => {
  const report =
    '- `len + HEADER` can overflow for hostile lengths.\n- `set_len` exposes uninitialised memory.';
  const closing =
    "The reviewer also reported an overflow in `len + HEADER`. I don't share that: `len` is a u16. `set_len` is real.";
  expect(findTakenBack('I look at both.', closing, [report])).toEqual([
    'len + HEADER can overflow for hostile lengths.',
  ]);
});

test('a cause in a report, where the agent denies it and names another', () => {
  const report = 'The leak is caused by listeners of EventBus that are never released.';
  const closing =
    'Listeners of EventBus are not kept: they are weak references. The leak comes from TileCache, because it holds the activity.';
  expect(findTakenBack('I check the report.', closing, [report])).toEqual([report]);
});
