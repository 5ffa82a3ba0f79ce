import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { readIfThere } from '../platform/files.ts';
import { type Call, type Command, printJson, UsageError } from './command.ts';

export const command: Command = {
  name: 'logs',
  summary: "Cairn's own log: what hooks answered, what went wrong",
  usage: 'logs [--event <spool name>] [--level <level>] [--lines <n>] [--json]',
  help: 'An event can be followed by its spool name, which `cairn show --json` gives, from the hook to the store (log.level debug).',
  options: {
    event: { type: 'string' },
    level: { type: 'string' },
    lines: { type: 'string' },
    json: { type: 'boolean' },
  },
  run(call) {
    const { options } = call;
    const most = Number(options.lines ?? 50);
    if (!Number.isInteger(most) || most < 1) throw new UsageError('--lines takes a whole number above 0.');
    const levels = ['debug', 'info', 'warn', 'error'];
    const from = levels.indexOf(String(options.level ?? 'debug'));
    if (from < 0) throw new UsageError(`--level takes one of ${levels.join(', ')}.`);
    const lines = read(call).filter(
      (line) =>
        levels.indexOf(String(line.level)) >= from && (!options.event || line.event === options.event),
    );
    for (const line of lines.slice(-most)) {
      if (options.json) printJson(call, line, 0);
      else call.out(format(call, line));
    }
    return 0;
  },
};

/** The log of one part of Cairn; with `follow` until it is interrupted. */
export async function followLogs(call: Call, from: string, follow: boolean): Promise<number> {
  let shown = 0;
  for (;;) {
    const lines = read(call).filter((line) => line.from === from);
    for (const line of shown === 0 ? lines.slice(-50) : lines.slice(shown)) call.out(format(call, line));
    shown = lines.length;
    if (!follow) return 0;
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}

type Line = Record<string, unknown>;

function read({ paths }: Call): Line[] {
  let names: string[];
  try {
    names = readdirSync(paths.logs).filter((name) => name.endsWith('.jsonl'));
  } catch {
    return [];
  }
  return names.sort().flatMap((name) =>
    (readIfThere(join(paths.logs, name)) ?? '').split('\n').flatMap((line) => {
      try {
        return line ? [JSON.parse(line)] : [];
      } catch {
        return [];
      }
    }),
  );
}

function format({ paint }: Call, { time, level, from, message, pid: _, ...fields }: Line): string {
  const mark = level === 'error' ? paint.red : level === 'warn' ? paint.yellow : paint.dim;
  const rest = Object.entries(fields).map(([key, value]) => `${paint.dim(`${key}=`)}${String(value).trim()}`);
  return [paint.dim(String(time)), mark(String(level).padEnd(5)), from, message, ...rest].join(' ');
}
