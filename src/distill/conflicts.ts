import { FILLER_WORDS } from '../model/filler-words.ts';
import { wordsIn } from '../model/wording.ts';
import { findDeniedWords, splitClauses } from './corrections/polarity.ts';
import { findQuantities, isSameQuantity, type Quantity } from './corrections/quantities.ts';
import { allows, changes, ends } from './phrases/changes.ts';
import { usage } from './phrases/choices.ts';
import { plainNegation } from './phrases/negations.ts';

/** Whether two texts about the same subject cannot both hold: another value, a denial, or another choice. */
export function areConflicting(one: string, other: string): boolean {
  return givesOtherValue(one, other) || denies(one, other) || denies(other, one) || choosesOther(one, other);
}

/** “after 45 seconds”, where the other says “after 30 seconds” of the same. */
function givesOtherValue(one: string, other: string): boolean {
  const [own, others] = [findQuantities(one), findQuantities(other)];
  const onlyHere = listMissing(own, others);
  const onlyThere = listMissing(others, own);
  return onlyHere.some((given) =>
    onlyThere.some(
      (known) => known.kind === given.kind && areAboutSame(clauseOf(one, given), clauseOf(other, known)),
    ),
  );
}

/** A clause with the value of one thing, without the value. */
function clauseOf(text: string, { index, text: value }: Quantity): string {
  const clause = splitClauses(text).findLast(({ start }) => start <= index)?.text ?? text;
  return clause.replace(value, ' ');
}

/** “Stripe calls” and “PayPal calls” each have a word of their own: two things. */
function areAboutSame(one: string, other: string): boolean {
  const [own, others] = [subjectOf(one), subjectOf(other)];
  const isWithin = (inner: string[], outer: string[]) => inner.every((stem) => outer.includes(stem));
  return isWithin(own, others) || isWithin(others, own);
}

function subjectOf(text: string): string[] {
  return wordsIn(text)
    .filter((word) => !FILLER_WORDS.has(word) && !changes.test(word) && !/^\d/.test(word))
    .map((word) => (/[._/-]/.test(word) ? word : word.slice(0, STEM_LENGTH)));
}

const STEM_LENGTH = 6;

function listMissing(quantities: Quantity[], from: Quantity[]): Quantity[] {
  return quantities.filter((quantity) => !from.some((each) => isSameQuantity(quantity, each)));
}

/** “never deploy from main”, where the other says “deploy from main”. */
function denies(one: string, other: string): boolean {
  const said = new Set(wordsIn(other));
  const deniedThere = new Set(findDeniedWords(other));
  return findDeniedWords(one).some(
    (word) => !FILLER_WORDS.has(word) && said.has(word) && !deniedThere.has(word),
  );
}

/** “use yarn for installs”, where the other says “use pnpm for installs”: only what is chosen differs. */
function choosesOther(one: string, other: string): boolean {
  const [own, others] = [usage.exec(one), usage.exec(other)];
  if (!own || !others || plainNegation.test(one) || plainNegation.test(other)) return false;
  const rest = (text: string, choice: RegExpExecArray) => wordsIn(text.replace(choice[0], ' ')).join(' ');
  return (
    wordsIn(own[1] ?? '').join() !== wordsIn(others[1] ?? '').join() && rest(one, own) === rest(other, others)
  );
}

/** So many words of a rule must come again in what says that it no longer holds; one is enough if it is a name. */
const LEAST_SHARED = 2;

/**
 * Whether a text says that another no longer holds, in whatever words it puts the new rule: “-p no:randomly is not
 * needed any more”, “default exports are fine from now on”.
 */
export function endsRule(later: string, rule: string): boolean {
  if (!changes.test(later)) return false;
  const said = new Set(subjectOf(later));
  const clauses = splitClauses(rule).map(({ text }) => text);
  return splitClauses(later).some(({ text }) => {
    if (!changes.test(text)) return false;
    const own = new Set(subjectOf(text));
    return clauses.some((known) => {
      const isOver = plainNegation.test(known)
        ? allows.test(text)
        : ends.test(text) || plainNegation.test(text);
      const shared = subjectOf(known).filter((stem) => own.has(stem));
      const both = subjectOf(rule).filter((stem) => said.has(stem));
      return isOver && (shared.some(isName) || (shared.length > 0 && both.length >= LEAST_SHARED));
    });
  });
}

function isName(stem: string): boolean {
  return /[._/:-]/.test(stem);
}
