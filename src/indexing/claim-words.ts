import type { ClaimWords, SearchSource } from '../store/types/search.ts';
import { isSaidBy, listClaims } from './claims.ts';
import { joinTokens } from './search-text.ts';

/** A longer request contains pasted text. */
const LONGEST_REQUEST = 2_000;

/** @returns null for a prompt and for a superseded memory, which have no claims. */
export function buildClaimWords(source: SearchSource): ClaimWords | null {
  if (source.kind === 'prompt' || source.isSuperseded) return null;
  // Claims that an observation of the turn also says are indexed there.
  const claims = listClaims(source).filter(({ text }) => !isSaidBy(text, source.siblings));
  return {
    header: joinTokens([
      source.title,
      ...source.aliases,
      ...source.concepts,
      ...source.files,
      ...source.symbols,
    ]),
    request: joinTokens([source.request.slice(0, LONGEST_REQUEST)]),
    claims: claims.map(({ position, text }) => ({ position, words: joinTokens([text]) })),
  };
}
