import type { Command } from './support/command.ts';

type LoadCommand = () => Promise<{ command: Command }>;

/** All commands, grouped by purpose and in the order of `cairn help`. Each is loaded only when called. */
export const COMMAND_GROUPS: Record<string, Record<string, LoadCommand>> = {
  Connect: {
    install: () => import('./install.ts'),
    uninstall: () => import('./uninstall.ts'),
    agents: () => import('./agents.ts'),
    pause: () => import('./pause.ts'),
    unpause: () => import('./unpause.ts'),
    tour: () => import('./tour/tour.ts'),
    mcp: () => import('./mcp.ts'),
    statusline: () => import('./statusline.ts'),
    'suggest-files': () => import('./suggest-files.ts'),
    hook: () => import('./hook.ts'),
  },
  Look: {
    search: () => import('./search.ts'),
    recent: () => import('./recent.ts'),
    timeline: () => import('./timeline.ts'),
    file: () => import('./file.ts'),
    show: () => import('./show.ts'),
    why: () => import('./why.ts'),
    sessions: () => import('./sessions.ts'),
    context: () => import('./context.ts'),
    stats: () => import('./stats.ts'),
    open: () => import('./open.ts'),
  },
  Work: {
    work: () => import('./work.ts'),
    plan: () => import('./plan.ts'),
    tasks: () => import('./tasks.ts'),
    handoff: () => import('./handoff.ts'),
  },
  Share: {
    team: () => import('./team.ts'),
  },
  Curate: {
    remember: () => import('./remember.ts'),
    edit: () => import('./edit.ts'),
    pin: () => import('./pin.ts'),
    forget: () => import('./forget.ts'),
    notes: () => import('./notes.ts'),
    project: () => import('./project.ts'),
    import: () => import('./import.ts'),
    export: () => import('./export.ts'),
  },
  Maintain: {
    status: () => import('./status.ts'),
    doctor: () => import('./doctor.ts'),
    config: () => import('./config.ts'),
    worker: () => import('./worker.ts'),
    queue: () => import('./queue.ts'),
    index: () => import('./search-index.ts'),
    logs: () => import('./logs.ts'),
    completion: async () => {
      const { createCompletion } = await import('./completion.ts');
      return { command: createCompletion(loadCommands) };
    },
  },
};

const LOADERS: Record<string, LoadCommand> = Object.assign({}, ...Object.values(COMMAND_GROUPS));

export const COMMAND_NAMES = Object.keys(LOADERS);

export async function loadCommand(name: string): Promise<Command | undefined> {
  return Object.hasOwn(LOADERS, name) ? (await LOADERS[name]?.())?.command : undefined;
}

/** Leaves out `hook`, which only agents call. */
export async function loadCommands(names = COMMAND_NAMES): Promise<Command[]> {
  const loaded = await Promise.all(names.filter((name) => name !== 'hook').map(loadCommand));
  return loaded.filter((command) => command !== undefined);
}
