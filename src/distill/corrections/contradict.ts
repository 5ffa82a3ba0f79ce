import { MARKERS } from '../offline/rating/markers.ts';
import { countWords } from '../offline/text/count-words.ts';
import { findNames } from '../offline/text/names.ts';
import { causeFound, causeUnknown } from '../phrases/causes.ts';
import { leaning } from '../phrases/choices.ts';
import { correction } from '../phrases/corrections.ts';
import { removal } from '../phrases/work.ts';
import { findDenied, findDeniedWords, splitClauses } from './polarity.ts';
import { findQuantities, isSameKind, isSameQuantity, type Quantity } from './quantities.ts';

/** A sentence that may take back an earlier one, or be taken back, with what was read in it once. */
export interface Statement {
  text: string;
  words: Set<string>;
  names: Set<string>;
  quantities: Quantity[];
}

/** An earlier sentence. */
export interface EarlierStatement extends Statement {
  isGuess: boolean;
  isDenial: boolean;
  /** Why something was so stays true when it is no longer so. */
  isExplanation: boolean;
  /** Says what was made or is so now. */
  isDeed: boolean;
  /** Says what was done, chosen or is to be done, and denies nothing. */
  isProposal: boolean;
  /** Says which of several ways the agent would take, which the person has yet to choose. */
  leans: boolean;
  /** Says that the cause of something is not known yet. */
  isAtLoss: boolean;
}

/** A later sentence, with what it denies. */
export interface LaterStatement extends Statement {
  denied: Quantity[];
  deniedWords: Set<string>;
  /** What a clause of few words denies: “…, not prod”. */
  excluded: Set<string>;
  /** Begins with “no”, “actually” and the like. */
  corrects: boolean;
  /** Puts one thing in the place of another: “not 30 but 20”. */
  contrasts: boolean;
  /** Says that something was not the cause, or did not help. */
  refutes: boolean;
  /** Says what the cause of something was. */
  namesCause: boolean;
}

/** A correction of so few words takes the rest from what it corrects: “no, a week”. */
const FEW_WORDS = 7;
const TELLING_WORD = 4;
const STEM_LENGTH = 6;
const SHORT_CLAUSE = 4;
const PROPOSALS = ['deed', 'choice', 'open', 'guess'] as const;

export function readEarlierStatement(text: string): EarlierStatement {
  const isDenial = MARKERS.negation.test(text) || MARKERS.refutation.test(text);
  return {
    ...readStatement(text),
    isGuess: MARKERS.guess.test(text),
    isDenial,
    isExplanation: MARKERS.cause.test(text),
    isDeed: MARKERS.deed.test(text),
    isProposal: !isDenial && PROPOSALS.some((name) => MARKERS[name].test(text)),
    leans: leaning.test(text) && !MARKERS.contrast.test(text),
    isAtLoss: causeUnknown.test(text),
  };
}

export function readLaterStatement(text: string): LaterStatement {
  const statement = readStatement(text);
  return {
    ...statement,
    denied: findDenied(text, statement.quantities),
    deniedWords: new Set(findDeniedWords(text).filter((word) => word.length >= TELLING_WORD)),
    excluded: new Set(findDeniedWords(text, SHORT_CLAUSE).filter((word) => word.length >= TELLING_WORD)),
    corrects: correction.test(text),
    contrasts: MARKERS.contrast.test(text),
    refutes: MARKERS.refutation.test(text),
    namesCause: causeFound.test(text) && !causeUnknown.test(text) && !MARKERS.guess.test(text),
  };
}

export function readStatement(text: string): Statement {
  // “acks_late=True” names acks_late as well.
  const found = findNames(text).flatMap((name) => [name, ...(/^([\w.-]+)=/.exec(name)?.slice(1) ?? [])]);
  const names = new Set(found.map((name) => name.toLowerCase()));
  const quantities = findQuantities(text);
  // That both speak of hours does not make them speak of the same.
  const rest = quantities.reduce((left, quantity) => left.replace(quantity.text, ' '), text);
  return { text, words: stemsOf(rest), names, quantities };
}

/** Whether the later sentence denies a value of the earlier one and gives another in its place. */
export function replacesValue(later: LaterStatement, earlier: Statement): boolean {
  const old = later.denied.find((denied) => earlier.quantities.some((each) => isSameQuantity(denied, each)));
  if (!old) return false;
  return later.quantities.some(
    (given) =>
      given !== old &&
      isSameKind(given, old) &&
      !isSameQuantity(given, old) &&
      !earlier.quantities.some((each) => isSameQuantity(given, each)),
  );
}

