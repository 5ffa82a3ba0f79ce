import { expect, test } from 'vitest';
import { splitTopics } from './topics.ts';

test.each([
  [
    'why is the grace period 45 seconds? and where is the redis password stored now?',
    ['why is the grace period 45 seconds?', 'and where is the redis password stored now?'],
  ],
  [
    'does the soak test need a scanner and who calibrates the bench',
    ['does the soak test need a scanner', 'who calibrates the bench'],
  ],
  [
    'raise the drain timeout in JobPump\nrename the courier invoice table',
    ['raise the drain timeout in JobPump', 'rename the courier invoice table'],
  ],
  ['why is the grace period 45 seconds?', []],
  ['the redis login fails. please fix it.', []],
  [
    '猶予期間はなぜ45秒ですか。redisの認証はどこですか。',
    ['猶予期間はなぜ45秒ですか。', 'redisの認証はどこですか。'],
  ],
])('%j has the topics %j', (prompt, topics) => {
  expect(splitTopics(prompt)).toEqual(topics);
});
