import { expect, test } from 'vitest';
import { dropRepeats } from './drop-repeats.ts';
import type { RatedClaim } from './likelihood.ts';

const rollback = 'helm rollback restores revision 41';
const summary = 'helm rollback restores revision 41, done on staging';
const password = 'helm upgrade drops the password of redis';
const grace = 'pods drain for 45 seconds';

test.each<[string, string[], string[]]>([
  ['nearly the same is left out', [rollback, summary, password], [rollback, password]],
  ['the longer one stays if it is better', [summary, rollback, grace], [summary, grace]],
  ['no more than wanted', [rollback, password, grace, 'nginx waits 15 s'], [rollback, password, grace]],
  ['nothing', [], []],
])('%s', (_, claims, expected) => {
  const chosen = dropRepeats(claims.map(toRated), 3);
  expect(chosen.map(({ match }) => match.doc.words)).toEqual(expected);
});

function toRated(words: string, index: number): RatedClaim {
  const doc = { memoryId: index, sessionId: null, position: 1, type: 'discovery', words, request: '' };
  const none = { own: [], header: [], request: [], siblings: [], session: [], related: [] };
  const signals = {
    ...{
      own: 0,
      header: 0,
      around: 0,
      related: 0,
      words: 0,
      named: 0,
      length: 0,
      cause: 0,
      rule: 0,
      leave: 0,
    },
    ...{ trouble: 0, amount: 0, preference: 0, change: 0 },
  };
  return {
    match: { doc, tokens: words.split(/[ ,]+/), headerTokens: [], ...none },
    signals,
    worth: 10 - index,
  };
}
