import { expect, test } from 'vitest';
import { turnOf } from './made-up-turn.ts';
import { requestOf } from './request.ts';

test.each([
  ['fix', 'the march test is red, can you find out why?'],
  ['fix', 'cargo build is broken'],
  ['fix', 'getUser returns null on the second call'],
  ['fix', 'Der Import bricht ab, behebe den Fehler'],
  ['fix', '絵文字が文字化けします。直してください。'],
  ['fix', '登录失败,请修复'],
  ['add', 'add a rate limit to the endpoint'],
  ['add', 'please write a contributing guide'],
  ['add', 'can you implement retries when the request fails?'],
  ['refactor', 'rename getUser to findUser'],
  ['refactor', 'introduce one money value and use it everywhere, behaviour must stay the same'],
  ['explain', 'what happens when a worker crashes?'],
  ['explain', 'how do errors get to the client?'],
  ['investigate', 'check every listener in src/listeners'],
  ['none', 'never edit generated files by hand'],
  ['none', 'ok'],
])('intent %s: %s', (intent, prompt) => {
  expect(requestOf(turnOf({ prompt })).intent).toBe(intent);
});

test.each([
  [
    'an offer',
    'yes, do it',
    'Want me to add a metric for evictions?',
    'yes, do it (Add a metric for evictions.)',
  ],
  [
    'a bare question with its plan',
    'ok, fix it',
    'Shall I fix it? I would keep the last version per stream.',
    'ok, fix it (I would keep the last version per stream.)',
  ],
  ['nothing, when it stands for itself', 'rename sum to total', 'Shall I go on?', 'rename sum to total'],
])('a short prompt refers to %s', (_name, prompt, earlierWords, asked) => {
  expect(requestOf(turnOf({ prompt, earlierWords })).asked).toBe(asked);
});

test('a machine prompt is not the person’s words; the work is for what was asked before', () => {
  const turn = turnOf({
    prompt: '<task-notification>never use npm</task-notification>',
    promptOrigin: 'machine',
    earlierPrompts: ['run the checks in the background'],
  });
  expect(requestOf(turn)).toEqual({
    own: [],
    asked: 'run the checks in the background',
    intent: 'none',
    isEmpty: false,
  });
});
