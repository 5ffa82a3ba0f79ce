import { beforeRule, opening } from '../../phrases/openings.ts';
import { capitalise } from './capitals.ts';
import { countWords } from './count-words.ts';

export function dropOpening(words: string): string {
  const rest = words.replace(opening, '');
  return rest === words ? words : capitalise(rest);
}

/** What a person wants kept, without “no,”, “please remember:” and the like. */
export function asRule(text: string): string {
  const rule = text.replace(beforeRule, '');
  return rule.length >= 8 ? rule : text;
}

/** “Want me to update the docs too?” → “Update the docs too.”; “Shall I fix it?” names nothing to do. */
export function readOffer(words: string): string {
  const deed = words
    .replace(
      /^.*?\b(?:want me to|would you like me to|should i|shall i|do you want me to|may i|i can also|i could also|i can|i could|soll ich)\s+/i,
      '',
    )
    .replace(/[?？؟.]+$/, '');
  return countWords(deed) > 3 && !namesNothing.test(deed) ? `${capitalise(deed)}.` : '';
}

const namesNothing =
  /^\S+ (?:it|that|this|them|those|these|so|the same|das|es)(?: ones?)?(?: (?:too|as well|also|next|now|for you|auch|noch))*$/i;
