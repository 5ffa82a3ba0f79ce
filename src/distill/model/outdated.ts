/** In characters: a correction mostly concerns what was said last. */
const LONGEST_LIST = 2_400;
const LONGEST_STATEMENT = 300;
/** A model that rejects more than this has not understood what it is asked. */
const MOST_OUTDATED = 8;

/** Of what earlier memories say, the latest: a model is shown these to judge whether they still hold. */
export function selectStatements(earlier: string[]): string[] {
  let room = LONGEST_LIST;
  return earlier.filter((statement) => {
    if (statement.length > LONGEST_STATEMENT) return false;
    room -= statement.length + 1;
    return room >= 0;
  });
}

/** `1. …`, as `pickStatements` reads the numbers. */
export function listStatements(shown: string[]): string {
  return shown.map((statement, index) => `${index + 1}. ${statement.replace(/\s+/g, ' ')}`).join('\n');
}

/** Those that the model names by number; numbers that were not listed say nothing. */
export function pickStatements(shown: string[], numbers: number[]): string[] {
  const named = new Set(numbers);
  const picked = shown.filter((_, index) => named.has(index + 1));
  return picked.length > MOST_OUTDATED ? [] : picked;
}
