import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readStateFile } from './read-state-file.ts';

/** Without the fields that only later checks use. */
function read(value: unknown) {
  const result = readStateFile(typeof value === 'string' ? value : JSON.stringify(value));
  if ('problem' in result) return result;
  const { hashes, unknown, isRestChanged, wasWritten, ...state } = result.state;
  return { ...state, migrated: result.migrated };
}

test.each<[string, unknown, unknown]>([
  [
    'every editable field',
    {
      format: 1,
      name: 'graft-pears',
      title: 'Graft the pears',
      mode: 'active',
      nextSteps: 'the last row',
      tasks: [{ number: 2, state: 'done', subject: 'cut' }, { subject: 'bind', state: 'doing' }, 'water'],
      notes: [{ at: '2026-01-01T00:00:00.000Z', text: 'in March' }, 'or April'],
    },
    {
      name: 'graft-pears',
      title: 'Graft the pears',
      mode: 'active',
      nextSteps: 'the last row',
      tasks: [
        { number: 2, state: 'done', subject: 'cut' },
        { state: 'doing', subject: 'bind' },
        { state: 'open', subject: 'water' },
      ],
      notes: ['in March', 'or April'],
      migrated: [],
    },
  ],
  ['only the format', { format: 1 }, { migrated: [] }],
  ['a byte order mark', '\uFEFF{"format":1,"title":"T"}', { title: 'T', migrated: [] }],
  [
    'the old shape without a format',
    {
      id: 'old-name',
      method: 'native',
      summary: 'An old one',
      mode: 'implementing',
      notes: 'a word',
      tasks: [
        { id: '1', subject: 'one', status: 'completed' },
        { id: 'x', content: 'two', status: 'in_progress' },
      ],
    },
    {
      name: 'old-name',
      title: 'An old one',
      mode: 'idle',
      notes: ['a word'],
      tasks: [
        { number: 1, state: 'done', subject: 'one' },
        { state: 'doing', subject: 'two' },
      ],
      migrated: [
        'method was left out',
        'mode "implementing" became idle',
        'id became name',
        'summary became title',
      ],
    },
  ],
  [
    'the old shape with a current mode',
    { id: 'a', mode: 'has_plan' },
    { name: 'a', mode: 'has_plan', migrated: ['id became name'] },
  ],
  [
    'incomplete JSON',
    '{\n  "format": 1,\n  "title": "T',
    { problem: expect.stringMatching(/^it is not JSON/) },
  ],
  ['an empty file', '', { problem: 'it is not JSON' }],
  ['JSON other than an object', [1], { problem: 'it does not contain a JSON object' }],
  ['a later format', { format: 9 }, { problem: 'its format is 9, and this Cairn knows 1' }],
  [
    'an unknown mode',
    { format: 1, mode: 'busy' },
    { problem: 'mode is "busy", not one of idle, has_plan, has_handoff, active' },
  ],
  [
    'several errors',
    { format: 1, title: 7, tasks: {}, notes: [{}], name: [] },
    {
      problem:
        'name is [], not a text; title is 7, not a text; tasks is {}, not a list; note 1 of the list has no text',
    },
  ],
  ['an empty title', { format: 1, title: ' ' }, { problem: 'its title is empty' }],
  [
    'invalid tasks',
    { format: 1, tasks: [{ state: 'open' }, { subject: 'x', state: 'started', number: -1 }] },
    {
      problem:
        'task 1 of the list has no subject; task 2 of the list has the number -1; ' +
        'the state of task 2 of the list is "started", not one of open, doing, done, dropped',
    },
  ],
  [
    'a duplicate number',
    {
      format: 1,
      tasks: [
        { number: 1, subject: 'a' },
        { number: 1, subject: 'b' },
      ],
    },
    { problem: 'task 1 is there twice' },
  ],
])('%s', (_, value, expected) => {
  expect(read(value)).toEqual(expected);
});

test('any content is read or refused with a problem', () => {
  fc.assert(
    fc.property(
      fc.record(
        {
          format: fc.constantFrom(undefined, 0, 1, '1'),
          tasks: fc.jsonValue(),
          notes: fc.jsonValue(),
          mode: fc.jsonValue(),
          id: fc.jsonValue(),
        },
        { requiredKeys: [] },
      ),
      (value) => {
        const result = readStateFile(JSON.stringify(value));
        return 'problem' in result ? result.problem !== '' : Array.isArray(result.migrated);
      },
    ),
  );
});
