import { expect, test } from 'vitest';
import { turnOf } from '../../../../test/support/made-up-turn.ts';
import { distillOffline } from '../distill.ts';
import { parseWeights, weighPromptKinds } from './kinds.ts';
import { listPromptSigns } from './signs.ts';

/** What is kept of a prompt that follows work of the agent. */
const typesOf = (prompt: string) =>
  distillOffline(turnOf({ prompt, earlierWords: 'I added the scheduler.' })).observations.map(
    ({ type }) => type,
  );

test.each([
  'never force push',
  'we use tabs in this repo',
  'stop adding emojis to commit messages',
  'always run make fmt before committing',
  'Anna must review every change in billing',
  'keep functions under 40 lines',
  'nutze bitte immer const statt let',
  'usa siempre pnpm, nunca npm',
  'テストは必ず書いてください',
])('a rule: %s', (prompt) => {
  expect(typesOf(prompt)).toEqual(['preference']);
});

test.each(['the vendor limits us to 4 requests per second', 'prod redis is 6.0 until july'])(
  'a lasting fact: %s',
  (prompt) => {
    expect(typesOf(prompt)).toHaveLength(1);
    expect(typesOf(prompt)).not.toContain('preference');
  },
);

test.each([
  'wait the total is wrong now, 3x 19.99 shows 59.97',
  'hm what if the token expires while we hold the lock',
  'revert that and try rayon',
  'dont commit yet',
  'skip the tests for now',
  'nope, still red',
  'the button is too small',
  'no wait, undo that',
  'ja genau, liegt an der schrift',
  'Alles klar, danke dir und schönes Wochenende',
  'add a dark mode toggle to the settings page',
])('over with the turn: %s', (prompt) => {
  expect(typesOf(prompt)).toEqual([]);
});

test('the shares of the kinds follow the weights of the signs', () => {
  const weights = parseWeights('# Learnt\nsays tabs\t2 0 0 0\nsays please\t0 0 0 2\n');
  const shares = weighPromptKinds(['says tabs', 'unknown'], weights);
  expect(shares.rule).toBeGreaterThan(0.6);
  expect(Object.values(shares).reduce((sum, share) => sum + share)).toBeCloseTo(1);
  expect(weighPromptKinds([], weights).rule).toBe(0.25);
});

test('signs are the words, their neighbours, the place and the form', () => {
  const sentence = {
    text: 'Tabs, not 4 spaces!',
    found: ['negation'],
    place: 0,
    of: 2,
    before: 'Which tabs?',
  };
  const signs = [...listPromptSigns(sentence)];
  for (const sign of [
    'says tabs',
    'says ^ tabs',
    'says not 0',
    'says spaces $',
    'has negation',
    'has a digit',
  ])
    expect(signs).toContain(sign);
  for (const sign of ['is first', 'follows a question', 'shares 1', 'has a comma', 'has an exclamation mark'])
    expect(signs).toContain(sign);
  expect([...listPromptSigns({ ...sentence, text: 'タブで' })]).toContain('says タブ');
});
