import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Observation } from '../../model/memory.ts';
import type { KeptSentence } from '../offline/rating/rated-sentence.ts';
import { keepWeightySentences, LASTING_SCORE } from './keep-weighty-sentences.ts';

const CAUSE = '`read_line` is not cancellation safe, so a tick of the heartbeat drops half a barcode.';
const LIMIT = 'A line longer than 512 bytes ends the connection.';
const OFFLINE = {
  observations: [
    observation({
      title: '`read_line` is not cancellation safe',
      facts: [CAUSE, LIMIT],
      filesModified: ['a.rs'],
    }),
    observation({ type: 'gotcha', title: 'The soak test drives the real scanner' }),
  ],
  summary: null,
};

function judge(said: Partial<Observation>[], claims: [string, number][]) {
  const answer = { observations: said.map(observation), summary: null };
  const { observations } = keepWeightySentences(
    answer,
    OFFLINE,
    claims.map(([statement, score]) => ({ statement, score }) as KeptSentence),
  );
  return observations.slice(said.length);
}

test('a claim that the model left out comes back as the rules had stored it', () => {
  expect(judge([{ title: 'Scans are read with a codec' }], [[CAUSE, 5]])).toEqual([
    { ...OFFLINE.observations[0], facts: [CAUSE] },
  ]);
});

test('only the claim comes back, under a title of its own, where the rest was said', () => {
  const said = { title: 'read_line loses half a barcode: not cancellation safe with a heartbeat' };
  expect(
    judge(
      [said],
      [
        [CAUSE, 5],
        [LIMIT, 4],
      ],
    ),
  ).toEqual([
    {
      ...OFFLINE.observations[0],
      title: 'A line longer than 512 bytes ends the connection',
      facts: [LIMIT],
    },
  ]);
});

describe('nothing is added', () => {
  test.each<[string, Partial<Observation>[], [string, number][]]>([
    [
      'if it was said in other words',
      [
        {
          title: 'Heartbeat ticks drop half a barcode',
          narrative: 'read_line is not safe to cancel: cancellation.',
        },
      ],
      [[CAUSE, 5]],
    ],
    [
      'if it was said in another language, by its names',
      [{ title: 'Zeilen über 512 Bytes: `max_line` beendet' }],
      [['`max_line` cuts at 512', 5]],
    ],
    ['for a claim with a low score', [], [[CAUSE, LASTING_SCORE - 0.1]]],
    ['for a claim that the rules did not store', [], [['Something else entirely was claimed here', 9]]],
  ])('%s', (_name, said, claims) => {
    expect(judge(said, claims)).toEqual([]);
  });
});

test('the model is told from which score on a claim is kept', () => {
  const system = readFileSync(join(import.meta.dirname, '../prompts/system.md'), 'utf8');
  expect(system).toContain(`a score of ${LASTING_SCORE} or more`);
});

function observation(parts: Partial<Observation>): Observation {
  const lists = { facts: [], concepts: [], filesRead: [], filesModified: [], events: [] };
  return { type: 'bugfix', title: '', subtitle: '', narrative: '', ...lists, ...parts };
}
