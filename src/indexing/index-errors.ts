import { ERRORS_OF_ONE, type ErrorText, parseErrors } from '../model/error-text.ts';
import { isObject, type Json } from '../model/json.ts';
import type { Store } from '../store/store.ts';
import type { FailedCall, IndexedError } from '../store/types/error.ts';
import { joinTokens } from './search-text.ts';

const CALLS_AT_ONCE = 200;

/** Indexes the errors of failed calls. */
export function indexErrors(
  store: Pick<Store, 'indexPendingErrors'>,
  { until, now }: { until: number; now: () => number },
): void {
  while (now() < until && store.indexPendingErrors(readErrors, CALLS_AT_ONCE) === CALLS_AT_ONCE);
}

/** Parses the raw event. For an emptied one only the words of stored errors are updated. */
function readErrors({ response, errors }: FailedCall): IndexedError[] {
  const found = response === null ? errors : parseErrors(textOf(JSON.parse(response)), ERRORS_OF_ONE);
  return found.map((error) => ({ ...error, words: wordsOf(error) }));
}

/** In the order in which an error is printed: name, message, location. */
function wordsOf({ name, message, frames }: ErrorText): string {
  return joinTokens([name, message, ...frames]);
}

function textOf(value: Json): string {
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return value.map(textOf).join('\n');
  return isObject(value)
    ? Object.values(value)
        .map((part) => textOf(part ?? null))
        .join('\n')
    : '';
}
