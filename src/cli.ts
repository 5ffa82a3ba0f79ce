import { parseArgs } from 'node:util';
import { isRunByAgent } from './agents/all.ts';
import { type Call, type Command, CommandError, UsageError } from './commands/support/command.ts';
import { printLine, terminalColumns, textFilter, writeOut } from './commands/support/output.ts';
import { createPaint, wrapPainted } from './commands/support/paint.ts';
import { createUnknownError } from './commands/support/usage.ts';
import { COMMAND_GROUPS, COMMAND_NAMES, loadCommand, loadCommands } from './commands/table.ts';
import { type Environment, readEnvironment, UnknownHomeError } from './config/environment.ts';
import { loadSettings, UnusableSettingsError } from './config/settings.ts';
import { UnusableHomeError } from './memory/memory-error.ts';
import { cairnCommand, configureCairnCommand, withCairnCommand } from './platform/cairn-command.ts';
import { describeFileError } from './platform/file-error.ts';
import { type Paths, pathsOf } from './platform/paths.ts';
import { findForeignOwner } from './platform/private-home.ts';
import { VERSION } from './platform/version.ts';
import { isStoreError } from './store/store-error.ts';

// A reader that closes the pipe (`cairn sessions | head`) is not an error.
process.stdout.on('error', () => process.exit(0));

main(process.argv.slice(2)).then(
  // Exiting at once would drop output that a slow reader (`cairn install --dry-run | less`) has not read yet.
  (code) => writeOut('').then(() => process.exit(code)),
  (error: unknown) => {
    // Agents call `hook`, so it never fails.
    if (process.argv[2] === 'hook') process.exit(0);
    printError(error);
    process.exit(1);
  },
);

async function main([name = 'help', ...args]: string[]): Promise<number> {
  if (name === '--version' || name === '-v' || name === 'version') return print(VERSION);
  if (name === 'help' || name === '--help' || name === '-h') return helpAnywhere(args[0]);
  const env = readEnvironment();
  const paths = pathsOf(env.cairnHome);
  configureCairnCommand({ ...env, launcher: paths.launcher });
  const command = await load(name);
  const call = await prepare(command, args, env, paths);
  if (!call) return help(name);
  if (name !== 'hook' && name !== 'doctor') refuseForeignHome(call.home);
  try {
    return await command.run(call);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    throw new UsageError(error.message, command);
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
async function prepare(
  command: Command,
  args: string[],
  env: Environment,
  paths: Paths,
): Promise<Call | null> {
  const { values, positionals } = parse(command, args);
  if (values.help) return null;
  const [unknown] = positionals.slice(command.words ?? 0);
  if (unknown !== undefined) throw new UsageError(`Unexpected argument: ${unknown}.`, command);
  const isTerminal = process.stdout.isTTY === true;
  const forReader = await textFilter(!isTerminal && isRunByAgent(env));
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
    return parseArgs({ args: joinNegative(args, command), options, allowPositionals: true, strict: true });
  } catch (error) {
    // Agents call `hook`, so it must not fail on unexpected arguments.
    if (command.name === 'hook') return { values: {} as Record<string, undefined>, positionals: args };
    const valued = /Option '(--[^' ]+)[^']*' argument (?:is ambiguous|missing)/.exec(String(error))?.[1];
    if (valued)
      throw new UsageError(
        `${valued} needs a value. One that starts with - is written ${valued}=-1.`,
        command,
      );
    const unknown = /Unknown option '(-+[^']+)'/.exec(String(error))?.[1];
    if (!unknown) throw new UsageError(error instanceof Error ? error.message : String(error), command);
    // For `-port` the error names only `-p`.
    const typed = args.find((arg) => arg.startsWith(unknown) && !arg.startsWith('--'));
    if (typed !== undefined && command.words)
      throw new UsageError(`Unknown option: ${typed}. If it is not an option, put -- before it.`, command);
    const known = Object.keys(options).map((option) => `--${option}`);
    throw new UsageError(createUnknownError('option', unknown, known).message, command);
  }
}

/** `--limit -1` as `--limit=-1`: node takes the number for an option, but the command says which numbers it accepts. */
function joinNegative(args: string[], { options }: Command): string[] {
  const end = args.indexOf('--');
  const joined: string[] = [];
  for (const [at, arg] of args.entries()) {
    const [, name = ''] = /^--(\S+)$/.exec(args[at - 1] ?? '') ?? [];
    const isValue = options[name]?.type === 'string' && (end < 0 || at < end);
    if (isValue && /^-\d+$/.test(arg)) joined.push(`${joined.pop()}=${arg}`);
    else joined.push(arg);
  }
  return joined;
}

/** Works even for a user whose home is unknown. */
async function helpAnywhere(name?: string): Promise<number> {
  try {
    const env = readEnvironment();
    configureCairnCommand({ ...env, launcher: pathsOf(env.cairnHome).launcher });
  } catch (error) {
    if (!(error instanceof UnknownHomeError)) throw error;
  }
  return name ? help(name) : print(await overview());
}

async function help(name: string): Promise<number> {
  const command = await load(name);
  return print(
    [
      command.summary,
      '',
      usageOf(command),
      ...(command.help ? ['', withCairnCommand(command.help)] : []),
    ].join('\n'),
  );
}

/** A line of `usage` that starts with a space continues the form before it. */
function usageOf({ usage }: Pick<Command, 'usage'>): string {
  const program = cairnCommand();
  return usage
    .split('\n')
    .map((line, index) => {
      const start = index === 0 ? 'Usage: ' : '       ';
      return line.startsWith(' ')
        ? `${start}${' '.repeat(program.length)}${line}`
        : `${start}${program} ${line}`;
    })
    .join('\n');
}

async function overview(): Promise<string> {
  const groups = Object.entries(COMMAND_GROUPS).map(async ([title, group]) => {
    const commands = await loadCommands(Object.keys(group));
    return [title, ...commands.map(({ name, summary }) => fitLine(`  ${name.padEnd(13)} ${summary}`)), ''];
  });
  return [
    `Cairn ${VERSION}: memory for AI coding agents`,
    '',
    withCairnCommand('Usage: cairn <command> [options]'),
    '',
    ...(await Promise.all(groups)).flat(),
    fitLine(withCairnCommand('Help for one command: cairn help <command>')),
  ].join('\n');
}

/** On a narrow terminal the summary wraps below itself. */
function fitLine(line: string): string {
  const columns = terminalColumns();
  return columns === undefined ? line : wrapPainted(line, columns, 16);
}

function print(text: string): number {
  printLine('stdout', text);
  return 0;
}

/** Prints errors that a person can act on. Any other error is a bug and is printed with its stack. */
function printError(error: unknown): void {
  const command = error instanceof UsageError ? error.command : undefined;
  const usage = command ? `\n\n${usageOf(command)}` : '';
  printLine('stderr', `cairn: ${withCairnCommand(messageOf(error))}${usage}`);
}

function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // Thrown by `process.cwd()` if the current folder was deleted.
  if ('syscall' in error && error.syscall === 'uv_cwd')
    return 'The current folder no longer exists. Change to another folder and try again.';
  if (isStoreError(error, 'full-disk')) return `${error.message} Free some space and try again.`;
  const isTheirs =
    error instanceof UsageError ||
    error instanceof CommandError ||
    error instanceof UnknownHomeError ||
    error instanceof UnusableHomeError ||
    error instanceof UnusableSettingsError ||
    isStoreError(error);
  return isTheirs ? error.message : (describeFileError(error) ?? error.stack ?? error.message);
}
