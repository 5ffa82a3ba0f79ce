import { withTraditional } from './traditional-chinese.ts';

/**
 * A pattern for words that give a sentence away. Western words must stand alone; Chinese and Japanese write
 * no spaces, so theirs are found anywhere.
 */
export function cue(words: string, unspaced = ''): RegExp {
  const western = `(?<![\\p{L}\\p{N}_])(?:${words})(?![\\p{L}\\p{N}_])`;
  return new RegExp(unspaced === '' ? western : `${western}|${withTraditional(unspaced)}`, 'iu');
}
