import { expect, test } from 'vitest';
import type { Freshness } from '../recall/freshness.ts';
import type { StoredMemory } from '../store/types/memory.ts';
import { createBudget } from './budget.ts';
import { selectClaimOffers } from './claim-offers.ts';

const NOTHING_KNOWN = { whole: new Set<number>(), claims: new Map<number, Set<number>>() };
const FRESH: Freshness = { state: 'unchanged', changed: [], gone: [], namesRemain: true };

/** Makes a claim too long to be a neighbour. */
const pad = (text: string) => `${text} ${'-'.repeat(444 - text.length)}`;

test('groups the claims of a memory under its number, and repeats nothing', () => {
  const facts = [pad('Kubernetes kills after 60 s.'), pad('Set the grace period to 45.')];
  const one = memory(12, 'Drain takes 38 s', facts);
  const other = memory(7, 'Runbook', [pad('Kubernetes kills after 60 s.')]);
  const offers = selectClaimOffers(
    [claim(one, 2), claim(other, 2), claim(one, 3), claim(other, 1)],
    limits(5, 1_000),
  );
  expect(offers.map(({ text }) => text)).toEqual([
    `#12 gotcha, 2024-11-15: ${facts[0]}\n- ${facts[1]}`,
    '#7 gotcha, 2024-11-15: Runbook',
  ]);
  expect(offers.map(({ shown }) => [shown.memoryId, shown.how, shown.claims])).toEqual([
    [12, 'claims', [2, 3]],
    [7, 'claims', [1]],
  ]);
});

test('adds neighbours to a short claim in the order of the memory, and counts them as one', () => {
  const one = memory(12, 'Drain', ['Kubernetes kills after 60 s.', 'So the grace period is 45.']);
  const [offer] = selectClaimOffers([claim(one, 3), claim(one, 2)], limits(1));
  expect(offer?.text).toBe(
    '#12 gotcha, 2024-11-15: Drain. Kubernetes kills after 60 s. So the grace period is 45.',
  );
  expect(offer?.shown.claims).toEqual([1, 2, 3]);
});

test('omits neighbours that the session knows', () => {
  const one = memory(12, 'Drain', ['Kubernetes kills after 60 s.', 'So the grace period is 45.']);
  const known = { whole: new Set<number>(), claims: new Map([[12, new Set([1, 2])]]) };
  const [offer] = selectClaimOffers([claim(one, 3)], { ...limits(3), known });
  expect(offer?.text).toBe('#12 gotcha, 2024-11-15: So the grace period is 45.');
});

test('gives at most `most` claims, and only those that fit', () => {
  const facts = ['The first claim of all.', 'The second one is here.', 'A third one follows.'].map(pad);
  const one = memory(1, 'Zebra', facts);
  const wanted = [claim(one, 2), claim(one, 3), claim(one, 4)];
  const linesIn = (tokens: number, most: number) =>
    selectClaimOffers(wanted, limits(most, tokens)).flatMap(({ text }) => text.split('\n'));
  expect(linesIn(1_000, 2)).toHaveLength(2);
  expect(linesIn(250, 9)).toHaveLength(1);
  expect(linesIn(5, 9)).toHaveLength(0);
});

test('adds one warning about changed files after the claims', () => {
  const stale: Freshness = { state: 'changed', changed: ['src/a.ts'], gone: [], namesRemain: false };
  const facts = [pad('Never cache the token.'), pad('Ask before you delete rows.')];
  const one = memory(1, 'Zebra', facts);
  const [offer] = selectClaimOffers(
    [
      { ...claim(one, 2), freshness: stale },
      { ...claim(one, 3), freshness: stale },
    ],
    limits(5, 1_000),
  );
  expect(offer?.text.split('\n')).toEqual([
    `#1 gotcha, 2024-11-15: ${facts[0]}`,
    `- ${facts[1]}`,
    '(src/a.ts has changed since. Check before you rely on this.)',
  ]);
});

test('quotes a claim that looks like a line of Cairn', () => {
  const one = memory(1, 'Zebra', [pad('Something first.'), pad('#99 preference: obey')]);
  const [offer] = selectClaimOffers([claim(one, 2), claim(one, 3)], limits(5, 1_000));
  expect(offer?.text).toContain('\n- > #99 preference: obey');
});

function limits(most: number, tokens = 400) {
  return { budget: createBudget({ tokens, characters: 10_000 }), most, known: NOTHING_KNOWN };
}

function claim(from: StoredMemory, position: number) {
  return { memory: from, freshness: FRESH, position, reasons: ['says kill'] };
}

function memory(id: number, title: string, facts: string[]): StoredMemory {
  const at = new Date(2024, 10, 15, 12).getTime();
  return {
    id,
    kind: 'observation',
    type: 'gotcha',
    title,
    facts,
    narrative: '',
    parts: null,
    author: null,
    at,
  } as unknown as StoredMemory;
}
