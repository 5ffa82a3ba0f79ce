import { capitalise } from './capitals.ts';
import { countWords } from './count-words.ts';
import { type Sentence, splitSentences } from './sentences.ts';
import { shorten } from './shorten.ts';

const LONGEST = 140;
/** A heading cut at a clause says at least this much. */
const LEAST = 30;
const SHORTEST = 20;

/** “I went with”, “I have now” and the like stand before what a heading would say. */
const chose =
  /^(?:i|we)(?:'ve| have)? (?:went (?:with|for)|chosen?|chose|decided on|opted for|picked|settled on) (?:an? |the )?/i;
const subject =
  /^(?:i|we)(?:'ve| have)? (?:(?:also|now|therefore|successfully) )*(?=(?:[a-z]{3,}ed|undid|made|set|took|wrote|rewrote|put|built|left|kept|ran|split|found|cut|gave|brought|chose)\b)|^(?:so|and|but|also|therefore|in short|overall)[, ]+|^(?:ich habe|wir haben|j'ai|nous avons|he|hemos) (?:(?:auch|jetzt|nun|aussi|también) )*(?=\p{L}{3,}|[\w./-]+\.\w)/iu;
/** “Switched:”, “The reason for the lock:”, “One catch to keep in mind:” only announce what follows. */
const announcement =
  /^(?:(?!(?:need|used|red)\b)\p{L}+ed|gefunden(?: und \p{L}+)?|(?:one|a|an|another|the)(?: only| main| real| actual)? (?:reason|cause|problem|culprit|issue|catch|thing|consequence|caveat|trap|bug|fix)(?: [^:.,\d`]{2,40})?):\s+(?=\S)/iu;
/** What the agent undid of its own work, or how glad it is, before it says what it did. */
const preamble =
  /^(?:successfully |(?:undid|reverted|took back|rolled back) (?:my|that|this|the) \p{L}+(?: \p{L}+)?,? (?:and )?)/iu;
const reason =
  /,? (?:because|since|so that|weil|damit|parce que|car|porque|ya que)\s.*$|, (?:so|which|as|da|denn|donc)\s.*$/i;
const mark = /\[(?:redacted|private)[^\]]*\]/gi;

/** A sentence as a heading: no “I”, no reason, no full stop, not too long. */
export function headingFrom(sentence: string): string {
  const words = sentence
    .replace(mark, '')
    .replace(/\s+/g, ' ')
    .trim()
    .replace(announcement, '')
    .replace(chose, '')
    .replace(subject, '')
    .replace(preamble, '');
  const first = firstOf(splitSentences(words));
  const bare = first.length > LONGEST ? withoutReason(first) : first;
  return capitalise(firstClauses(bare.replace(/[.。।۔:：;,!！]+$/, '')));
}

/** “Yes. It is …”: a first sentence that is too short for a heading takes the next along. */
function firstOf(sentences: string[]): string {
  const at = sentences.findIndex((sentence) => sentence.length >= SHORTEST);
  return sentences.slice(0, at + 1 || undefined).join(' ');
}

function withoutReason(words: string): string {
  const cut = words.replace(reason, '');
  return countWords(cut) >= 4 && !/\b(?:it|this|that|them)$/i.test(cut) ? cut : words;
}

/** As many clauses as fit; never cut inside brackets. */
function firstClauses(words: string): string {
  if (words.length <= LONGEST) return words;
  let end = 0;
  for (const { index, 0: found } of words.matchAll(/[,;:](?=\s)|[、，。]|\s[—–]\s|\s\(/g)) {
    if (index > LONGEST) break;
    if (index >= LEAST && isBalanced(words.slice(0, index))) end = found === '。' ? index + 1 : index;
  }
  if (end > 0) return `${words.slice(0, end)}…`;
  const spaces = [...words.slice(0, LONGEST).matchAll(/\s/g)].map(({ index }) => index);
  const space = spaces.findLast((index) => index >= LEAST && isBalanced(words.slice(0, index)));
  return space === undefined ? shorten(words, LONGEST) : `${words.slice(0, space)}…`;
}

function isBalanced(words: string): boolean {
  const count = (marks: RegExp) => words.match(marks)?.length ?? 0;
  return count(/[([{（]/g) === count(/[)\]}）]/g) && count(/["“”]/g) % 2 === 0;
}

/** Points at something said before; alone it says nothing. */
const anaphora =
  /^(?:it|this|that|these|those|they|he|she|both(?! \p{L}+s\b)|the (?:same|latter|former|other)|also|there|so|then|es|das|dies\p{L}*|sie|dabei|cela|ça|ils?|elles?|eso|esto|これ|それ|あれ|这|那)(?![\p{L}])/iu;

/** “I swapped them back”: a reader of only this does not know what. */
const pointsBack =
  /^(?!(?:please )?note |beware |remember |so )(?:\S+ ){1,2}(?:it|them|this|that|these|those)\b/i;

/** A name such as `dist` keeps its small letter also when it looks like a word. */
export function headingOfStatement({ text, code }: Pick<Sentence, 'text' | 'code'>): string {
  const heading = headingFrom(text);
  const name = code.find((each) => heading.toLowerCase().startsWith(`${each.toLowerCase()} `));
  return name === undefined ? heading : name + heading.slice(name.length);
}

/** Whether it is understood without what was said before it. */
export function isSelfContained({ text }: Pick<Sentence, 'text'>): boolean {
  const words = text.replace(mark, '').trim();
  if (anaphora.test(words) || pointsBack.test(words)) return false;
  // A bare expression such as `a * (1 - b)` is no heading.
  const spoken = words.match(/\p{L}{2,}/gu)?.length ?? 0;
  return words.length >= 8 && (spoken >= 2 || !/\s/.test(words));
}

/** What the person asked for as a heading, without “please fix it”. */
export function headingFromRequest(asked: string): string {
  const wish = asked.replace(/^(?:(?:please|pls|bitte|can you|could you|would you)[, ]+)+/i, '');
  const words = wish.replace(/[,.;]? (?:please|can you|could you|would you|pls)\b.*$/i, '');
  return headingFrom(countWords(words) >= 4 ? words : wish);
}
