import { isObject, type JsonObject } from '../../src/model/json.ts';

/** The objects of a JSON lines text. A torn last line is left out. */
export function parseLines(text: string): JsonObject[] {
  return text.split('\n').flatMap((line) => {
    try {
      const value: unknown = JSON.parse(line);
      return isObject(value) ? [value] : [];
    } catch {
      return [];
    }
  });
}
