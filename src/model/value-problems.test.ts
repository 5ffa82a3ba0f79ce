import { expect, it } from 'vitest';
import * as z from 'zod/mini';
import { describeIssue, describeRange } from './value-problems.ts';

const error = describeRange({ min: 1, max: 50 });
const schema = z.strictObject({
  q: z.optional(z.string().check(z.minLength(1), z.maxLength(3))),
  list: z.optional(z.array(z.string())),
  kind: z.optional(z.enum(['note', 'prompt'])),
  limit: z.optional(z.int({ error }).check(z.gte(1, { error }), z.lte(50, { error }))),
});

it.each([
  { value: { q: 1 }, says: 'q must be a string' },
  { value: { q: '' }, says: 'q is empty' },
  { value: { q: 'long' }, says: 'q has more than 3 characters' },
  { value: { list: 1 }, says: 'list must be a list' },
  { value: { kind: 'x' }, says: 'kind must be one of note, prompt' },
  { value: { limit: 0 }, says: 'limit must be a whole number from 1 to 50' },
  { value: { limit: 51 }, says: 'limit must be a whole number from 1 to 50' },
  { value: { limit: 1.5 }, says: 'limit must be a whole number from 1 to 50' },
  { value: { limit: 'many' }, says: 'limit must be a whole number from 1 to 50' },
  { value: { colour: 1 }, says: 'unknown: colour' },
])('$says', ({ value, says }) => {
  expect(schema.safeParse(value).error?.issues.map(describeIssue)).toEqual([says]);
});

it('does not depend on the messages of zod', () => {
  const issue = { code: 'invalid_type', path: ['q'], expected: 'string' };
  for (const message of ['Invalid input', 'Invalid input: expected string, received undefined'])
    expect(describeIssue({ ...issue, message })).toBe('q must be a string');
});

it('leaves out a maximum that is only technical', () => {
  expect(describeRange({ min: 1, max: Number.MAX_SAFE_INTEGER })).toBe(
    'must be a whole number of at least 1',
  );
});
