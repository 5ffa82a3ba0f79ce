import { parseArgs } from 'node:util';
import { type Call, type Command, CommandError, UsageError } from './commands/command.ts';
import { nearest } from './commands/nearest.ts';
import { printLine, textFilter } from './commands/output.ts';
import { createPaint } from './commands/paint.ts';
import { readEnvironment, UnknownHomeError } from './config/environment.ts';
import { loadSettings } from './config/settings.ts';
import { pathsOf } from './platform/paths.ts';
import { foreignOwner } from './platform/private-home.ts';
import { VERSION } from './platform/version.ts';

/** Each is loaded when it is called. In the order in which a person meets them. */
const COMMANDS: Record<string, () => Promise<{ command: Command }>> = {
  install: () => import('./commands/install.ts'),
  uninstall: () => import('./commands/uninstall.ts'),
  status: () => import('./commands/status.ts'),
  doctor: () => import('./commands/doctor.ts'),
  recent: () => import('./commands/recent.ts'),
  search: () => import('./commands/search.ts'),
  timeline: () => import('./commands/timeline.ts'),
  file: () => import('./commands/file.ts'),
  context: () => import('./commands/context.ts'),
  work: () => import('./commands/work.ts'),
  plan: () => import('./commands/plan.ts'),
  tasks: () => import('./commands/tasks.ts'),
  handoff: () => import('./commands/handoff.ts'),
  sessions: () => import('./commands/sessions.ts'),
  show: () => import('./commands/show.ts'),
  why: () => import('./commands/why.ts'),
  remember: () => import('./commands/remember.ts'),
  edit: () => import('./commands/edit.ts'),
  pin: () => import('./commands/pin.ts'),
  forget: () => import('./commands/forget.ts'),
  notes: () => import('./commands/notes.ts'),
  stats: () => import('./commands/stats.ts'),
  export: () => import('./commands/export.ts'),
  import: () => import('./commands/import.ts'),
  project: () => import('./commands/project.ts'),
  pause: () => import('./commands/pause.ts'),
  resume: () => import('./commands/resume.ts'),
  config: () => import('./commands/config.ts'),
  worker: () => import('./commands/worker.ts'),
  queue: () => import('./commands/queue.ts'),
  index: () => import('./commands/search-index.ts'),
  logs: () => import('./commands/logs.ts'),
  tour: () => import('./commands/tour/tour.ts'),
  mcp: () => import('./commands/mcp.ts'),
  statusline: () => import('./commands/statusline.ts'),
  'suggest-files': () => import('./commands/suggest-files.ts'),
  hook: () => import('./commands/hook.ts'),
};

// A reader that went away (`cairn sessions | head`) is no error.
process.stdout.on('error', () => process.exit(0));

main(process.argv.slice(2)).then(
  (code) => process.exit(code),
  (error: unknown) => {
    // An agent calls this one: it never fails.
    if (process.argv[2] === 'hook') process.exit(0);
    printError(error);
    process.exit(1);
  },
);

async function main([name = 'help', ...args]: string[]): Promise<number> {
  if (name === '--version' || name === '-v' || name === 'version') return print(VERSION);
  if (name === 'help' || name === '--help' || name === '-h')
    return args[0] ? help(args[0]) : print(await overview());
  const command = await load(name);
  const call = await prepare(command, args);
  if (!call) return help(name);
  if (name !== 'hook' && name !== 'doctor') refuseForeignHome(call.home);
  try {
    return await command.run(call);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    throw new UsageError(`${error.message}\n\n${usageOf(command)}`);
  }
}

function refuseForeignHome(home: string): void {
  const owner = foreignOwner(home);
  if (owner !== null)
    throw new CommandError(
      `${home} belongs to another user (uid ${owner}). Set CAIRN_HOME to a folder of your own.`,
    );
}

