import type { Project } from '../../model/project.ts';
import type { Store } from '../../store/store.ts';
import { CommandError } from './command.ts';
import { requireArgument } from './usage.ts';

/** Finds a project by number or name. */
export function findProject(store: Store, word: string | undefined): Project {
  const which = requireArgument(word, 'project');
  const found = store.listProjects().filter(({ id, name }) => String(id) === which || name === which);
  const [project, another] = found;
  if (!project) throw new CommandError(`There is no project ${which}. See: cairn project list`);
  if (another)
    throw new CommandError(`Several projects are named ${which}; give the number. See: cairn project list`);
  return project;
}
