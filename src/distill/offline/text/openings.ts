import { beforeRule, noting, opening, verdict } from '../../phrases/openings.ts';
import { MARKERS, type Marker } from '../rating/markers.ts';
import { capitalise } from './capitals.ts';
import { countWords } from './count-words.ts';
import { findNames } from './names.ts';

export function dropOpening(words: string): string {
  const rest = words.replace(opening, '').replace(noting, '');
  return rest === words ? words : capitalise(rest);
}

/** What a person wants kept, without “no,”, “please remember:” and the like. */
export function asRule(text: string): string {
  const rule = dropVerdict(text).replace(beforeRule, '');
  return rule.length >= 8 ? rule : text;
}

const MOST_VERDICT_WORDS = 6;
const LEAST_WORDS_AFTER = 4;

/** Without a verdict at the beginning that names nothing and asks for nothing. */
export function dropVerdict(text: string): string {
  const [lead = ''] = verdict.exec(text) ?? [];
  const rest = text.slice(lead.length);
  if (lead === '' || countWords(lead) > MOST_VERDICT_WORDS || countWords(rest) < LEAST_WORDS_AFTER)
    return text;
  const saysMore =
    /\d/.test(lead) || findNames(lead).length > 0 || SAYING.some((marker) => MARKERS[marker].test(lead));
  return saysMore ? text : capitalise(rest);
}

/** With one of these a few words before a colon or a “but” say something themselves: “No race: …”. */
export const SAYING: Marker[] = [
  'negation',
  'contrast',
  'refutation',
  'choice',
  'obligation',
  'open',
  'condition',
];

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
