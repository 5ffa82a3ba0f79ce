import { listSpaced, listUnspaced, type Phrases } from './phrases.ts';
import { withTraditional } from './traditional-chinese.ts';

/** Like createMarker, but as a regular expression, which also tells where a phrase is. */
export function createPattern(phrases: Phrases): RegExp {
  const spaced = `(?<![\\p{L}\\p{N}_])(?:${listSpaced(phrases).join('|')})(?![\\p{L}\\p{N}_])`;
  const unspaced = listUnspaced(phrases).map(withTraditional);
  return new RegExp([spaced, ...unspaced].join('|'), 'iu');
}
