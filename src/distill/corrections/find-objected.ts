import { NAME, type Objection, readSubject } from './objections.ts';

const NAME_WEIGHT = 2;
/** A sentence that shares nearly as much as the best one is as likely the one that is meant. */
const NEARLY_BEST = 0.9;
/** Of the sentences of an answer, in how many a word may be that tells which one is meant. */
const RARE_SHARE = 0.15;
/** How much must be shared, in words that are in one sentence only: a rare word counts with its beginning. */
const LEAST_WEIGHT = { word: 0.5, core: 1.5, sentence: 2.5, passage: 3.5 };

/** A sentence of an answer, alone and with the heading and label above it. */
export interface AnswerSentence {
  text: string;
  subject: string;
  /** The number of its item in a numbered list. */
  item?: number | undefined;
}

interface Subject {
  text: string;
  item: number | undefined;
  own: Set<string>;
  about: Set<string>;
}

/** Tells who objects to a sentence of an answer, if anyone. */
export type ObjectionTest = (sentence: string) => Objection['by'] | null;

/** An objection is about the sentence of the answer with which it shares the rarest words. */
export function createObjectionTest(answer: AnswerSentence[], objections: Objection[]): ObjectionTest {
  if (objections.length === 0) return () => null;
  const sentences = answer.map(
    ({ text, subject, item }): Subject => ({
      text: normalise(text),
      item,
      own: readSubject(text),
      about: readSubject(subject),
    }),
  );
  const found = new Map<string, Objection['by']>();
  const weigh = createScale(sentences.map(({ about }) => about));
  const pickMeant = (all: Subject[], subject: Set<string>, least: number) => {
    const rated = all.map((sentence) => ({ sentence, weight: weigh(sentence.about, subject) }));
    const best = Math.max(least, ...rated.map(({ weight }) => weight));
    return rated
      .filter(({ weight }) => weight >= best * NEARLY_BEST && weight >= least)
      .map(({ sentence }) => sentence);
  };
  for (const { by, core, whole, isPassage, items } of objections) {
    const numbered = sentences.filter(({ item }) => item !== undefined && items.includes(item));
    for (const { text } of numbered) found.set(text, by);
    if (numbered.length > 0) continue;
    // The agent agrees with what the person said; how it goes on is about what it does instead.
    const isKnown = sentences.some(({ text, about }) => found.has(text) && weigh(about, core) > 0);
    if (by === 'agent' && isKnown) continue;
    let byCore = pickMeant(sentences, core, LEAST_WEIGHT.core);
    if (byCore.length === 0 && by === 'person')
      byCore = pickMeant(sentences, longWordsOf(core), LEAST_WEIGHT.word);
    const meant =
      byCore.length > 0
        ? pickMeant(byCore, whole, 0)
        : pickMeant(sentences, whole, isPassage ? LEAST_WEIGHT.passage : LEAST_WEIGHT.sentence);
    for (const { text, own } of sentences)
      if (meant.some((each) => each.text === text || saysSame(each.own, own))) found.set(text, by);
  }
  return (sentence) => {
    const text = normalise(sentence);
    for (const [objected, by] of found) if (isSame(text, objected)) return by;
    return null;
  };
}

/** An inflected word is shared by its beginning only: where that is long, it is the same word. */
function longWordsOf(subject: Set<string>): Set<string> {
  return new Set([...subject].filter((key) => /^\p{L}{6}$/u.test(key)));
}

/** A report and the answer may both say it. */
function saysSame(one: Set<string>, other: Set<string>): boolean {
  const shared = [...one].filter((key) => other.has(key)).length;
  return shared >= Math.min(one.size, other.size) * SAME_SHARE && shared >= LEAST_SAME;
}

const SAME_SHARE = 0.6;
const LEAST_SAME = 4;

/** Weighs what two subjects share by how rare it is in the answer; 0 if nothing of it is rare. */
function createScale(all: Set<string>[]): (one: Set<string>, other: Set<string>) => number {
  const counts = new Map<string, number>();
  for (const about of all) for (const key of about) counts.set(key, (counts.get(key) ?? 0) + 1);
  const mostRare = Math.max(1, all.length * RARE_SHARE);
  return (one, other) => {
    const shared = [...one]
      .filter((key) => other.has(key))
      .map((key) => ({ key, count: counts.get(key) ?? 1 }));
    if (!shared.some(({ count }) => count <= mostRare)) return 0;
    return shared.reduce((sum, { key, count }) => {
      const weight = Math.log2(1 + all.length / count) / Math.log2(1 + all.length);
      return sum + weight * (key.startsWith(NAME) ? NAME_WEIGHT : 1);
    }, 0);
  };
}

/** A memory may have a sentence without its opening or its last clause. */
function isSame(text: string, sentence: string): boolean {
  if (text === sentence) return true;
  const [shorter, longer] = text.length < sentence.length ? [text, sentence] : [sentence, text];
  return shorter.length >= LEAST_PART && longer.includes(shorter);
}

const LEAST_PART = 16;

/** In a title a sentence has another beginning and end than in a fact. */
function normalise(text: string): string {
  return text.toLowerCase().replace(/^[\s*_`]+|[\s.。…:;；*_`]+$/gu, '');
}
