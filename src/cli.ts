import { parseArgs } from 'node:util';
import { type Call, type Command, CommandError, UsageError } from './commands/support/command.ts';
import { printLine, terminalColumns, textFilter } from './commands/support/output.ts';
import { createPaint } from './commands/support/paint.ts';
import { createUnknownError } from './commands/support/usage.ts';
import { COMMAND_GROUPS, COMMAND_NAMES, loadCommand, loadCommands } from './commands/table.ts';
import { readEnvironment, UnknownHomeError } from './config/environment.ts';
import { loadSettings } from './config/settings.ts';
import { UnusableHomeError } from './memory/memory-error.ts';
import { configureCairnCommand, withCairnCommand } from './platform/cairn-command.ts';
import { pathsOf } from './platform/paths.ts';
import { findForeignOwner } from './platform/private-home.ts';
import { VERSION } from './platform/version.ts';
import { isStoreError } from './store/store-error.ts';

// A reader that closed the pipe (`cairn sessions | head`) is not an error.
process.stdout.on('error', () => process.exit(0));

main(process.argv.slice(2)).then(
  (code) => process.exit(code),
  (error: unknown) => {
    // Called by agents: it never fails.
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
  const owner = findForeignOwner(home);
  if (owner !== null)
    throw new CommandError(
      `${home} belongs to another user (uid ${owner}). Set CAIRN_HOME to a folder of your own.`,
    );
}

async function load(name: string): Promise<Command> {
  const command = await loadCommand(name);
  if (command) return command;
  const { message } = createUnknownError('command', name, COMMAND_NAMES);
  throw new UsageError(`${message} See: cairn help`);
}

/** @returns null if help was requested. */
async function prepare(command: Command, args: string[]): Promise<Call | null> {
  const { values, positionals } = parse(command, args);
  if (values.help) return null;
  const [unknown] = positionals.slice(command.words ?? 0);
  if (unknown !== undefined) throw new UsageError(`Unexpected argument: ${unknown}.\n\n${usageOf(command)}`);
  const env = readEnvironment();
  const paths = pathsOf(env.cairnHome);
  configureCairnCommand({ ...env, launcher: paths.launcher });
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
    columns: terminalColumns(),
    paint: createPaint(isTerminal && !env.noColor && !env.isDumbTerminal),
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
    // Called by agents: it must not fail, whatever they pass.
    if (command.name === 'hook') return { values: {} as Record<string, undefined>, positionals: args };
    const unknown = /Unknown option '(-+[^']+)'/.exec(String(error))?.[1];
    if (!unknown)
      throw new UsageError(`${error instanceof Error ? error.message : error}\n\n${usageOf(command)}`);
    const known = Object.keys(options).map((option) => `--${option}`);
    throw new UsageError(`${createUnknownError('option', unknown, known).message}\n\n${usageOf(command)}`);
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
  const groups = Object.entries(COMMAND_GROUPS).map(async ([title, group]) => {
    const commands = await loadCommands(Object.keys(group));
    return [title, ...commands.map(({ name, summary }) => `  ${name.padEnd(13)} ${summary}`), ''];
  });
  return [
    `Cairn ${VERSION}: memory for AI coding agents`,
    '',
    'Usage: cairn <command> [options]',
    '',
    ...(await Promise.all(groups)).flat(),
    'Help for one command: cairn help <command>',
  ].join('\n');
}

function print(text: string): number {
  printLine('stdout', text);
  return 0;
}

/** Errors that a person can act on; any other is a bug and is shown with its stack. */
function printError(error: unknown): void {
  printLine('stderr', `cairn: ${withCairnCommand(messageOf(error))}`);
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
    error instanceof UnusableHomeError ||
    isStoreError(error);
  return isTheirs ? error.message : (error.stack ?? error.message);
}
