import { expect, it } from 'vitest';
import { describeNothing } from './present-nothing.ts';

const rest = {
  ...{ now: 0, where: ' in this project', unit: (limit: number) => `limit: ${limit}` },
  ...{ weaker: [], tryElse: 'Try other words.' },
};
const entry = { id: '#1', type: 'note', at: 0, title: 'A timeout', tokens: 1, project: null };
const weaker = [{ entry: { ...entry, matches: [[2, 9] as [number, number]], marks: [], reasons: [] } }];

it.each([
  { text: 'kubernetes', says: 'Nothing about "kubernetes" in this project. Try other words.' },
  {
    text: '"start of transaction"',
    says: 'Nothing about "start of transaction" in this project. Try other words.',
  },
  {
    text: 'commit "in flight"',
    says: 'Nothing about commit "in flight" in this project. Try other words.',
  },
  {
    text: 'the a of',
    says: 'Nothing about "the a of": it has only very common words. Add a word that tells what you look for.',
  },
])('$text', ({ text, says }) => expect(describeNothing({ ...rest, text })).toBe(says));

it('names the nearest words, and how to see the weaker hits', () => {
  expect(describeNothing({ ...rest, text: 'ingress timeouts', weaker })).toBe(
    'Nothing about "ingress timeouts" in this project. Nearest: timeout. 1 weaker hit is hidden. To see it, add limit: 1',
  );
});
