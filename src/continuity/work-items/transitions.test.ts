import { expect, test } from 'vitest';
import { WORK_MODES, type WorkMode } from '../../model/work.ts';
import { nextMode, TRANSITIONS, type WorkItemEvent } from './transitions.ts';

test.each<[WorkMode, WorkItemEvent, WorkMode | null]>([
  ['idle', 'taken up', 'active'],
  ['idle', 'planned', 'has_plan'],
  ['idle', 'handed off', 'has_handoff'],
  ['has_plan', 'taken up', 'active'],
  ['has_plan', 'handed off', 'has_handoff'],
  ['has_plan', 'plan gone', 'idle'],
  ['has_handoff', 'taken up', 'active'],
  ['has_handoff', 'planned', 'has_handoff'],
  ['has_handoff', 'handoff gone', 'idle'],
  ['active', 'planned', 'active'],
  ['active', 'handed off', 'active'],
  ['active', 'ended with handoff', 'has_handoff'],
  ['active', 'ended with plan', 'has_plan'],
  ['active', 'ended with neither', 'idle'],
  ['idle', 'ended with plan', null],
  ['idle', 'ended with neither', null],
  ['idle', 'handoff gone', null],
  ['idle', 'plan gone', null],
  ['has_plan', 'ended with neither', null],
  ['has_plan', 'handoff gone', null],
  ['has_handoff', 'ended with handoff', null],
])('%s, %s: %s', (mode, event, expected) => {
  expect(nextMode(mode, event)).toBe(expected);
});

test('any work item can be activated and closed', () => {
  const both = WORK_MODES.map((mode) => [nextMode(mode, 'taken up'), nextMode(mode, 'closed')]);
  expect(both).toEqual(WORK_MODES.map(() => ['active', 'idle']));
});

test('every mode has a row', () => {
  expect(Object.keys(TRANSITIONS)).toEqual([...WORK_MODES]);
});
