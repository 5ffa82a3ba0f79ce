import { FILLER_WORDS } from '../model/filler-words.ts';
import { wordsIn } from '../model/wording.ts';
import { findDeniedWords } from './corrections/polarity.ts';
import { findQuantities, isSameQuantity, type Quantity } from './corrections/quantities.ts';
import { usage } from './phrases/choices.ts';
import { plainNegation } from './phrases/negations.ts';

/** Whether two texts about the same subject cannot both hold: another value, a denial, or another choice. */
export function areConflicting(one: string, other: string): boolean {
  return givesOtherValue(one, other) || denies(one, other) || denies(other, one) || choosesOther(one, other);
}

/** “after 45 seconds”, where the other says “after 30 seconds”. */
function givesOtherValue(one: string, other: string): boolean {
  const [own, others] = [findQuantities(one), findQuantities(other)];
  const onlyHere = listMissing(own, others);
  const onlyThere = listMissing(others, own);
  return onlyHere.some(({ kind }) => onlyThere.some((quantity) => quantity.kind === kind));
}

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
