import { redactAssignments } from './assignments.ts';
import { redactHeaders, redactPlaces } from './places.ts';
import { redactPrivateKeys } from './private-keys.ts';
import { redactTokens } from './tokens.ts';

const MOST_ROUNDS = 4;

/**
 * The text with its secrets replaced by `[redacted:<kind>]`. A secret may stand in the shade of another, so
 * a text that held one is searched again.
 */
export function redactText(text: string): string {
  let clean = text;
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const next = redactOnce(clean);
    if (next === clean) break;
    clean = next;
  }
  return clean;
}

/** What tells itself goes first, so that its mark names it best; what only its surroundings tell comes after. */
function redactOnce(text: string): string {
  return redactAssignments(redactHeaders(redactPlaces(redactTokens(redactPrivateKeys(text)))));
}
