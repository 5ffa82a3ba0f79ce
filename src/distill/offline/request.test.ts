import { expect, test } from 'vitest';
import { turnOf } from '../../../test/support/made-up-turn.ts';
import { readRequest } from './request.ts';

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
  ['explain', 'Wofür ist eigentlich UPLOAD_TIMEOUT?'],
  ['explain', 'would alpine break anything?'],
  ['explain', 'that is odd. are you sure?'],
  ['none', 'make it a power of two'],
  ['investigate', 'check every listener in src/listeners'],
  ['none', 'never edit generated files by hand'],
  ['none', 'ok'],
])('intent %s: %s', (intent, prompt) => {
  expect(readRequest(turnOf({ prompt })).intent).toBe(intent);
});

test.each([
  ['the verb first', 'split the manager', true],
  ['動詞は最後', 'SyncManager が太ってきたので分割してほしい。', true],
  ['only a word of it', 'the split of the manager looks odd', false],
])('told to do it: %s', (_name, prompt, expected) => {
  const { intent, isImperative } = readRequest(turnOf({ prompt }));
  expect({ intent, isImperative }).toEqual({ intent: 'refactor', isImperative: expected });
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
  [
    'what a bare offer was about',
    'yes please',
    'The export has the same fault. I left it alone. Want me to do that one too?',
    'yes please (The export has the same fault.)',
  ],
  [
    'the option that was picked',
    'B please',
    'Two ways:\n\n- A. a default value\n- B. a backfill\n\nWhich one?',
    'B please (a backfill)',
  ],
  [
    'nothing, when “it” is named',
    'create a branch and push it',
    'Shall I go on?',
    'create a branch and push it',
  ],
  ['nothing, when it stands for itself', 'rename sum to total', 'Shall I go on?', 'rename sum to total'],
])('a short prompt refers to %s', (_name, prompt, earlierWords, asked) => {
  expect(readRequest(turnOf({ prompt, earlierWords })).asked).toBe(asked);
});

test('a machine prompt is not the person’s words; the work is for what was asked before', () => {
  const turn = turnOf({
    prompt: '<task-notification>never use npm</task-notification>',
    promptOrigin: 'machine',
    earlierPrompts: ['run the checks in the background'],
  });
  expect(readRequest(turn)).toEqual({
    own: [],
    asked: 'run the checks in the background',
    intent: 'none',
    isImperative: false,
    isEmpty: false,
  });
});

test.each([
  ['a greeting', 'hey! which port is it?', 'which port is it?'],
  ['a sigh', 'hmm, that is slow', 'that is slow'],
  [
    'frames of a stack trace',
    'it crashes\n\n#0 0x0055 in push (v=3) at ring.cpp:1\n#1 main () at main.cpp:9',
    'it crashes',
  ],
])('what was asked is told without %s', (_name, prompt, asked) => {
  expect(readRequest(turnOf({ prompt })).asked).toBe(asked);
});