/** “no, a week”: a short correction, or one with a clause of its own, that only gives another value of the same kind. */
export function givesOtherValue(later: LaterStatement, earlier: Statement): boolean {
  const [given] = later.quantities;
  if (!later.corrects || !given) return false;
  if (countWords(later.text) > FEW_WORDS && !isWholeClause(later.text, given)) return false;
  if (later.quantities.some((each) => earlier.quantities.some((known) => isSameQuantity(each, known))))
    return false;
  return given.kind !== '' && earlier.quantities.some((known) => known.kind === given.kind);
}

/** “I changed my mind, three weeks, …” */
function isWholeClause(text: string, { text: value }: Quantity): boolean {
  return splitClauses(text).some((clause) => clause.text.trim() === value.trim());
}

/** “the upstream timeout in prod is 8s”: gives another value of what the earlier sentence tells, in the same words. */
export function statesOtherValue(later: Statement, earlier: Statement): boolean {
  // “when the reindex holds the lock it needs 70 s”: under another condition both hold.
  if (MARKERS.condition.test(later.text)) return false;
  return later.quantities.some(
    (given) =>
      given.kind !== '' &&
      !earlier.quantities.some((known) => isSameQuantity(given, known)) &&
      earlier.quantities.some(
        (known) =>
          known.kind === given.kind &&
          !later.quantities.some((each) => isSameQuantity(each, known)) &&
          isAboutSame(readClauseAt(later.text, given), readClauseAt(earlier.text, known)),
      ),
  );
}

function isAboutSame(one: Statement, other: Statement): boolean {
  const isNamed = [...one.names].some((name) => other.names.has(name) && !/^v?[\d.]+$/.test(name));
  const shared = sharedWords(one, other);
  return isNamed || shared.length >= (shared.some((word) => UNSPACED.test(word)) ? SAME_PAIRS : SAME_WORDS);
}

const SAME_WORDS = 2;
/** Two neighbouring characters are often less than a word. */
const SAME_PAIRS = 4;

function readClauseAt(text: string, { index }: Quantity): Statement {
  return readStatement(splitClauses(text).findLast(({ start }) => start <= index)?.text ?? text);
}

/** “are you sure about the 30 days?”, which the agent then gives another value for. */
export function questionsValue(question: Statement, earlier: Statement, reply: Statement[]): boolean {
  return earlier.quantities.some(
    (known) =>
      known.kind !== '' &&
      question.quantities.some((each) => each.kind === known.kind && isSameQuantity(each, known)) &&
      reply.some(({ quantities }) =>
        quantities.some((given) => given.kind === known.kind && !isSameQuantity(given, known)),
      ),
  );
}

const FRAME_LENGTH = 40;

/**
 * What a value is said of: its kind and the two words before it, or four characters of a script without spaces. “the
 * struct is 584 bytes” and “the struct is 576 bytes” say it of the same. Empty if unknown.
 */
export function frameOf(text: string, { index, kind }: Quantity): string {
  if (kind === '') return '';
  const head = text.slice(Math.max(0, index - FRAME_LENGTH), index).toLowerCase();
  const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]{4}(?=\s*$)/u.exec(head)?.[0];
  if (unspaced !== undefined) return `${unspaced} ${kind}`;
  const words = /(\p{L}{3,})\s+(\S+)\s*$/u.exec(head);
  return words ? `${words[1]} ${words[2]} ${kind}` : '';
}

/** “no quantum, use oban”: denies something that the earlier sentence proposed or reported as done. */
export function rejectsProposal(later: LaterStatement, earlier: EarlierStatement): boolean {
  if (later.deniedWords.size === 0 || !earlier.isProposal || countShared(later, earlier) < 2) return false;
  return [...later.deniedWords].some(
    (word) => earlier.names.has(word) || earlier.words.has(word.slice(0, STEM_LENGTH)),
  );
}

/** “no new dependencies, so not VueUse”: does not want what the agent would have chosen. */
export function rejectsLeaning(later: LaterStatement, earlier: EarlierStatement): boolean {
  if (!earlier.leans) return false;
  return splitClauses(later.text).some(
    ({ text }) => MARKERS.negation.test(text) && sharedWords(readStatement(text), earlier).length > 0,
  );
}

