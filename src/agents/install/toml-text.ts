import { parse, TomlError } from 'smol-toml';
import { isObject } from '../../model/json.ts';
import { InvalidJsonError } from './json-text.ts';

/** Formats keys and values, one line each. */
export function formatTomlLines(table: object): string[] {
  return Object.entries(table).map(([key, value]) => `${key} = ${formatValue(value)}`);
}

/** JSON strings are also TOML strings. */
function formatValue(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(formatValue).join(', ')}]`;
  if (isObject(value)) return `{ ${formatTomlLines(value).join(', ')} }`;
  return JSON.stringify(value);
}

/** @throws an error with the line and column of the problem. */
export function readToml(text: string | null): unknown {
  try {
    return parse(text ?? '');
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const [problem = ''] = error.message.split('\n');
    const lines = (text ?? '').split('\n').slice(0, error.line - 1);
    const offset = lines.reduce((sum, line) => sum + line.length + 1, 0) + error.column - 1;
    throw new InvalidJsonError(text ?? '', offset, problem.replace(/^Invalid TOML document: /, ''));
  }
}
