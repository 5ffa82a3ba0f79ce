import { describe, expect, test } from 'vitest';
import {
  edited,
  failed,
  type MadeUpCall,
  ran,
  turnOf,
  wrote,
} from '../../../../test/support/made-up-turn.ts';
import type { ObservationType } from '../../../model/memory.ts';
import { distillOffline } from '../distill.ts';

const typesOf = (parts: Parameters<typeof turnOf>[0]) =>
  distillOffline(turnOf(parts))
    .observations.map(({ type, title }) => `${type}: ${title}`)
    .sort();

describe('what an edit was for', () => {
  const small = edited('src/cart.ts', 'a - 1', 'a');
  const newTest = edited('test/cart.test.ts', '', 'test("cart")');
  const lines = Array.from({ length: 12 }, (_, index) => `step${index}()`).join('\n');
  const done = 'I changed `total()` in `src/cart.ts`.';

  test.each<[string, string, MadeUpCall[], string, ObservationType]>([
    ['the commit says it', 'go on', [small, ran('git commit -m "fix: round cents"')], done, 'bugfix'],
    [
      'a test was red before',
      'total is one too low',
      [failed('npm test'), small, ran('npm test')],
      done,
      'bugfix',
    ],
    [
      'a new test was red until a small change, and a cause was found',
      'Support says that one order in fifty gets no mail',
      [newTest, failed('npm test'), small, ran('npm test')],
      'The mail was lost because `total()` in `src/cart.ts` rounded wrongly.',
      'bugfix',
    ],
    ['told to add', 'add a discount to the cart', [small], done, 'feature'],
    [
      'what the person names is new',
      'tides needs an option --since',
      [edited('src/cart.ts', 'a\nb\nc\nd', `since()\n${lines}`)],
      done,
      'feature',
    ],
    ['much was added', 'the cart shall know steps', [edited('src/cart.ts', '', lines)], done, 'feature'],
    ['a source was created', 'the cart shall know steps', [wrote('src/steps.ts', lines)], done, 'feature'],
    [
      'told to refactor',
      'move total into its own file',
      [wrote('src/total.ts', lines), small],
      done,
      'refactor',
    ],
    ['only docs', 'the readme is wrong', [edited('README.md', 'a', 'b')], 'I changed `README.md`.', 'change'],
    ['nothing else is known', 'make it 45', [edited('src/cart.ts', '30', '45')], done, 'change'],
  ])('%s', (_name, prompt, calls, closingWords, expected) => {
    const { observations } = distillOffline(turnOf({ prompt, calls, closingWords }));
    expect(observations.map(({ type }) => type)).toEqual([expected]);
  });
});

describe('what is said beside the work', () => {
  const calls = [edited('src/queue.ts', 'false', 'true')];
  const work = 'Set `afterCommit` in `src/queue.ts`.';

  test.each([
    [
      'a consequence',
      'One consequence you should know: a job now gives up after 2 minutes, and nothing reads `labels_dlq`.',
      'gotcha: A job now gives up after 2 minutes, and nothing reads labels_dlq',
    ],
    [
      'a limit found on the way',
      'The replica cancels statements after 15 s, and the report of tenant 17 takes 11 s.',
      'gotcha: The replica cancels statements after 15 s, and the report of tenant 17 takes 11 s',
    ],
    [
      'a choice of the agent',
      'I kept the old index rather than a partial one, because Postgres 11 has none for arrays.',
      'decision: Kept the old index rather than a partial one, because Postgres 11 has none for arrays',
    ],
    [
      'a measurement, which is no choice',
      'The tests take 1.9 instead of 41 seconds, because no `Simulator` is started.',
      'discovery: The tests take 1.9 instead of 41 seconds, because no Simulator is started',
    ],
  ])('%s is apart', (_name, beside, expected) => {
    expect(typesOf({ prompt: 'adjust the queue', calls, closingWords: `${work}\n\n${beside}` })).toEqual(
      [expected, 'change: Set afterCommit in src/queue.ts'].sort(),
    );
  });

  test('a bugfix tells its story from the symptom to the cure', () => {
    const closingWords =
      'The mail job looked for an order that no other connection can see yet. `place()` dispatches it inside the transaction, so the worker is quicker than the commit. I set `afterCommit` in `src/queue.ts`.';
    const [bugfix, ...others] = distillOffline(
      turnOf({ prompt: 'fix the lost mails', calls, closingWords }),
    ).observations;
    expect({ type: bugfix?.type, facts: bugfix?.facts.length, others }).toEqual({
      type: 'bugfix',
      facts: 2,
      others: [],
    });
  });
});

test.each([
  ['what the person picks', 'two copies then, sequence number. not the log, it is too much code', 'decision'],
  ['a rule, with the same word', 'in this repo always two copies then, never the log', 'preference'],
])('%s', (_name, prompt, expected) => {
  const earlierWords = 'Either two trailer copies or a small log. Both survive a power cut. Which one?';
  const { observations } = distillOffline(turnOf({ prompt, earlierWords }));
  expect(observations.map(({ type }) => type)).toEqual([expected]);
});

test('in a turn that was stopped, what the agent said of its edit tells the work', () => {
  const text = '`terminationGracePeriodSeconds` in `values.yaml` is now 45 s, preStop counts as well.';
  const calls = [edited('values.yaml', 'Seconds: 30', 'Seconds: 45'), ran('helm lint')];
  const parts = { prompt: 'adjust the deadline', calls, said: [{ text, place: 1 }] };
  expect(typesOf({ ...parts, closingWords: '' })).toEqual([
    'change: terminationGracePeriodSeconds in values.yaml is now 45 s, preStop counts as well',
  ]);
});

describe('what is said without an edit', () => {
  test.each([
    [
      'what always holds, when asked',
      'how are jobs retried?',
      'A job is only retried by `retry()`.',
      'how-it-works',
    ],
    [
      'an objection, when asked',
      'can we use mmap?',
      '`mmap` would work, but the tables need 40 GB here.',
      'discovery',
    ],
    ['a finding', 'check the limiter', 'The limiter must not trust `X-Forwarded-For`.', 'discovery'],
  ])('%s', (_name, prompt, closingWords, expected) => {
    const { observations } = distillOffline(
      turnOf({ prompt, calls: [ran('rg retry', 'src/a.ts')], closingWords }),
    );
    expect(observations.map(({ type }) => type)).toEqual([expected]);
  });
});
