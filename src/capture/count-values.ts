/** A smaller payload takes at most a few seconds to parse. */
const ALWAYS_FINE_BYTES = 16 * 1024 * 1024;
const MOST_VALUES = 4_000_000;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const BRACKET = 0x5b;
const BRACE = 0x7b;

/**
 * Whether a JSON text has so many values that parsing it would take minutes and gigabytes: 50 million empty objects are
 * 150 MB of text and need more memory than V8 has, so every intake would crash on the same file. Long strings are fine.
 */
export function hasTooManyValues(
  json: Buffer,
  { fineBytes = ALWAYS_FINE_BYTES, mostValues = MOST_VALUES } = {},
): boolean {
  if (json.length <= fineBytes) return false;
  let values = 0;
  for (let index = 0; index < json.length; index++) {
    const byte = json[index];
    if (byte === QUOTE) index = endOfString(json, index + 1);
    else if (byte === COMMA || byte === BRACKET || byte === BRACE) values++;
    if (values > mostValues) return true;
  }
  return false;
}

/** The position of the next quote that follows an even number of backslashes. */
function endOfString(json: Buffer, start: number): number {
  for (let end = json.indexOf(QUOTE, start); end !== -1; end = json.indexOf(QUOTE, end + 1)) {
    let before = end;
    while (before > start && json[before - 1] === BACKSLASH) before--;
    if ((end - before) % 2 === 0) return end;
  }
  return json.length;
}
