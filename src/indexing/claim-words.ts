import type { ClaimWords, SearchSource } from '../store/types/search.ts';
import { isSaidBy, listClaims } from './claims.ts';
import { joinTokens } from './search-text.ts';

/** A request that goes on for longer is a paste. */
const LONGEST_REQUEST = 2_000;

/** @returns null for what has no claims: a prompt, a superseded memory. */
export function buildClaimWords(source: SearchSource): ClaimWords | null {
  if (source.kind === 'prompt' || source.isSuperseded) return null;
  // What an observation of the turn says too is given from there.
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
