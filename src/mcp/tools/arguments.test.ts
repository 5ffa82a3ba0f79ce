import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { defineTool, type ToolContext } from './tool.ts';

const tool = defineTool({
  name: 'look',
  description: '',
  input: z.object({
    query: z.string(),
    ids: z.optional(z.array(z.string())),
    limit: z.optional(z.int()),
    all: z.optional(z.boolean()),
    kind: z.optional(z.enum(['note', 'prompt'])),
  }),
  annotations: {},
  run: (input) => ({ text: '', structure: JSON.parse(JSON.stringify(input)) }),
});
const read = async (args: unknown) => (await tool.run(args, {} as ToolContext)).structure;

test.each([
  { name: 'arguments of the right type', args: { query: 'x', limit: 3 }, read: { query: 'x', limit: 3 } },
  { name: 'a number instead of a text', args: { query: 12 }, read: { query: '12' } },
  { name: 'a list instead of a text', args: { query: ['x', 'y'] }, read: { query: '- x\n- y' } },
  { name: 'a text instead of a number', args: { query: 'x', limit: '3' }, read: { query: 'x', limit: 3 } },
  { name: 'a text instead of a boolean', args: { query: 'x', all: 'true' }, read: { query: 'x', all: true } },
  {
    name: 'a single value instead of a list',
    args: { query: 'x', ids: 12 },
    read: { query: 'x', ids: ['12'] },
  },
  {
    name: 'a list written as JSON',
    args: { query: 'x', ids: '[12,"p3"]' },
    read: { query: 'x', ids: ['12', 'p3'] },
  },
  { name: 'null instead of a missing value', args: { query: 'x', limit: null }, read: { query: 'x' } },
])('accepts $name', ({ args, read: expected }) => expect(read(args)).resolves.toEqual(expected));

test('redacts secrets and private parts in every argument', async () => {
  const token = ['ghp', 'a1B2c3D4e5F6g7H8i9J0kLmNoPqRsTuVwXyZ'].join('_');
  const args = {
    query: `DB_PASSWORD=hunter2Xy9 <private>mine</private>`,
    ids: JSON.stringify([`src/${token}`]),
  };
  await expect(read(args)).resolves.toEqual({
    query: 'DB_PASSWORD=[redacted:password] [private]',
    ids: ['src/[redacted:github-token]'],
  });
});

test.each([
  { name: 'missing arguments', args: undefined, says: 'Wrong arguments for look: query must be a string.' },
  {
    name: 'arguments that are not an object',
    args: ['x'],
    says: 'Wrong arguments for look: query must be a string.',
  },
  {
    name: 'an unknown argument',
    args: { q: 'x' },
    says: 'look has no argument "q". Arguments: query, ids, limit, all, kind.',
  },
  {
    name: 'a value outside an enum',
    args: { query: 'x', kind: 'todo' },
    says: 'kind must be one of note, prompt',
  },
  { name: 'a wrong type', args: { query: 'x', limit: 'many' }, says: 'limit must be a number' },
  { name: 'a fraction', args: { query: 'x', limit: 1.5 }, says: 'limit must be' },
])('explains $name', ({ args, says }) => expect(read(args)).rejects.toThrow(says));
