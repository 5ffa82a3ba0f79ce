import { expect, test } from 'vitest';
import { distillSessions } from './distill/all.ts';
import { unfounded } from './distill/consistency.ts';
import { judge, type Stored, type Verdict } from './distill/judge.ts';
import type { Expectation, Point, StoredObservation, StoredSummary } from './distill/session.ts';

const expectation: Expectation = {
  essentials: [
    { type: 'bugfix', says: ['nights', /Math\.round/], files: ['src/nights.js'], prompt: 1 },
    { type: ['decision', 'preference'], says: ['cents'], title: ['whole'] },
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
  filesModified: ['/home/robin/house/src/nights.js'],
  prompt: 1,
});
const decision = observation({ type: 'decision', title: 'Whole cents', narrative: 'Prices are cents.' });
const gotcha = observation({ type: 'gotcha', title: 'The clocks change' });
const summary = storedSummary({
  prompt: 1,
  request: 'the red test',
  learned: 'floor cuts',
  filesModified: ['src/nights.js'],
});

const perfect = { observations: [bugfix, decision], summaries: [summary] };
const nothingWrong = { missing: [], junk: [], noise: [] };
const unmetDecision = 'decision or preference that says cents';

test.each<[string, Stored, Verdict]>([
  ['what was wanted, and no more', perfect, nothingWrong],
  ['what is acceptable beside it', { ...perfect, observations: [gotcha, decision, bugfix] }, nothingWrong],
  [
    'a second one of what was wanted once',
    { ...perfect, observations: [bugfix, { ...bugfix, title: 'nights() again' }, decision] },
    { ...nothingWrong, junk: ['bugfix: nights() again'] },
  ],
  [
    'something nobody wants',
    { ...perfect, observations: [bugfix, decision, observation({ type: 'change', title: 'Read a file' })] },
    { ...nothingWrong, junk: ['change: Read a file'] },
  ],
  [
    'a wish with the wrong type',
    { ...perfect, observations: [bugfix, { ...decision, type: 'change' }] },
    {
      ...nothingWrong,
      missing: [`${unmetDecision} (nearest: "Whole cents" lacks type decision or preference)`],
      junk: ['change: Whole cents'],
    },
  ],
  [
    'a wish without its words in the title',
    { ...perfect, observations: [bugfix, { ...decision, title: 'Cents' }] },
    {
      ...nothingWrong,
      missing: [`${unmetDecision} (nearest: "Cents" lacks whole in the title)`],
      junk: ['decision: Cents'],
    },
  ],
  [
    'a wish without its file and from another prompt',
    {
      ...perfect,
      observations: [{ ...bugfix, filesModified: ['lib/old-src/nights.js'], prompt: 2 }, decision],
    },
    {
      ...nothingWrong,
      missing: [
        'bugfix that says nights, /Math\\.round/ (nearest: "nights() lost a night" lacks src/nights.js, prompt 1)',
      ],
      junk: ['bugfix: nights() lost a night'],
    },
  ],
  [
    'nothing at all',
    { observations: [], summaries: [] },
    {
      ...nothingWrong,
      missing: ['bugfix that says nights, /Math\\.round/', unmetDecision, 'summary of prompt 1'],
    },
  ],
  [
    'a summary that lacks something',
    { ...perfect, summaries: [{ ...summary, learned: '', filesModified: [] }] },
    {
      ...nothingWrong,
      missing: [
        'summary of prompt 1: /floor/ in learned',
        'summary of prompt 1: src/nights.js in filesModified',
      ],
    },
  ],
  [
    'two summaries that say it together',
    {
      ...perfect,
      summaries: [
        { ...summary, learned: '' },
        { ...summary, request: '' },
      ],
    },
    nothingWrong,
  ],
  [
    'a summary that may be there',
    { ...perfect, summaries: [summary, storedSummary({ prompt: 3, request: 'try again' })] },
    nothingWrong,
  ],
  [
    'a summary that may be there and says too little',
    { ...perfect, summaries: [summary, storedSummary({ prompt: 3 })] },
    { ...nothingWrong, missing: ['summary of prompt 3: again in request'] },
  ],
  [
    'a summary of a turn that taught nothing',
    { ...perfect, summaries: [summary, storedSummary({ prompt: 2, request: 'thanks' })] },
    { ...nothingWrong, junk: ['summary of prompt 2: thanks'] },
  ],
  [
    'noise of this session',
    { ...perfect, observations: [bugfix, { ...decision, facts: ['a RAW DUMP'] }] },
    { ...nothingWrong, noise: ['raw dump in decision: Whole cents'] },
  ],
  [
    'what is not true',
    { ...perfect, summaries: [{ ...summary, completed: 'All tests pass.' }] },
    { ...nothingWrong, noise: ['/all tests pass/ in summary of prompt 1'] },
  ],
  [
    'noise of any session',
    { ...perfect, summaries: [{ ...summary, notes: 'Let me look at the file.' }] },
    { ...nothingWrong, noise: ['/\\blet me\\b/ in summary of prompt 1'] },
  ],
])('judges %s', (_name, stored, verdict) => {
  expect(judge(expectation, stored)).toEqual(verdict);
});

test('one observation does not stand for two wishes, but finds the wish that leaves room for the others', () => {
  const wide: Point = { type: 'bugfix', says: ['nights'] };
  const narrow: Point = { type: 'bugfix', says: ['nights', 'clocks'] };
  const both = { essentials: [wide, narrow], summaries: [], noise: [] };
  const broad = observation({ type: 'bugfix', title: 'nights and clocks' });
  const plain = observation({ type: 'bugfix', title: 'nights' });
  expect(judge(both, { observations: [broad, plain], summaries: [] })).toEqual(nothingWrong);
  expect(judge(both, { observations: [broad], summaries: [] }).missing).toHaveLength(1);
});

test('where nothing is to be remembered, everything is junk', () => {
  const silent: Expectation = { essentials: [], summaries: [], noise: [], nothing: true };
  expect(judge(silent, { observations: [gotcha], summaries: [summary] })).toEqual({
    ...nothingWrong,
    junk: ['gotcha: The clocks change', 'summary of prompt 1: the red test'],
  });
});

test.each(distillSessions.map((session) => [session.name, session] as const))(
  'what is expected of "%s" can be learned from it',
  (_name, session) => {
    expect(unfounded(session)).toEqual([]);
  },
);

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
    prompt: null,
    request: '',
    investigated: '',
    learned: '',
    completed: '',
    nextSteps: '',
    notes: '',
    filesRead: [],
    filesModified: [],
    ...parts,
  };
}
