import { findNearest } from '../model/find-nearest.ts';
import type { Project } from '../model/project.ts';
import type { ParsedQuery } from './parse-query.ts';

/** Where names are looked up, each only if a query uses its operator. */
export interface KnownNames {
  listProjects(): Pick<Project, 'name' | 'merged'>[];
  /** Of everything that is indexed. */
  listSources(): { agents: string[]; branches: string[] };
}

/** The problem of a query that names something which does not exist; null if there is none. Worded for the person. */
export function findNameProblem(query: ParsedQuery, names: KnownNames): string | null {
  const problem = findProjectProblem(query, names.listProjects);
  if (problem !== null || query.agents.length + query.branches.length === 0) return problem;
  const { agents, branches } = names.listSources();
  const agent = query.agents.find((name) => !agents.includes(name));
  if (agent !== undefined) return describeUnknown('agent', agent, agents, 'No memory is from it.');
  const branch = query.branches.find((name) => !branches.includes(name));
  if (branch === undefined) return null;
  return describeUnknown('branch', branch, branches, 'No memory was made on it.');
}

export function findProjectProblem(
  { projects }: ParsedQuery,
  listProjects: KnownNames['listProjects'],
): string | null {
  if (projects.length === 0) return null;
  const known = listProjects().flatMap(({ name, merged }) => [name, ...merged.map((other) => other.name)]);
  const lower = known.map((name) => name.toLowerCase());
  const unknown = projects.find((name) => !lower.includes(name.toLowerCase()));
  if (unknown === undefined) return null;
  return describeUnknown('project', unknown, known, 'See: cairn project list');
}

function describeUnknown(operator: string, unknown: string, known: string[], hint: string): string {
  const lower = known.map((name) => name.toLowerCase());
  const nearest = known[lower.indexOf(findNearest(unknown.toLowerCase(), lower) ?? '')];
  const meant = nearest ? ` Did you mean ${operator}:${nearest}?` : '';
  return `Unknown ${operator} in ${operator}:${unknown}.${meant} ${hint}`;
}
