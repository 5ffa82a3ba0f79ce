import { expect, test } from 'vitest';
import { distillSessions, surveySessions, unseenSessions } from './distill/all.ts';
import { unfounded } from './distill/consistency.ts';
import { type SessionScore, type Stored, scoreSession } from './distill/score.ts';
import type { Expectation, StoredObservation, StoredSummary } from './distill/session.ts';

const expectation: Expectation = {
  essentials: [
    { type: 'bugfix', says: ['nights', /Math\.round/] },
    { type: ['decision', 'preference'], says: ['cents'] },
  ],
  niceToHave: [{ type: 'gotcha', says: ['clocks'] }],
  summaries: [
    { prompt: 1, request: ['red test'], learned: [/floor/], filesModified: ['src/nights.js'] },
    { prompt: 3, optional: true, request: ['again'] },
  ],
  noise: ['raw dump'],
  untrue: [/all tests pass/],
};

const bugfix = observation({
  type: 'bugfix',
  title: 'nights() lost a night',
  facts: ['math.ROUND instead of floor'],
});
const decision = observation({ type: 'decision', title: 'Whole cents', narrative: 'Prices are cents.' });
const gotcha = observation({ type: 'gotcha', title: 'The clocks change' });
const summary = storedSummary({
  prompt: 1,
  request: 'the red test',
  learned: 'floor cuts',
  filesModified: ['/p/src/nights.js'],
});
const perfect: Stored = { observations: [bugfix, decision, gotcha], summaries: [summary] };

const perfectScore: SessionScore = {
  essentials: { met: 2, of: 2 },
  niceToHave: { met: 1, of: 1 },
  types: { met: 2, of: 2 },
  summaryFields: { met: 3, of: 3 },
  receipts: { met: 0, of: 1 },
  missing: [],
  unwanted: { met: 0, of: 4 },
  unwantedTitles: [],
  noise: [],
  untrue: [],
};

test.each<[string, Stored, Partial<SessionScore>]>([
  ['everything that is expected', perfect, {}],
  [
    'two points in one observation',
    { ...perfect, observations: [{ ...bugfix, facts: ['math.round', 'cents', 'clocks'] }] },
    { types: { met: 1, of: 2 }, receipts: { met: 0, of: 3 }, unwanted: { met: 0, of: 2 } },
  ],
  [
    'a point of the wrong type',
    { ...perfect, observations: [bugfix, { ...decision, type: 'change' }, gotcha] },
    { types: { met: 1, of: 2 } },
  ],
  [
    'a missing point',
    { ...perfect, observations: [bugfix, gotcha] },
    {
      essentials: { met: 1, of: 2 },
      types: { met: 1, of: 1 },
      missing: ['decision or preference that says cents (nearest: "nights() lost a night" lacks cents)'],
      unwanted: { met: 0, of: 3 },
    },
  ],
  [
    'an unwanted observation',
    {
      ...perfect,
      observations: [...perfect.observations, observation({ type: 'change', title: 'Read a file' })],
    },
    { unwanted: { met: 1, of: 5 }, unwantedTitles: ['change: Read a file'] },
  ],
  [
    'a receipt, noise and a false statement',
    {
      ...perfect,
      observations: [
        { ...bugfix, facts: ['Math.round', 'src/nights.js was changed.', 'raw dump: all tests pass'] },
        decision,
        gotcha,
      ],
    },
    {
      receipts: { met: 1, of: 3 },
      noise: ['raw dump in bugfix: nights() lost a night'],
      untrue: ['/all tests pass/ in bugfix: nights() lost a night'],
    },
  ],
  [
    'no summary',
    { ...perfect, summaries: [] },
    { summaryFields: { met: 0, of: 1 }, missing: ['summary of prompt 1'], unwanted: { met: 0, of: 3 } },
  ],
])('%s', (_name, stored, changes) => {
  expect(scoreSession(expectation, stored)).toEqual({ ...perfectScore, ...changes });
});

test('everything is unwanted in a session that taught nothing', () => {
  const silent: Expectation = { essentials: [], summaries: [], noise: [], nothing: true };
  expect(scoreSession(silent, perfect).unwanted).toEqual({ met: 4, of: 4 });
});

test('the sessions expect only what can be learned from them', () => {
  const problems = [...distillSessions, ...surveySessions, ...unseenSessions].flatMap((session) =>
    unfounded(session).map((problem) => `${session.name}: ${problem}`),
  );
  expect(problems).toEqual([]);
});

test('the sessions cover kinds of work, languages and ecosystems, and have unique names', () => {
  const survey = [...surveySessions, ...unseenSessions];
  const count = (values: string[]) => new Set(values).size;
  expect(count([...distillSessions, ...survey].map(({ name }) => name))).toBe(
    distillSessions.length + survey.length,
  );
  expect(survey.length).toBeGreaterThanOrEqual(40);
  expect(count(survey.map(({ kind }) => kind))).toBe(7);
  expect(count(survey.map(({ language }) => language))).toBeGreaterThanOrEqual(6);
  expect(count(survey.map(({ ecosystem }) => ecosystem))).toBeGreaterThanOrEqual(8);
});

function observation(parts: Partial<StoredObservation>): StoredObservation {
  return {
    type: 'change',
    title: '',
    subtitle: '',
    narrative: '',
    facts: [],
    concepts: [],
    filesRead: [],
    filesModified: [],
    prompt: null,
    ...parts,
  };
}

function storedSummary(parts: Partial<StoredSummary>): StoredSummary {
  return {
    request: '',
    investigated: '',
    learned: '',
    completed: '',
    nextSteps: '',
    notes: '',
    filesRead: [],
    filesModified: [],
    prompt: null,
    ...parts,
  };
}
