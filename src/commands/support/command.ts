import type { ParseArgsConfig } from 'node:util';
import type { Environment } from '../../config/environment.ts';
import type { Settings } from '../../config/settings.ts';
import type { Framed } from '../../model/framed.ts';
import { stringifySafely } from '../../platform/control-characters.ts';
import type { Paths } from '../../platform/paths.ts';
import type { Paint } from './paint.ts';

/** One command of `cairn`: parses arguments, calls one function, prints the result. */
export interface Command {
  name: string;
  summary: string;
  /** The arguments after `cairn`; one line for each form. */
  usage: string;
  /** More text for `--help`. */
  help?: string;
  options: NonNullable<ParseArgsConfig['options']>;
  /** Number of positional arguments; 0 by default. */
  words?: number;
  /** @returns the exit code. */
  run(call: Call): Promise<number> | number;
}

export interface Call {
  positionals: string[];
  options: Record<string, string | boolean | (string | boolean)[] | undefined>;
  env: Environment;
  home: string;
  paths: Paths;
  settings: Settings;
  isTerminal: boolean;
  /** Undefined without a terminal. */
  columns?: number | undefined;
  paint: Paint;
  now: () => number;
  out(text: string): void;
  /** Prints text that `framing/` has already made safe for a model. */
  outFramed(text: Framed): void;
  err(text: string): void;
}

/** Wrong arguments: the message is followed by the command's usage. */
export class UsageError extends Error {
  override name = 'UsageError';
  readonly command: Pick<Command, 'usage'> | undefined;

  constructor(message: string, command?: Pick<Command, 'usage'>) {
    super(message);
    this.command = command;
  }
}

/** A failure. The message says why and what to do. */
export class CommandError extends Error {
  override name = 'CommandError';
}

/** `space` 0 prints one line. */
export function printJson(call: Call, value: unknown, space = 2): void {
  call.out(stringifySafely(value, space));
}
