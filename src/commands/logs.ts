import { formatDay, formatTimeWithSeconds } from '../context/words.ts';
import { withCairnCommand } from '../platform/cairn-command.ts';
import { type LogLine, readLogLines } from '../platform/read-log.ts';
import { type Call, type Command, printJson } from './support/command.ts';
import { choiceOption, numberOption } from './support/usage.ts';

export const command: Command = {
  name: 'logs',
  summary: "Show Cairn's own log",
  usage: 'logs [--event <spool name>] [--level <level>] [--lines <n>] [--json]',
  help: 'Follow one event from hook to database by its spool name (see `cairn show --json`), with log.level debug.',
  options: {
    event: { type: 'string' },
    level: { type: 'string' },
    lines: { type: 'string' },
    json: { type: 'boolean' },
  },
  run(call) {
    const { options } = call;
    const most = numberOption(call, 'lines', { fallback: 50 });
    const levels = ['debug', 'info', 'warn', 'error'];
    const from = levels.indexOf(choiceOption('level', options.level ?? 'debug', levels));
    const lines = readLogLines(call.paths.logs).filter(
      (line) =>
        levels.indexOf(String(line.level)) >= from && (!options.event || line.event === options.event),
    );
    for (const line of lines.slice(-most)) {
      if (options.json) printJson(call, line, 0);
      else call.out(format(call, line));
    }
    if (lines.length === 0 && !options.json) call.out(describeEmpty(call));
    return 0;
  },
};

function describeEmpty({ options }: Call): string {
  if (options.event || options.level) return withCairnCommand('No matching log lines. Show all: cairn logs');
  return withCairnCommand('The log is empty. To log more: cairn config set log.level debug');
}

/** Prints the log of one part of Cairn; with `follow`, until interrupted. */
export async function followLogs(call: Call, from: string, follow: boolean): Promise<number> {
  let shown = 0;
  for (;;) {
    const lines = readLogLines(call.paths.logs).filter((line) => line.from === from);
    for (const line of shown === 0 ? lines.slice(-50) : lines.slice(shown)) call.out(format(call, line));
    shown = lines.length;
    if (!follow) return 0;
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}

function localTime(time: unknown): string {
  const at = Date.parse(String(time));
  return Number.isNaN(at) ? String(time) : `${formatDay(at)} ${formatTimeWithSeconds(at)}`;
}

function format({ paint }: Call, { time, level, from, message, pid: _, ...fields }: LogLine): string {
  const mark = level === 'error' ? paint.red : level === 'warn' ? paint.yellow : paint.dim;
  const rest = Object.entries(fields).map(([key, value]) => `${paint.dim(`${key}=`)}${String(value).trim()}`);
  return [paint.dim(localTime(time)), mark(String(level).padEnd(5)), from, message, ...rest].join(' ');
}