/** “no @MainActor on APIClient please”, after the agent has put it there: denies something of the same two names. */
export function deniesNames(later: LaterStatement, earlier: EarlierStatement): boolean {
  if (earlier.isDenial || earlier.names.size < 2) return false;
  return splitClauses(later.text)
    .filter(({ text }) => MARKERS.negation.test(text))
    .some(({ text }) => [...readStatement(text).names].filter((name) => earlier.names.has(name)).length >= 2);
}

/** “stop, they don't want a csv”: does not want what the agent was doing when it was stopped. */
export function rejectsStopped(later: LaterStatement, earlier: EarlierStatement): boolean {
  const acronyms = new Set(acronymsIn(earlier.text));
  return splitClauses(later.text)
    .filter(({ text }) => MARKERS.negation.test(text))
    .some(({ text }) => {
      const isNamed = (text.toLowerCase().match(WORD) ?? []).some((word) => acronyms.has(word));
      return isNamed || sharedWords(readStatement(text), earlier).length >= 2;
    });
}

/** “it runs on staging, not prod”: puts something in the place of what the earlier sentence names. */
export function replacesName(later: LaterStatement, earlier: EarlierStatement): boolean {
  const excluded = [...later.excluded];
  const values = later.quantities.filter((each) =>
    earlier.quantities.some((own) => isSameQuantity(each, own)),
  );
  const isOfSame = later.corrects || countShared(later, earlier) + values.length >= 2;
  if (excluded.length === 0 || !isOfSame) return false;
  // What a sentence denies or explains elsewhere does not matter.
  return splitClauses(earlier.text).some(({ text }) => {
    const { names, words } = readStatement(text);
    const isNamed = excluded.some((word) => names.has(word) || words.has(word.slice(0, STEM_LENGTH)));
    return isNamed && !MARKERS.negation.test(text) && !MARKERS.cause.test(text);
  });
}

/** What a sentence says is no longer there: “WebSocket is gone, the gateway does not support it”. */
export function findRemoved({ text }: Statement): string[] {
  return splitClauses(text)
    .filter((clause) => removal.test(clause.text))
    .flatMap((clause) => [...readStatement(clause.text).names]);
}

/** A guess that a later sentence says was wrong. */
export function refutesGuess(later: LaterStatement, earlier: EarlierStatement): boolean {
  if (!later.refutes || !earlier.isGuess) return false;
  const named = new Set([...earlier.names, ...acronymsIn(earlier.text)]);
  return (
    countShared(later, earlier) >= 2 ||
    [...later.names, ...acronymsIn(later.text)].some((name) => named.has(name))
  );
}

/** “The cause is not known yet”, after which the cause was found. */
export function explainsLoss(later: LaterStatement, earlier: EarlierStatement): boolean {
  return later.namesCause && earlier.isAtLoss;
}

export function countShared(a: Statement, b: Statement): number {
  return sharedWords(a, b).length;
}

export function sharedWords(a: Statement, b: Statement): string[] {
  return [...a.words].filter((word) => b.words.has(word));
}

/** Words by their first letters, since many languages inflect the rest; pairs of characters where words have no spaces. */
function stemsOf(text: string): Set<string> {
  const stems = new Set<string>();
  for (const word of text.toLowerCase().match(WORD) ?? [])
    if (!UNSPACED.test(word)) {
      if (word.length >= TELLING_WORD) stems.add(word.slice(0, STEM_LENGTH));
    } else if (HANGUL.test(word)) stems.add(word.slice(0, 2));
    else
      for (let at = 0; at + 1 < word.length; at++)
        if (TELLING_CHARACTER.test(word.slice(at, at + 2))) stems.add(word.slice(at, at + 2));
  return stems;
}

function acronymsIn(text: string): string[] {
  return (text.match(ACRONYM) ?? []).map((word) => word.toLowerCase());
}

// The long vowel mark is of no script: ワーカー.
const EAST_ASIAN = '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}ー';
const WORD = new RegExp(`[${EAST_ASIAN}]{2,}|(?:(?![${EAST_ASIAN}])[\\p{L}\\p{N}_])+`, 'gu');
const UNSPACED = new RegExp(`^[${EAST_ASIAN}]`, 'u');
const HANGUL = /^\p{Script=Hangul}/u;
/** CSV, SSO: shorter than other words that tell something. */
const ACRONYM = /\b[A-Z]{3,5}\b/g;
/** Hiragana alone is grammar. */
const TELLING_CHARACTER = /[\p{Script=Han}\p{Script=Katakana}]/u;
