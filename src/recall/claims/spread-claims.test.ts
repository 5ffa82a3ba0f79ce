import { expect, test } from 'vitest';
import type { RatedClaim } from './likelihood.ts';
import { spreadClaims } from './spread-claims.ts';

interface Example {
  says: string;
  worth: number;
  /** What each word of the prompt tells in it. */
  own: number[];
}

const rollback = { says: 'helm rollback restores revision 41', worth: 5, own: [0.9, 0] };
const password = { says: 'helm upgrade drops the password of redis', worth: 4.6, own: [0.9, 0] };
const grace = { says: 'pods drain for 45 seconds', worth: 4.2, own: [0, 0.8] };
const summary = { says: 'helm rollback restores revision 41, done on staging', worth: 4.9, own: [0.9, 0] };

test.each<[string, Example[], Example[]]>([
  [
    'other words of the prompt come before the same word again',
    [rollback, password, grace],
    [rollback, grace, password],
  ],
  ['nearly the same is left out', [rollback, summary, password], [rollback, password]],
  [
    'a claim that is far better stays first',
    [{ ...rollback, worth: 9 }, { ...password, worth: 8 }, grace],
    [{ ...rollback, worth: 9 }, { ...password, worth: 8 }, grace],
  ],
  [
    'no more than wanted',
    [rollback, password, grace, { ...grace, says: 'nginx waits 15 s' }],
    [rollback, grace, password],
  ],
  ['nothing', [], []],
])('%s', (_, examples, expected) => {
  const chosen = spreadClaims(examples.map(toRated), 3);
  expect(chosen.map(({ match }) => match.doc.words)).toEqual(expected.map(({ says }) => says));
});

test('what a claim is worth falls with each place', () => {
  const worths = spreadClaims([rollback, password, grace].map(toRated), 3).map(({ worth }) => worth);
  expect(worths).toEqual([5, 4.2, expect.closeTo(3.7)]);
});

function toRated({ says, worth, own }: Example, index: number): RatedClaim {
  const none = own.map(() => 0);
  return {
    worth,
    match: {
      doc: { memoryId: index + 1, sessionId: 1, position: 1, type: 'gotcha', words: says, request: '' },
      tokens: says.split(/\W+/),
      headerTokens: [],
      ...{ own, header: none, request: none, siblings: none, session: none, related: none },
    },
    signals: {
      ...{ own: 0, header: 0, request: 0, siblings: 0, session: 0, related: 0, named: 0, words: 0 },
      ...{ ownRoot: 0, headerRoot: 0, requestRoot: 0, relatedRoot: 0, length: 0, cause: 0, rule: 0 },
      ...{ leave: 0, trouble: 0, preference: 0, gotcha: 0, decision: 0, summary: 0, change: 0 },
      amount: 0,
    },
  };
}
