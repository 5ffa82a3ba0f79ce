import { FILLER_WORDS } from '../model/filler-words.ts';
import { wordsIn } from '../model/wording.ts';
import { findDeniedWords, splitClauses } from './corrections/polarity.ts';
import { findQuantities, isSameQuantity, type Quantity } from './corrections/quantities.ts';
import { createMarker } from './offline/rating/marker.ts';

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

const negation = createMarker(
  "not|no|never|don'?t|nicht|nie|niemals|kein\\p{L}*|pas|jamais|ne|no|nunca|jamás|não|non|mai|niet|geen|nooit|nigdy|не|никогда|değil|asla",
);
const CHOICE =
  /(?<!\p{L})(?:uses?|using|verwende\p{L}*|benutz\p{L}*|nutz\p{L}*|utilis\p{L}+|usa(?:r|mos|n|re|iamo)?|używa\p{L}*|использ\p{L}+)\s+(\S+)/iu;

/** “use yarn for installs”, where the other says “use pnpm for installs”: only what is chosen differs. */
function choosesOther(one: string, other: string): boolean {
  const [own, others] = [CHOICE.exec(one), CHOICE.exec(other)];
  if (!own || !others || negation.test(one) || negation.test(other)) return false;
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
      const isOver = negation.test(known) ? allows.test(text) : ends.test(text) || negation.test(text);
      const shared = subjectOf(known).filter((stem) => own.has(stem));
      const both = subjectOf(rule).filter((stem) => said.has(stem));
      return isOver && (shared.some(isName) || (shared.length > 0 && both.length >= LEAST_SHARED));
    });
  });
}

function isName(stem: string): boolean {
  return /[._/:-]/.test(stem);
}

/** What used to be otherwise. */
const changes = createMarker(
  "now|any ?more|no longer|from now on|not needed|unneeded|stopped|switched|switch|moved|migrated|replaced|dropped|gone|got rid|jetzt|nun|nicht mehr|kein\\p{L}* \\p{L}+ mehr|ab (jetzt|sofort|heute)|künftig|umgestellt|umgestiegen|gewechselt|abgeschafft|maintenant|désormais|dorénavant|à partir (de maintenant|d'aujourd'hui)|ne \\p{L}+ plus|n'\\p{L}+ plus|plus besoin|on est passés?|abandonné\\p{L}*|ahora|ya no|a partir de ahora|dejamos|cambiamos|pasamos|agora|não \\p{L}+ mais|já não|a partir de agora|paramos|mudamos|trocamos|adesso|ora|non \\p{L}+ più|d'ora in poi|siamo passati|nu|niet meer|voortaan|vanaf nu|overgestapt|już nie|teraz|od teraz|przeszliśmy|теперь|больше не\\p{L}*|отныне|перешли|тепер|більше не|перейшли|artık|bundan sonra|inte längre|från och med nu|numera",
  '不再|以后|从现在|现在起|改用|换成|不用再|今後|これから|もう|やめ|切り替え|なくなり|なくなった|이제|더 이상|앞으로|전환|바꿨|바뀌',
);

/** … and is over, without a negation. */
const ends = createMarker(
  'any ?more|no longer|not needed|unneeded|stopped|dropped|gone|got rid|switched|moved|migrated|replaced|nicht mehr|abgeschafft|plus besoin|abandonné\\p{L}*|ya no|dejamos|paramos|já não|niet meer|już nie|больше не\\p{L}*|більше не|inte längre',
  '不再|不用再|もう|やめ|なくなり|なくなった|더 이상',
);

/** What lifts a ban. */
const allows = createMarker(
  'fine|ok|okay|allowed|permitted|may|can|gone|dropped|no longer|erlaubt|in ordnung|darf|dürfen|könn\\p{L}+|kann|autorisé\\p{L}*|permis\\p{L}*|peut|peuvent|permitid\\p{L}*|se puede|pueden|pode|podem|permess\\p{L}*|può|possono|toegestaan|mag|mogen|można|wolno|можно|разрешен\\p{L}*|можна|дозволен\\p{L}*|olabilir|serbest|tillåtet|får',
  '可以|允许|てもいい|てよい|OK|해도 (?:돼|된|됩)|허용',
);
