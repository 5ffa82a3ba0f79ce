import { expect, test } from 'vitest';
import type { Observation } from '../model/memory.ts';
import { absorbNotes } from './absorb-notes.ts';

const POOL = {
  id: 7,
  title: 'The pool is limited to 20 connections',
  narrative: 'Why: Postgres on staging refuses more than 25.',
};

test('an observation that only says what the agent noted is left out; the note gets its evidence', () => {
  const found = observation({
    title: 'Pool limited to 20 connections',
    filesModified: ['src/db.ts'],
    events: [3],
  });
  const other = observation({
    title: 'Retries wait 200 ms',
    facts: ['The upstream drops the first request.'],
  });
  expect(absorbNotes([found, other], [POOL])).toEqual({
    observations: [other],
    notes: [{ note: 7, evidence: found }],
  });
});

test('only the claim that was noted goes; the rest of the observation stays', () => {
  const found = observation({
    title: 'Use one pool per process',
    facts: ['The pool is limited to 20 connections.', 'Idle connections are closed after 30 s.'],
  });
  expect(absorbNotes([found], [POOL])).toEqual({
    observations: [{ ...found, facts: ['Idle connections are closed after 30 s.'] }],
    notes: [{ note: 7, evidence: found }],
  });
});

test('a claim that stays becomes the title where the title was noted', () => {
  const found = observation({
    title: 'The pool is limited to 20 connections',
    facts: ['Postgres on staging refuses more than 25.', 'Idle connections are closed after 30 s.'],
  });
  expect(absorbNotes([found], [POOL]).observations).toEqual([
    { ...found, title: 'Idle connections are closed after 30 s', facts: [] },
  ]);
});

test.each([
  ['another value', 'The pool is limited to 30 connections'],
  ['another number', 'The pool is limited to 40 requests per client'],
  ['the contrary', 'Not limited to 20 connections is the pool of the worker'],
  ['few words that are in any text', 'The pool'],
])('%s is not the same', (_, title) => {
  const found = observation({ title });
  expect(absorbNotes([found], [POOL])).toEqual({ observations: [found], notes: [] });
});

function observation(parts: Partial<Observation>): Observation {
  const lists = { facts: [], concepts: [], filesRead: [], filesModified: [], events: [] };
  return { type: 'decision', title: '', subtitle: '', narrative: '', ...lists, ...parts };
}
