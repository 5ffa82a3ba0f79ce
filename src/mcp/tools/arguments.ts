import type * as z from 'zod/mini';
import { redactValue } from '../../capture/redact/redact-value.ts';
import { isObject, type JsonObject } from '../../model/json.ts';
import type { Redacted } from '../../model/redacted.ts';
import { shorten } from '../../model/shorten.ts';
import { describeIssue } from '../../model/value-problems.ts';
import { ToolError } from './tool-error.ts';

/** Converts a model's arguments to the tool's types where the conversion is unambiguous. */
export function readArguments<Input extends z.ZodMiniObject>(
  tool: string,
  input: Input,
  schema: JsonObject,
  args: unknown,
): Redacted<z.output<Input>> {
  const known = isObject(schema.properties) ? schema.properties : {};
  const entries = isObject(args) ? Object.entries(args).filter(([, value]) => value !== null) : [];
  const unknown = entries.map(([name]) => name).find((name) => !Object.hasOwn(known, name));
  const names = Object.keys(known).join(', ');
  if (unknown !== undefined)
    throw new ToolError(`${tool} has no argument "${shorten(unknown, 80)}". Arguments: ${names}.`);

  const parsed = input.safeParse(
    Object.fromEntries(entries.map(([name, value]) => [name, asWanted(known[name], value)])),
  );
  // The only place where arguments are redacted: tools store, log and search nothing else.
  if (parsed.success) return redactValue(parsed.data);
  const { issues } = parsed.error;
  const more = issues.length - MOST_PROBLEMS;
  const problems = [
    ...issues.slice(0, MOST_PROBLEMS).map(describeIssue),
    ...(more > 0 ? [`${more} more`] : []),
  ];
  throw new ToolError(`Wrong arguments for ${tool}: ${problems.join('; ')}. Arguments: ${names}.`);
}

const MOST_PROBLEMS = 5;

/** Converts `"12"` to 12, `"true"` to true, an id to a list of one, JSON to a list, and a list to a text. */
function asWanted(schema: unknown, value: unknown): unknown {
  if (!isObject(schema)) return value;
  switch (schema.type) {
    case 'string':
      if (Array.isArray(value) && value.every(isWord)) return value.map((item) => `- ${item}`).join('\n');
      return typeof value === 'number' ? String(value) : value;
    case 'integer':
      return typeof value === 'string' && /^-?\d+$/.test(value) ? Number(value) : value;
    case 'boolean':
      return value === 'true' ? true : value === 'false' ? false : value;
    case 'array': {
      const list = Array.isArray(value) ? value : (listIn(value) ?? [value]);
      return list.map((item) => asWanted(schema.items, item));
    }
    default:
      return value;
  }
}

/** Only these types can be converted to text. */
function isWord(value: unknown): boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}

function listIn(value: unknown): unknown[] | undefined {
  if (typeof value !== 'string' || !value.trimStart().startsWith('[')) return undefined;
  try {
    const list: unknown = JSON.parse(value);
    return Array.isArray(list) ? list : undefined;
  } catch {
    return undefined;
  }
}
