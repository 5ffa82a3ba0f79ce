import { type Edit, mergeEdits } from './edits.ts';
import { indexHints } from './hints.ts';
import { addressRules } from './rules/addresses.ts';
import { credentialRules } from './rules/credentials.ts';
import { headerRules } from './rules/headers.ts';
import type { PlaceRule } from './rules/place-rule.ts';

/** Finds secrets that are in an address: `https://user:…@host`. */
export function findAddresses(text: string): Edit[] {
  return findPlaces(addressRules, text);
}

const credentialPlaces = [...headerRules, ...credentialRules];
const mayHoldCredential = indexHints(credentialPlaces);

/** Finds credentials in headers, statements and files of a known form: SQL, `.pgpass`, password hashes. */
export function findCredentials(text: string): Edit[] {
  const mayHold = mayHoldCredential(text);
  return mayHold.includes(true)
    ? findPlaces(
        credentialPlaces.filter((_, number) => mayHold[number]),
        text,
      )
    : [];
}

function findPlaces(rules: PlaceRule[], text: string): Edit[] {
  const edits: Edit[] = [];
  for (const { kind, hints, pattern, accepts } of rules) {
    if (!hints.some((hint) => text.includes(hint))) continue;
    pattern.lastIndex = 0;
    for (let hit = pattern.exec(text); hit !== null; hit = pattern.exec(text)) {
      const [, before = '', value = ''] = hit;
      if (value === '' || !accepts(value)) {
        // What was taken for a value may hold the next place.
        if (value !== '') pattern.lastIndex = hit.index + before.length;
        continue;
      }
      const start = hit.index + before.length;
      edits.push({ start, end: start + value.length, kind });
    }
  }
  return mergeEdits(edits);
}
