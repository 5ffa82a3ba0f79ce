import type { SearchText } from '../store/types/search.ts';

/** What an answer to "how many", "when", "who" and "why" contains, whatever the subject. */
const MENTIONS = {
  number:
    /\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|twelve|dozen|couple|several|hundred|thousand|million)\b/i,
  time: /\b(?:yesterday|today|tomorrow|tonight|last|next|ago|weeks?|weekends?|months?|years?|days?|morning|afternoon|evening|night|(?:mon|tues|wednes|thurs|fri|satur|sun)day|january|february|march|april|june|july|august|september|october|november|december|recently|soon|[12]\d{3}|\d+(?:st|nd|rd|th))\b/i,
  name: /[^.!?\s]\s+\p{Lu}\p{Ll}/u,
  cause: /\b(?:because|since|so that|so|therefore|reason|due to|caused?|in order to)\b/i,
};

export type Mention = keyof typeof MENTIONS;

export function detectTraits(text: string): Pick<SearchText, 'asks' | 'mentions'> {
  const mentions = Object.entries(MENTIONS).flatMap(([name, form]) => (form.test(text) ? [name] : []));
  return { asks: questionShare(text), mentions: mentions.join(' ') };
}

/** A question is not an answer. */
function questionShare(text: string): number {
  let asked = 0;
  let all = 0;
  for (const sentence of text.match(/[^.!?。！？\n]+[.!?。！？]*/g) ?? []) {
    const length = sentence.trim().length;
    all += length;
    if (/[?？]\s*$/.test(sentence)) asked += length;
  }
  return all === 0 ? 0 : asked / all;
}
