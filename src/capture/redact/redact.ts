import { redactAssignments } from './assignments.ts';
import { redactHeaders, redactPlaces } from './places.ts';
import { redactPrivateKeys } from './private-keys.ts';
import { redactTokens } from './tokens.ts';

/**
 * The text with its secrets replaced by `[redacted:<kind>]`. What tells itself goes first, so that its mark
 * names it best; what only its surroundings tell comes after.
 */
export function redactText(text: string): string {
  return redactAssignments(redactHeaders(redactPlaces(redactTokens(redactPrivateKeys(text)))));
}
