import { needsContext } from '../offline/rating/complete.ts';
import { MARKERS } from '../offline/rating/markers.ts';
import { findNames } from '../offline/text/names.ts';
import type { Sentence } from '../offline/text/sentences.ts';
import { CONCEDING, concedes, quotesItself } from '../phrases/concessions.ts';
import { correction } from '../phrases/corrections.ts';
import { itemNumber, ordinals } from '../phrases/numbering.ts';
import { defends, objects } from '../phrases/objections.ts';
import { listSpaced } from '../phrases/phrases.ts';
import { undoes } from '../phrases/work.ts';
import { readStatement } from './contradict.ts';
import { splitClauses } from './polarity.ts';

/** What a turn says against the answer before it, whatever words it uses for it. */
export interface Objection {
  by: 'person' | 'agent';
  /** What the clause or sentence is about that objects; empty if it only points at something. */
  core: Set<string>;
  /** What it is about with the words around it. */
  whole: Set<string>;
  /** Whether those are several sentences. */
  isPassage: boolean;
  /** The items of the answer's list that it names by number. */
  items: number[];
}

const WHOLE_WORD = /[\p{Script=Latin}\p{Script=Cyrillic}]{4,}/gu;
/** Before what is a name of code. */
export const NAME = 'name ';

/** So few words do not say what they are about: the sentences after them do. */
const FEW_WORDS = 5;
const SENTENCES_AFTER = 2;
/** After it admits a mistake, an agent says in so many sentences how it really is. */
const SENTENCES_CONCEDED = 5;

/** `typed` is what the person wrote without their questions, `said` the messages of the agent. */
export function readObjections(typed: string[], said: Sentence[][]): Objection[] {
  return [...typed.flatMap((_, index) => readDenial(typed.slice(index))), ...said.flatMap(readConcessions)];
}

function readDenial([text = '', ...after]: string[]): Objection[] {
  const rejects = (words: string) => [objects, undoes, correction].some((marker) => marker.test(words));
  const isObjection = (words: string) => rejects(words) || defends.test(words);
  const items = readItems(text, isObjection);
  // What is fine as it is may have been described rightly; as a finding with a number it is withdrawn.
  if (!rejects(text) && items.length === 0) return [];
  const clauses = splitClauses(text)
    .map((clause) => clause.text.trim())
    .filter((clause) => isObjection(clause) && !needsContext({ text: clause }));
  const isShort = clauses.length === 0 && readStatement(text).words.size < FEW_WORDS;
  const whole = isShort ? [text, ...after.slice(0, SENTENCES_AFTER)] : [text];
  return [
    {
      by: 'person',
      core: readSubject(clauses.join(' ')),
      whole: readSubject(whole.join(' ')),
      isPassage: whole.length > 1,
      items,
    },
  ];
}

function readItems(text: string, isObjection: (words: string) => boolean): number[] {
  const clauses = splitClauses(text).filter((clause) => isObjection(clause.text));
  return clauses.flatMap((clause) => [
    ...[...clause.text.matchAll(itemNumber)].map(([, number]) => Number(number)),
    ...ordinals.flatMap((ordinal, index) => (ordinal.test(clause.text) ? [index + 1] : [])),
  ]);
}

/** “You are right” is no more about something that is right than any other words. */
const concedingWords = new Set(readKeys(listSpaced(CONCEDING).join('|')));

function readConcessions(message: Sentence[]): Objection[] {
  return message.flatMap(({ text, block }, index): Objection[] => {
    const next = message[index + 1];
    const deniesIt = [text, next?.block === block ? next.text : ''].some((each) =>
      MARKERS.negation.test(each),
    );
    if (!concedes.test(text) && !(quotesItself.test(text) && deniesIt)) return [];
    const own = message.slice(index, index + SENTENCES_CONCEDED).filter((each) => each.block === block);
    return [
      {
        by: 'agent',
        core: readSubject(text),
        whole: readSubject(own.map((each) => each.text).join(' ')),
        isPassage: true,
        items: [],
      },
    ];
  });
}

/**
 * What a text is about: its names, values and words. The words of a name are only compared whole: `Instant` is not
 * “Instanz”, but “the paper trail” is `has_paper_trail`.
 */
export function readSubject(text: string): Set<string> {
  return new Set(readKeys(text).filter((key) => !concedingWords.has(key)));
}

function readKeys(text: string): string[] {
  const { names, quantities } = readStatement(text);
  const prose = findNames(text).reduce((left, name) => left.replaceAll(name, ' '), text);
  return [
    ...readStatement(prose).words,
    ...(text.toLowerCase().match(WHOLE_WORD) ?? []).map((word) => `whole ${word}`),
    ...[...names].map((name) => `${NAME}${name}`),
    ...quantities.map(({ value }) => `value ${value}`),
  ];
}
