import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { nextMode, type WorkItemEvent } from '../src/continuity/work-items/transitions.ts';
import { WORK_MODES } from '../src/model/work.ts';

const ROWS: Record<string, WorkItemEvent> = {
  'a prompt or a tool call outside plan mode': 'taken up',
  'a plan is accepted': 'planned',
  'the plan is finished or gone': 'plan gone',
  'a handoff is saved': 'handed off',
  'the handoff is discarded or read by a person': 'handoff gone',
  'its last session ends, with a handoff': 'ended with handoff',
  'its last session ends, with only a plan': 'ended with plan',
  'its last session ends, with neither': 'ended with neither',
  'it is closed': 'closed',
};

test('the table of transitions in docs/continuity.md matches the code', () => {
  const text = readFileSync(join(import.meta.dirname, '../docs/continuity.md'), 'utf8');
  const rows = [...text.matchAll(/^\| ([a-z][^|]+?) \| (.+) \|$/gm)].map(([, what = '', modes = '']) => [
    ROWS[what] ?? what,
    modes.split(' | '),
  ]);
  const expected = Object.values(ROWS).map((event) => [
    event,
    WORK_MODES.map((mode) => nextMode(mode, event) ?? '–'),
  ]);
  expect(rows).toEqual(expected);
});