async function load(name: string): Promise<Command> {
  const loader = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (loader) return (await loader()).command;
  const meant = nearest(name, Object.keys(COMMANDS));
  throw new UsageError(
    `There is no command "${name}".${meant ? ` Did you mean "cairn ${meant}"?` : ''} See: cairn help`,
  );
}

/** @returns null when help was asked for. */
async function prepare(command: Command, args: string[]): Promise<Call | null> {
  const { values, positionals } = parse(command, args);
  if (values.help) return null;
  const [unknown] = positionals.slice(command.words ?? 0);
  if (unknown !== undefined)
    throw new UsageError(`"cairn ${command.name}" does not take "${unknown}".\n\n${usageOf(command)}`);
  const env = readEnvironment();
  const paths = pathsOf(env.cairnHome);
  const isTerminal = process.stdout.isTTY === true;
  const forReader = await textFilter(env.isInAgent && !isTerminal);
  return {
    positionals,
    options: values,
    env,
    home: env.cairnHome,
    paths,
    settings: loadSettings(paths.config, env).settings,
    isTerminal,
    paint: createPaint(isTerminal && !env.noColor),
    now: Date.now,
    out: (text) => printLine('stdout', forReader(text)),
    outFramed: (text) => printLine('stdout', text),
    err: (text) => printLine('stderr', text),
  };
}

function parse(command: Command, args: string[]) {
  const options = { ...command.options, help: { type: 'boolean', short: 'h' } } as const;
  try {
    return parseArgs({ args, options, allowPositionals: true, strict: true });
  } catch (error) {
    // Agents call this one; whatever they pass, it must not fail.
    if (command.name === 'hook') return { values: {} as Record<string, undefined>, positionals: args };
    const unknown = /Unknown option '(-+[^']+)'/.exec(String(error))?.[1];
    if (!unknown)
      throw new UsageError(`${error instanceof Error ? error.message : error}\n\n${usageOf(command)}`);
    const meant = nearest(
      unknown,
      Object.keys(options).map((option) => `--${option}`),
    );
    throw new UsageError(
      `"cairn ${command.name}" has no option ${unknown}.${meant ? ` Did you mean ${meant}?` : ''}\n\n${usageOf(command)}`,
    );
  }
}

async function help(name: string): Promise<number> {
  const command = await load(name);
  return print(
    [command.summary, '', usageOf(command), ...(command.help ? ['', command.help] : [])].join('\n'),
  );
}

function usageOf(command: Command): string {
  return command.usage
    .split('\n')
    .map((line, index) => `${index === 0 ? 'Usage: ' : '       '}cairn ${line}`)
    .join('\n');
}

async function overview(): Promise<string> {
  const names = Object.keys(COMMANDS).filter((name) => name !== 'hook');
  const commands = await Promise.all(names.map(load));
  return [
    `Cairn ${VERSION}: memory for AI coding agents`,
    '',
    'Usage: cairn <command> [options]',
    '',
    ...commands.map(({ name, summary }) => `  ${name.padEnd(13)} ${summary}`),
    '',
    'More on one of them: cairn help <command>',
  ].join('\n');
}

function print(text: string): number {
  printLine('stdout', text);
  return 0;
}

/** What a person can act on; anything else is a fault of ours and shows where it happened. */
function printError(error: unknown): void {
  printLine('stderr', `cairn: ${messageOf(error)}`);
}

function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // `process.cwd()` in a folder that was deleted.
  if ('syscall' in error && error.syscall === 'uv_cwd')
    return 'The current folder no longer exists. Change to another folder and try again.';
  const isTheirs =
    error instanceof UsageError ||
    error instanceof CommandError ||
    error instanceof UnknownHomeError ||
    isStoreError(error);
  return isTheirs ? error.message : (error.stack ?? error.message);
}

function isStoreError(error: Error): boolean {
  return /^(NewerDatabase|DamagedDatabase|BusyDatabase|ReadOnlyDatabase|FullDisk)Error$/.test(error.name);
}
