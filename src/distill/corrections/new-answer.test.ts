import { expect, test } from 'vitest';
import { edited, turnOf } from '../../../test/support/made-up-turn.ts';
import { readEarlierStatement } from './contradict.ts';
import { isSuperseded, readNewAnswer } from './new-answer.ts';

const ANSWER =
  'The timeouts come from the connection pool, because HikariCP allows 50. The pods run on three nodes. Raising the limit to 80 should help.';
const [CAUSE = '', FACT = '', ADVICE = ''] = ANSWER.split(/(?<=\.) /);
const OTHER = 'The timeouts come from the certificate reload, which blocks the request thread for 9 s.';

function takenBack(prompt: string, closingWords: string, calls: Parameters<typeof turnOf>[0]['calls'] = []) {
  const answer = readNewAnswer(turnOf({ prompt, closingWords, calls }), ANSWER, false);
  return [CAUSE, FACT, ADVICE].filter(
    (text) => answer !== null && isSuperseded(readEarlierStatement(text), answer),
  );
}

test.each([
  ['tells something that does not fit', 'the connection pool was never above 4'],
  ['doubts it', 'are you sure?'],
  ['doubts it with a reason', 'really? hikaricp has 200 there'],
  ['shows output', 'pool.active max\n14:00 4\n14:05 4'],
])('the person %s and the agent names another cause', (_name, prompt) => {
  expect(takenBack(prompt, OTHER)).toEqual([CAUSE, ADVICE]);
});

test('what the agent says again stays', () => {
  const words = `I measured again: the timeouts come from the connection pool, since HikariCP allows 50. ${OTHER}`;
  expect(takenBack('are you sure?', words)).not.toContain(CAUSE);
});

test.each([
  ['asks something else', 'and why is the login slow?'],
  ['tells several things', 'the pool is fine. the logs are in loki. use the staging cluster for this.'],
])('nothing is taken back if the person %s', (_name, prompt) => {
  expect(takenBack(prompt, OTHER)).toEqual([]);
});

test('nothing is taken back if the agent carries out an order', () => {
  expect(takenBack('fix the connection pool', OTHER, [edited('pool.yaml', 'max: 50', 'max: 80')])).toEqual(
    [],
  );
});

test.each([
  [
    'ja',
    '通知が二重に届くのは、ワーカーが2台あるためです。',
    'ワーカーは1台だけだよ',
    '原因は再送の設定でした。',
  ],
  [
    'ru',
    'Бэкап падает, потому что на диске нет места.',
    'место на диске есть',
    'Он падает из-за таймаута роли.',
  ],
  [
    'nl',
    'De export mist regels omdat LIMIT te laag staat.',
    'die limit is er vorige week uit gehaald',
    'Klopt, dat komt door de join.',
  ],
])('in other languages: %s', (_language, said, prompt, closingWords) => {
  const answer = readNewAnswer(turnOf({ prompt, closingWords }), said, false);
  expect(answer !== null && isSuperseded(readEarlierStatement(said), answer)).toBe(true);
});
