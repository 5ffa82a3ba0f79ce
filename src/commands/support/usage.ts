import { findNearest } from '../../model/find-nearest.ts';
import { describeRange } from '../../model/value-problems.ts';
import { type Call, UsageError } from './command.ts';

// Usage errors with the same wording in every command. cli.ts prints the command's usage below them.

/** The subcommand that the first argument names. */
export function selectSubcommand<T>(subcommands: Record<string, T>, word: string): T {
  const subcommand = Object.hasOwn(subcommands, word) ? subcommands[word] : undefined;
  if (subcommand === undefined) throw createUnknownError('subcommand', word, Object.keys(subcommands));
  return subcommand;
}

/** `hint` is for a name that resembles none of the known ones. */
export function createUnknownError(what: string, input: string, known: string[], hint = ''): UsageError {
  const similar = findNearest(input, known);
  const advice = similar ? `Did you mean ${similar}?` : hint;
  return new UsageError(`Unknown ${what}: ${input}.${advice && ` ${advice}`}`);
}

/** `hint` says where to find the missing value. */
export function requireArgument(value: string | undefined, what: string, hint = ''): string {
  if (value === undefined || value === '') throw new UsageError(`Missing ${what}.${hint && ` ${hint}`}`);
  return value;
}

export function rejectExtra([extra]: string[]): void {
  if (extra !== undefined) throw new UsageError(`Unexpected argument: ${extra}.`);
}

/** How a person writes the option. */
export const LIMIT = (limit: number): string => `--limit ${limit}`;

interface NumberRange {
  fallback: number;
  min?: number;
  max?: number;
}

export function numberOption({ options }: Call, name: string, range: NumberRange): number {
  const { fallback, min = 1, max } = range;
  const number = Number(options[name] ?? fallback);
  if (Number.isInteger(number) && number >= min && number <= (max ?? number)) return number;
  throw new UsageError(`--${name} ${describeRange({ min, max })}.`);
}

/** @throws UsageError for any other value. */
export function choiceOption<C extends string>(name: string, value: unknown, choices: readonly C[]): C {
  const choice = choices.find((known) => known === value);
  if (choice === undefined) throw new UsageError(`--${name} must be one of: ${choices.join(', ')}.`);
  return choice;
}
