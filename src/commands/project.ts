import { redactValue } from '../capture/redact/redact-value.ts';
import { formatAge, formatCount } from '../context/words.ts';
import { isBlank } from '../model/blank.ts';
import type { Project } from '../model/project.ts';
import { withCairnCommand } from '../platform/cairn-command.ts';
import type { Store } from '../store/store.ts';
import { type Call, type Command, CommandError, printJson } from './support/command.ts';
import { findProject } from './support/find-project.ts';
import { readMemory, withMemory } from './support/memory.ts';
import { printRow } from './support/rows.ts';
import { requireArgument, selectSubcommand } from './support/usage.ts';

export const command: Command = {
  name: 'project',
  summary: 'List, rename, merge and split projects',
  usage: [
    'project list [--json]',
    'project rename <project> [<name>]',
    'project merge <project> <into project>',
    'project split <project>',
  ].join('\n'),
  help: 'Name a project by its number or name. rename without a new name restores the original one.\nMerging moves nothing: split undoes it exactly.',
  options: { json: { type: 'boolean' } },
  words: 3,
  run(call) {
    const [action = 'list', ...rest] = call.positionals;
    const act = selectSubcommand({ list, rename, merge, split }, action);
    const use = act === list ? readMemory : withMemory;
    return use(call, (store) => act(call, store, rest));
  },
};

function list(call: Call, store: Store): number {
  const projects = store.listProjects();
  if (call.options.json) printJson(call, projects);
  else if (projects.length === 0) call.out('There are no projects yet.');
  else for (const project of projects) printProject(call, project);
  return 0;
}

function printProject(call: Call, project: Project): void {
  const { paint, now, out } = call;
  const seen = project.lastSeen ? `, last ${formatAge(project.lastSeen, now())}` : '';
  printRow(
    call,
    `${String(project.id).padStart(5)}  ${paint.bold(project.name)}  ${paint.dim(`${formatCount(project.sessions, 'session')}${seen}`)}`,
  );
  for (const place of project.places) out(paint.dim(`       ${place}`));
  for (const { id, name } of project.merged) printRow(call, paint.dim(`       with ${name} (${id})`));
}

function rename(call: Call, store: Store, [which, name]: string[]): number {
  const project = findProject(store, which);
  if (name && isBlank(name)) throw new CommandError('A project needs a name that can be read.');
  store.renameProject(project.id, name ? redactValue(name) : null);
  call.out(
    name ? `Renamed ${project.name} to ${name}.` : `Restored the original name of project ${project.id}.`,
  );
  return 0;
}

function merge(call: Call, store: Store, [which, into]: string[]): number {
  const from = findProject(store, which);
  const target = findProject(store, into);
  if (from.id === target.id) throw new CommandError('Both are the same project.');
  store.mergeProjects(from.id, target.id);
  call.out(withCairnCommand(`Merged ${from.name} into ${target.name}. Undo: cairn project split ${from.id}`));
  return 0;
}

function split(call: Call, store: Store, [word]: string[]): number {
  const which = requireArgument(word, 'project');
  const merged = store.listProjects().flatMap((project) => project.merged);
  const project = merged.find(({ id, name }) => String(id) === which || name === which);
  if (!project)
    throw new CommandError(`${which} is not merged into another project. See: cairn project list`);
  store.splitProject(project.id);
  call.out(`${project.name} is a separate project again.`);
  return 0;
}
