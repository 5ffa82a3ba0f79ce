import { expect, test } from 'vitest';
import { addCompaction } from './compaction.ts';

const SECTIONS = `1. Primary Request and Intent: Throttle the login.
2. Errors and fixes:
   - counting in memory lost its figures at a restart
7. Pending Tasks:
   - answer 429 after five attempts
9. Optional Next Step: write the test for the sixth attempt`;

const MADE = {
  ...{
    request: 'go on',
    investigated: '',
    learned: '',
    completed: 'Done.',
    nextSteps: '',
    notes: 'Mind it.',
  },
  ...{ filesRead: [], filesModified: ['a.ts'] },
};

test('nothing was compacted', () => {
  expect([addCompaction(null, ''), addCompaction(MADE, '')]).toEqual([null, MADE]);
});

test('a turn that was nothing but the compaction is told by it', () => {
  expect(addCompaction(null, SECTIONS)).toEqual({
    request: 'Throttle the login.',
    ...{ investigated: '', learned: '', completed: '' },
    nextSteps: '- answer 429 after five attempts write the test for the sixth attempt',
    notes: 'Compacted: counting in memory lost its figures at a restart.',
    ...{ filesRead: [], filesModified: [] },
  });
});

test('what the turn itself tells stays', () => {
  expect(addCompaction(MADE, SECTIONS)).toEqual({
    ...MADE,
    nextSteps: '- answer 429 after five attempts write the test for the sixth attempt',
    notes: 'Mind it. Compacted: counting in memory lost its figures at a restart.',
  });
});

test('a summary without sections is kept as it is, as far as that is bearable', () => {
  const long = 'The person ran the scenario. '.repeat(200);
  const kept = addCompaction(null, long);
  expect(kept?.request).toMatch(/^The person ran the scenario\./);
  expect(kept?.notes.length).toBeLessThan(1_650);
});
