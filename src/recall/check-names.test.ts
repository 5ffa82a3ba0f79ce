import { expect, test } from 'vitest';
import type { Project } from '../model/project.ts';
import { findNameProblem } from './check-names.ts';
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
  { query: 'x agent:codex branch:main', problem: null },
  { query: 'x agent:Codex', problem: null },
  {
    query: 'x agent:claud-code',
    problem: 'Unknown agent in agent:claud-code. Did you mean agent:claude-code? No memory is from it.',
  },
  {
    query: 'x branch:mian',
    problem: 'Unknown branch in branch:mian. Did you mean branch:main? No memory was made on it.',
  },
  {
    query: 'x branch:Main',
    problem: 'Unknown branch in branch:Main. Did you mean branch:main? No memory was made on it.',
  },
  { query: 'x branch:feat/none', problem: 'Unknown branch in branch:feat/none. No memory was made on it.' },
])('$query', ({ query, problem }) => {
  const listSources = () => ({ agents: ['claude-code', 'codex'], branches: ['main'] });
  expect(findNameProblem(parseQuery(query, 0), { listProjects: () => [shop], listSources })).toBe(problem);
});
