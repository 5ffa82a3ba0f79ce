import type { Json, JsonObject } from '../model/json.ts';
import { stripPart } from './private.ts';
import { redactAndClip } from './redact/clip.ts';
import { formatMark } from './redact/mark.ts';
import { isPlain } from './redact/plain.ts';
import { secretKind } from './redact/secret-names.ts';
import { isSecretValue } from './redact/secret-values.ts';

interface CleanLimits {
  maxText?: number;
  maxDepth?: number;
}

const TOO_DEEP = '[nested too deep]';

/**
 * Removes private parts, injected context and secrets from a payload, keys included, and clips long texts. Never
 * throws or changes its argument; a value that needs no cleaning is returned unchanged.
 */
export function cleanPayload(payload: Json, { maxText = 262_144, maxDepth = 64 }: CleanLimits = {}): Json {
  return cleanValue(payload, maxDepth);

  function cleanValue(value: Json, depth: number, neighbours: OpenTags = new Map()): Json {
    if (typeof value === 'string') return cleanText(value);
    if (typeof value !== 'object' || value === null) return value;
    if (depth === 0) return TOO_DEEP;
    if (isLines(value)) return cleanLines(value, undefined).lines;
    return Array.isArray(value) ? cleanList(value, depth) : cleanObject(value, depth, neighbours);
  }

  function cleanText(text: string): string {
    if (isPlain(text)) return text;
    return redactAndClip(stripPart(withoutNul(text)).text, maxText);
  }

  /** Lines are cleaned together: a key or a private part may span several. */
  function cleanLines(lines: string[], open: string | undefined): { lines: string[]; open?: string } {
    const text = lines.join('\n');
    const stripped = stripPart(withoutNul(text), open);
    const clean = redactAndClip(stripped.text, maxText);
    const still = stripped.open === undefined ? {} : { open: stripped.open };
    if (clean === text) return { lines, ...still };
    return { lines: lines.length === 1 ? [clean] : clean.split('\n'), ...still };
  }

  function cleanList(list: Json[], depth: number): Json[] {
    const neighbours: OpenTags = new Map();
    const clean = list.map((item) => cleanValue(item, depth - 1, neighbours));
    return clean.some((item, index) => item !== list[index]) ? clean : list;
  }

  function cleanObject(object: JsonObject, depth: number, neighbours: OpenTags): JsonObject {
    const entries = Object.entries(object);
    const valueName = entries.some(([key]) => isValueKey(key)) ? nameOfValue(entries) : undefined;
    const cleanName = valueName === undefined ? undefined : cleanText(valueName);
    const clean = new Map<string, Json>();
    const doubles = new Map<string, number>();
    let changed = false;
    for (const [key, value] of entries) {
      const cleanKey = unusedKey(cleanText(key), clean, doubles);
      const name = cleanName !== undefined && isValueKey(cleanKey) ? cleanName : cleanKey;
      const cleaned = redactNamed(name, cleanField(key, value, depth, neighbours));
      if (cleanKey !== key || cleaned !== value) changed = true;
      clean.set(cleanKey, cleaned);
    }
    // fromEntries defines properties, so a key `__proto__` stays a key.
    return changed ? Object.fromEntries(clean) : object;
  }

  /** The hunks of a patch are consecutive: a tag left open in one continues in the next. */
  function cleanField(key: string, value: Json, depth: number, neighbours: OpenTags): Json {
    if (depth === 1 || !isLines(value)) return cleanValue(value, depth - 1);
    const { lines, open } = cleanLines(value, neighbours.get(key));
    neighbours.set(key, open);
    return lines;
  }
}

/** Maps a field name to the tag left open at the end of the previous item. */
type OpenTags = Map<string, string | undefined>;

/** SQLite ends a text at its first NUL; the rest would be lost. */
function withoutNul(text: string): string {
  return text.includes('\0') ? text.replaceAll('\0', '\uFFFD') : text;
}

function isLines(value: Json): value is string[] {
  return Array.isArray(value) && value.length > 0 && value.every((item) => typeof item === 'string');
}

/** `{"name": "API_KEY", "value": "…"}`: the name is in a field of its own. */
function nameOfValue(entries: [string, Json][]): string | undefined {
  for (const [key, value] of entries) {
    if (typeof value === 'string' && /^(?:name|key|header|variable|field)$/i.test(key)) return value;
  }
  return undefined;
}

function isValueKey(key: string): boolean {
  return key.length === 5 && key.toLowerCase() === 'value';
}

function redactNamed(name: string, value: Json): Json {
  const kind = secretKind(name);
  if (kind === undefined) return value;
  if (typeof value === 'string') {
    return isSecretValue({ name, kind, value, position: 'quoted' }) ? formatMark(kind) : value;
  }
  if (typeof value === 'number' && kind === 'password' && value >= 1000) return formatMark(kind);
  if (!isLines(value)) return value;
  const clean = value.map((item) => redactNamed(name, item));
  return clean.some((item, index) => item !== value[index]) ? clean : value;
}

/** Keys may become equal when they are cleaned; neither value is lost. */
function unusedKey(key: string, taken: Map<string, Json>, doubles: Map<string, number>): string {
  let unused = key;
  while (taken.has(unused)) {
    const number = (doubles.get(key) ?? 1) + 1;
    doubles.set(key, number);
    unused = `${key} (${number})`;
  }
  return unused;
}
