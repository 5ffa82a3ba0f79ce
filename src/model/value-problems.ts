// How commands, tools and the API word a value that they refuse: one text for one mistake.

/** Of a search, in characters. */
export const LONGEST_QUERY = 10_000;
export const MISSING_TERMS = 'Missing search terms.';

export function describeTooLong(name: string, most: number | bigint, unit = 'characters'): string {
  return `${name} has more than ${most.toLocaleString('en-US')} ${unit}`;
}

/** `must be a whole number from 1 to 50`. Without a maximum: of at least 1. */
export function describeRange({ min, max }: { min: number; max?: number | undefined }): string {
  const isOpen = max === undefined || max === Number.MAX_SAFE_INTEGER;
  const range = isOpen ? `of at least ${min}` : `from ${min} to ${max}`;
  return `must be a whole number ${range}`;
}

/** What zod reports. Not its type, because commands do not load zod. */
interface ValueIssue {
  code?: string | undefined;
  path: PropertyKey[];
  message: string;
  origin?: unknown;
  expected?: unknown;
  values?: unknown;
  keys?: unknown;
  maximum?: unknown;
}

/** Of `describeRange`. Other messages are zod's, and depend on whether its language files are loaded. */
const OWN_MESSAGE = /^must be a whole number /;
const MOST_KEYS = 5;

export function describeIssue({ code, path, message, ...issue }: ValueIssue): string {
  const place = path.map(String).join('.') || 'value';
  if (OWN_MESSAGE.test(message)) return `${place} ${message}`;
  if (code === 'unrecognized_keys' && Array.isArray(issue.keys))
    return `unknown: ${issue.keys.slice(0, MOST_KEYS).join(', ')}`;
  if (code === 'invalid_type')
    return `${place} must be ${issue.expected === 'array' ? 'a list' : `a ${issue.expected}`}`;
  if (code === 'invalid_value' && Array.isArray(issue.values))
    return `${place} must be one of ${issue.values.join(', ')}`;
  if (code === 'too_big' && (typeof issue.maximum === 'number' || typeof issue.maximum === 'bigint'))
    return describeTooLong(place, issue.maximum, issue.origin === 'array' ? 'items' : 'characters');
  return code === 'too_small' ? `${place} is empty` : `${place} is not valid`;
}
