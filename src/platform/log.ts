import { appendFileSync, existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { errorCode, makePrivateFolder, PRIVATE_FILE } from './files.ts';

const LEVELS = ['debug', 'info', 'warn', 'error'] as const;
export type LogLevel = (typeof LEVELS)[number];

/** Fields are ids, names, sizes and causes; never payloads, never environment values. */
export type LogFields = Record<string, string | number | boolean | null | undefined>;

export interface Log {
  debug(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
}

export interface LogOptions {
  folder: string;
  level?: LogLevel | 'off';
  /** The writing process: hook, intake, a command. */
  from: string;
  now?: () => number;
  /** Applied to every text of a line; `capture/open-log.ts` passes the redactor. */
  redact?: (text: string) => string;
  /** Fields that are already redacted. */
  redactedFields?: string[];
  /** A process that outlives the folder must not create it again. */
  makesFolder?: boolean;
  onTrouble?: (message: string) => void;
}

/** JSON lines, one file per day. Write errors are ignored. */
export function createLog({
  folder,
  level = 'info',
  from,
  now = Date.now,
  redact = (text) => text,
  redactedFields = [],
  makesFolder = true,
  onTrouble = () => {},
}: LogOptions): Log {
  let hasFailed = false;

  function write(lineLevel: LogLevel, message: string, fields: LogFields = {}): void {
    if (level === 'off' || LEVELS.indexOf(lineLevel) < LEVELS.indexOf(level)) return;
    const time = new Date(now()).toISOString();
    const line = `${JSON.stringify({ time, level: lineLevel, from, pid: process.pid, message, ...redacted(fields) })}\n`;
    const file = join(folder, `${time.slice(0, 10)}.jsonl`);
    try {
      append(file, line);
    } catch (error) {
      if (!hasFailed) onTrouble(`Cairn cannot write its log ${file}: ${errorCode(error) ?? 'unknown error'}`);
      hasFailed = true;
    }
  }

  function redacted(fields: LogFields): LogFields {
    const isRaw = (name: string, value: LogFields[string]) =>
      typeof value === 'string' && !redactedFields.includes(name);
    return Object.fromEntries(
      Object.entries(fields).map(([name, value]) => [
        name,
        isRaw(name, value) ? redact(String(value)) : value,
      ]),
    );
  }

  function append(file: string, line: string): void {
    try {
      appendFileSync(file, line, { mode: PRIVATE_FILE });
    } catch (error) {
      if (errorCode(error) !== 'ENOENT' || !makesFolder) throw error;
      makePrivateFolder(folder);
      appendFileSync(file, line, { mode: PRIVATE_FILE });
    }
  }

  return {
    debug: (message, fields) => write('debug', message, fields),
    info: (message, fields) => write('info', message, fields),
    warn: (message, fields) => write('warn', message, fields),
    error: (message, fields) => write('error', message, fields),
  };
}

/** Describes an error. The message of a SyntaxError is left out because it could quote a payload. */
export function describeError(error: unknown): string {
  if (error instanceof SyntaxError) return 'SyntaxError';
  if (error instanceof Error) return `${error.name}: ${error.message}`;
  return typeof error;
}

export function removeOldLogs(folder: string, keepDays: number, now: number): void {
  const oldest = new Date(now - keepDays * 86_400_000).toISOString().slice(0, 10);
  for (const name of existsSync(folder) ? readdirSync(folder) : []) {
    if (/^\d{4}-\d\d-\d\d\.jsonl$/.test(name) && name.slice(0, 10) < oldest) rmSync(join(folder, name));
  }
}
