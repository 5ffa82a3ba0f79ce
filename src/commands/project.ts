import { redactValue } from '../capture/redact/redact-value.ts';
import { counted, when } from '../context/words.ts';
import type { Project } from '../model/project.ts';
import type { Store } from '../store/store.ts';
import { type Call, type Command, CommandError, printJson, UsageError } from './command.ts';
import { withMemory } from './memory.ts';
import { nearest } from './nearest.ts';
import { readMemory } from './read-memory.ts';

export const command: Command = {
  name: 'project',
  summary: 'Projects: list them, name them, merge two into one, split them again',
  usage: [
    'project list [--json]',
    'project alias <project> [<name>]',
    'project merge <project> <into project>',
    'project split <project>',
  ].join('\n'),
  help: 'A project is given by its number or its name. An alias without a name takes the old name back.\nMerging moves nothing: split undoes it exactly.',
  options: { json: { type: 'boolean' } },
  words: 3,
  run(call) {
    const [action = 'list', ...rest] = call.positionals;
    const act = Object.hasOwn(ACTIONS, action) ? ACTIONS[action] : undefined;
    if (!act) {
      const meant = nearest(action, Object.keys(ACTIONS));
      throw new UsageError(`"cairn project" cannot ${action}.${meant ? ` Did you mean ${meant}?` : ''}`);
    }
    const use = act === list ? readMemory : withMemory;
    return use(call, (store) => act(call, store, rest));
  },
};

const ACTIONS: Record<string, (call: Call, store: Store, args: string[]) => number> = {
  list,
  alias,
  merge,
  split,
};

function list(call: Call, store: Store): number {
  const projects = store.listProjects();
  if (call.options.json) printJson(call, projects);
  else if (projects.length === 0) call.out('There are no projects yet.');
  else for (const project of projects) call.out(describe(call, project));
  return 0;
}

function describe({ paint, now }: Call, project: Project): string {
  const seen = project.lastSeen ? `, last ${when(project.lastSeen, now())}` : '';
  const lines = [
    `${String(project.id).padStart(5)}  ${paint.bold(project.name)}  ${paint.dim(`${counted(project.sessions, 'session')}${seen}`)}`,
    ...project.places.map((place) => paint.dim(`       ${place}`)),
    ...project.merged.map(({ id, name }) => paint.dim(`       with ${name} (${id})`)),
  ];
  return lines.join('\n');
}

function alias(call: Call, store: Store, [which, name]: string[]): number {
  const project = find(store, which);
  store.renameProject(project.id, name === undefined ? null : redactValue(name));
  call.out(name ? `${project.name} is called ${name} now.` : `Project ${project.id} has its own name again.`);
  return 0;
}

function merge(call: Call, store: Store, [which, into]: string[]): number {
  const from = find(store, which);
  const target = find(store, into);
  if (from.id === target.id) throw new CommandError('That is the same project twice.');
  store.mergeProjects(from.id, target.id);
  call.out(`${from.name} counts as ${target.name} now. Undo: cairn project split ${from.id}`);
  return 0;
}

function split(call: Call, store: Store, [which]: string[]): number {
  if (!which) throw new UsageError('Which project?');
  const merged = store.listProjects().flatMap((project) => project.merged);
  const project = merged.find(({ id, name }) => String(id) === which || name === which);
  if (!project)
    throw new CommandError(`${which} is not merged into another project. See: cairn project list`);
  store.splitProject(project.id);
  call.out(`${project.name} is a project of its own again.`);
  return 0;
}

function find(store: Store, which: string | undefined): Project {
  if (!which) throw new UsageError('Which project?');
  const found = store.listProjects().filter(({ id, name }) => String(id) === which || name === which);
  const [project, another] = found;
  if (!project) throw new CommandError(`There is no project ${which}. See: cairn project list`);
  if (another)
    throw new CommandError(`Several projects are called ${which}; give the number. See: cairn project list`);
  return project;
}
