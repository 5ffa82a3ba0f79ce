import { expect, test } from 'vitest';
import type { Handoff } from '../../model/work.ts';
import { formatHandoff } from './handoff-markdown.ts';
import { parseHandoff } from './parse-handoff.ts';

const PARTS = {
  goal: 'Pears in two years',
  state: 'Half of it is done.',
  decisions: ['whip grafts: they heal', 'no wax'],
  deadEnds: ['cleft grafts'],
  files: [
    { path: 'rows.txt', what: 'the third row' },
    { path: 'labels.csv', what: '' },
  ],
  questions: ['In Latin?'],
  nextSteps: ['row three', 'label it'],
  note: 'not when it rains',
};

test.each<[string, string, unknown]>([
  ['JSON', JSON.stringify(PARTS), PARTS],
  [
    'JSON with texts instead of lists',
    JSON.stringify({ decisions: '- one\n- two', nextSteps: 'only one', files: 'a.ts: changed' }),
    { decisions: ['one', 'two'], nextSteps: ['only one'], files: [{ path: 'a.ts', what: 'changed' }] },
  ],
  [
    'Markdown',
    'Mind the rain.\n\n## Goal\nPears\n\n### Next steps\n1. row three\n   with care\n2) label\n\n## Dead ends\n* cleft\n\n# Weather\nwet\n',
    {
      goal: 'Pears',
      nextSteps: ['row three with care', 'label'],
      deadEnds: ['cleft'],
      note: 'Mind the rain.\n\n\n# Weather\nwet',
    },
  ],
  ['plain text', 'go on with row three', { note: 'go on with row three' }],
  ['an empty part', '## Goal\n\n## State\nx', { state: 'x' }],
  ['an empty text', ' \n', { problem: 'stdin is empty.' }],
  ['incomplete JSON', '{"goal": ', { problem: 'stdin starts with { but is not valid JSON.' }],
  [
    'an unknown part',
    '{"mood": "good"}',
    {
      problem:
        'A handoff has no part "mood". Its parts: goal, state, note, decisions, deadEnds, questions, nextSteps, files.',
    },
  ],
  ['a number', '{"goal": 7}', { problem: 'goal must be a text or a list of texts.' }],
])('%s', (_, text, expected) => {
  expect(parseHandoff(text)).toEqual(expected);
});

test('parses the Markdown of formatHandoff, except its note', () => {
  const handoff: Handoff = {
    id: 1,
    workId: 1,
    number: 1,
    state: 'staged',
    parts: PARTS,
    tasks: [],
    plan: null,
    git: null,
    by: 'person',
    agentSession: null,
    givenTo: null,
    at: 0,
    takenAt: null,
    to: null,
    from: null,
  };
  const text = formatHandoff(handoff, { name: 'pears', title: 'Pears', project: 'orchard' });
  const { note, ...parts } = PARTS;
  expect(parseHandoff(text)).toMatchObject(parts);
});
