import { isObject, type Json } from '../../../model/json.ts';
import { headAndTail, stripColours } from '../text/plain.ts';

/** How much of a call's output is looked at: errors stand at its beginning, results at its end. */
const HEAD = 3_000;
const TAIL = 5_000;

/** What a command printed, or what failed, as text; the middle of a long output is left out. */
export function outputOf(response: Json): string {
  return stripColours(headAndTail(rawOutput(response), HEAD, TAIL));
}

function rawOutput(response: Json): string {
  if (typeof response === 'string') return response;
  if (Array.isArray(response)) return response.slice(0, 5).map(rawOutput).join('\n');
  if (!isObject(response)) return '';
  const { stdout, stderr, output, text, content, error } = response;
  return [stdout, stderr, output, text, error, content]
    .map((part) => (part === undefined ? '' : rawOutput(part)))
    .filter((part) => part !== '')
    .join('\n');
}

export function textField(value: Json | undefined, key: string): string | undefined {
  const field = isObject(value) ? value[key] : undefined;
  return typeof field === 'string' ? field : undefined;
}

export function listField(value: Json | undefined, key: string): Json[] {
  const field = isObject(value) ? value[key] : undefined;
  return Array.isArray(field) ? field : [];
}
