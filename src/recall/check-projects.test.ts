import { expect, test } from 'vitest';
import type { Project } from '../model/project.ts';
import { findProjectProblem } from './check-projects.ts';
import { parseQuery } from './parse-query.ts';

const shop: Project = { id: 1, name: 'Shop', places: [], merged: [{ id: 2, name: 'old-shop' }], sessions: 0 };

test.each([
  { query: 'x', problem: null },
  { query: 'x project:shop', problem: null },
  { query: 'x project:OLD-shop', problem: null },
  {
    query: 'x project:shpo',
    problem: 'Unknown project in project:shpo. Did you mean project:Shop? See: cairn project list',
  },
  { query: 'x project:blog', problem: 'Unknown project in project:blog. See: cairn project list' },
])('$query', ({ query, problem }) => {
  expect(findProjectProblem(parseQuery(query, 0), () => [shop])).toBe(problem);
});
