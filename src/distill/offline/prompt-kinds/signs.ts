import { countWords } from '../text/count-words.ts';

/** A sentence of a prompt, and where it stands. */
export interface PromptSentence {
  text: string;
  /** What was found in it: names of markers, of noise and of features. */
  found: string[];
  /** Its place among the sentences of the prompt, from 0. */
  place: number;
  of: number;
  /** What the agent said before the prompt. */
  before: string;
}

const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;
const WORD = /\p{L}[\p{L}\p{M}]*(?:['’]\p{L}+)?|\p{N}+/gu;
const LONG_WORD = /[\p{L}\p{N}_]{4,}/gu;
const ASKS = /[?？؟]\s*$/;
const MOST_SHARED = 3;
const LENGTHS = [3, 5, 8, 12];
/** So many characters of a script without spaces are looked at together. */
const RUNS = [2, 3];

/** All that may tell what a sentence of a prompt is: its words, neighbouring words, and what was found in it. */
export function listPromptSigns(sentence: PromptSentence): Set<string> {
  return new Set([
    'always',
    ...sentence.found.map((name) => `has ${name}`),
    ...listPlaceSigns(sentence),
    ...listFormSigns(sentence.text),
    ...listWordSigns(sentence.text.toLowerCase().replaceAll('’', "'")),
  ]);
}

function listPlaceSigns({ text, place, of, before }: PromptSentence): string[] {
  const own = new Set(text.toLowerCase().match(LONG_WORD));
  const known = new Set(before.toLowerCase().match(LONG_WORD));
  const shared = [...own].filter((word) => known.has(word)).length;
  return [
    place === 0 ? 'is first' : 'is later',
    ...(of === 1 ? ['is alone'] : []),
    ...(place === of - 1 ? ['is last'] : []),
    before === '' ? 'is the first prompt' : `shares ${Math.min(MOST_SHARED, shared)}`,
    ...(ASKS.test(before) ? ['follows a question'] : []),
  ];
}

function listFormSigns(text: string): string[] {
  const words = countWords(text);
  return [
    `has up to ${LENGTHS.find((most) => words <= most) ?? 'many'} words`,
    ...(/\d/.test(text) ? ['has a digit'] : []),
    ...(/[?？؟]/.test(text) ? ['has a question mark'] : []),
    ...(/[!！]/.test(text) ? ['has an exclamation mark'] : []),
    ...(/[,，、]/.test(text) ? ['has a comma'] : []),
  ];
}

function listWordSigns(text: string): string[] {
  return UNSPACED.test(text) ? listRuns(text.replace(/\s+/g, '')) : listWords(text);
}

function listWords(text: string): string[] {
  const words = (text.match(WORD) ?? []).map((word) => (/\p{N}/u.test(word) ? '0' : word));
  const pairs = ['^', ...words].map((word, index) => `${word} ${words[index] ?? '$'}`);
  return [...words, ...pairs].map((each) => `says ${each}`);
}

function listRuns(text: string): string[] {
  const whole = `^${text}$`;
  return RUNS.flatMap((length) =>
    Array.from({ length: Math.max(0, whole.length - length + 1) }, (_, at) => whole.slice(at, at + length)),
  ).map((run) => `says ${run}`);
}
