import type { ParseArgsConfig } from 'node:util';
import type { Environment } from '../../config/environment.ts';
import type { Settings } from '../../config/settings.ts';
import type { Framed } from '../../model/framed.ts';
import { stringifySafely } from '../../platform/control-characters.ts';
import type { Paths } from '../../platform/paths.ts';
import type { Paint } from './paint.ts';

/** One command of `cairn`: parse, call one function, print. */
export interface Command {
  name: string;
  summary: string;
  /** What follows `cairn`, a line for each form. */
  usage: string;
  /** More for `--help`, where the usage does not say it all. */
  help?: string;
  options: NonNullable<ParseArgsConfig['options']>;
  /** How many words may follow its name; none unless said. */
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
  /** How wide the terminal is; undefined where there is none. */
  columns?: number | undefined;
  paint: Paint;
  now: () => number;
  /** A line to stdout. */
  out(text: string): void;
  /** The same for what `framing/` has made safe for a model already. */
  outFramed(text: Framed): void;
  /** A line to stderr. */
  err(text: string): void;
}

/** The command was called wrongly: its usage is shown with the message. */
export class UsageError extends Error {
  override name = 'UsageError';
  readonly command: Pick<Command, 'usage'> | undefined;

  constructor(message: string, command?: Pick<Command, 'usage'>) {
    super(message);
    this.command = command;
  }
}

/** It cannot be done; the message says why and what to do. */
export class CommandError extends Error {
  override name = 'CommandError';
}

/** `space` 0: on one line. */
export function printJson(call: Call, value: unknown, space = 2): void {
  call.out(stringifySafely(value, space));
}
