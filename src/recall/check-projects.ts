import { findNearest } from '../model/find-nearest.ts';
import type { Project } from '../model/project.ts';
import type { ParsedQuery } from './parse-query.ts';

/** The problem of a query that names a project which does not exist; null if there is none. Worded for the person. */
export function findProjectProblem(
  { projects }: ParsedQuery,
  listProjects: () => Pick<Project, 'name' | 'merged'>[],
): string | null {
  if (projects.length === 0) return null;
  const names = listProjects().flatMap(({ name, merged }) => [name, ...merged.map((other) => other.name)]);
  const lower = names.map((name) => name.toLowerCase());
  const unknown = projects.find((asked) => !lower.includes(asked.toLowerCase()));
  if (unknown === undefined) return null;
  const nearest = names[lower.indexOf(findNearest(unknown.toLowerCase(), lower) ?? '')];
  const meant = nearest ? ` Did you mean project:${nearest}?` : '';
  return `Unknown project in project:${unknown}.${meant} See: cairn project list`;
}
