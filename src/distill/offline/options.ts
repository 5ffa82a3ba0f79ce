import type { Turn } from '../turn.ts';
import { countWords } from './text/count-words.ts';
import { stripMarkup, stripScaffolding } from './text/plain.ts';
import { readSentences } from './text/sentences.ts';

/** An option the agent laid out and the person picked. */
export interface Option {
  /** “B”, “2” */
  mark: string;
  text: string;
  /** What the agent said for it besides. */
  advice: string[];
}

/** “B please”, “option 2”, “let's do the second one”, “Variante B bitte” */
const picked =
  /^(?:(?:ok(?:ay)?|yes|ja|hm+|then|dann|let'?s (?:do|go with|take|use)|go with|go for|take|use|do|i(?:'d)? (?:take|prefer|choose|say|like)|ich (?:nehme|möchte)|nimm|mach)[\s,:]+)*(?:(?:option|variant|variante|plan|number|way|approach|nummer)\s+)?(?:\(?([a-e]|[1-6])\)?|the (first|second|third|last)(?: one| option)?)(?=\s*(?:$|[,.!;、。—–-]|(?:please|pls|bitte|then|dann|it is|sounds|seems|looks|but|aber|for now|now|and (?!\d)|i (?:guess|think|suppose)|maybe|probably|(?:denk|glaub)e? ich|je (?:pense|crois)|supongo|creo|acho|credo|chyba|denk ik)\b))/i;
const line =
  /^\s*(?:[-*|]\s*)?(?:\*\*)?(?:(?:option|variant|variante|plan)\s+)?\(?([A-Ea-e]|[1-6])\)?(?:\*\*)?\s*[.):|–—-]+\s*(?:\*\*)?\s*(\S.*)$/;

/** “wow ok. B then”: a courtesy may come first. */
const FIRST_SENTENCES = 3;

/** A list of what was done offers nothing to pick. */
const offers =
  /[?？؟]|\b(?:options?|ways|alternatives|approaches|which|choose|pick|either|recommend|variante[ns]?|möglichkeiten|wege)\b|どちら|选|方案/i;

/** “Last” is not among them: -1 is its place. */
const ORDINALS = ['first', 'second', 'third'];

/** The option that a short prompt picks from the list with which the turn before ended. */
export function findPickedOption({ earlierWords, promptOrigin }: Turn, own: string[]): Option | undefined {
  const found = own
    .slice(0, FIRST_SENTENCES)
    .map((text) => picked.exec(text))
    .find((match) => match !== null);
  const [, mark, ordinal] = (promptOrigin === 'person' && found) || [];
  if ((mark === undefined && ordinal === undefined) || !offers.test(earlierWords)) return undefined;
  const options = optionsIn(earlierWords);
  const option =
    ordinal === undefined
      ? options.find((each) => each.mark === mark?.toUpperCase())
      : options.at(ORDINALS.indexOf(ordinal.toLowerCase()));
  if (!option || options.length < 2) return undefined;
  const byName = new RegExp(`(?<![\\p{L}\\p{N}])${option.mark}(?![\\p{L}\\p{N}.)])`, 'u');
  const advice = readSentences(earlierWords).filter(({ text, inList }) => !inList && byName.test(text));
  return { ...option, advice: advice.map(({ text }) => text) };
}

/** Whether a sentence does no more than pick an option: “2 i guess”. */
export function isPick(sentence: string): boolean {
  return picked.test(sentence) && countWords(sentence) <= MOST_WORDS_OF_PICK;
}

const MOST_WORDS_OF_PICK = 4;

function optionsIn(words: string): { mark: string; text: string }[] {
  return stripScaffolding(words)
    .split('\n')
    .flatMap((each) => {
      const [, mark, text] = line.exec(each) ?? [];
      if (mark === undefined || text === undefined) return [];
      const cells = text.split('|').map((cell) => stripMarkup(cell.trim()));
      return [{ mark: mark.toUpperCase(), text: cells[0] ?? '' }];
    });
}
