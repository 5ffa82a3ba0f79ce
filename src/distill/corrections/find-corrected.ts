import { collectEdits } from '../offline/calls/edits.ts';
import { MARKERS } from '../offline/rating/markers.ts';
import { isAccepting, ownSentences } from '../offline/request.ts';
import { countWords } from '../offline/text/count-words.ts';
import { endsInQuestion } from '../offline/text/punctuation.ts';
import { readSentences, type Sentence } from '../offline/text/sentences.ts';
import { concedes } from '../phrases/concessions.ts';
import { countsAll } from '../phrases/work.ts';
import type { Turn } from '../turn.ts';
import {
  countShared,
  deniesNames,
  type EarlierStatement,
  explainsLoss,
  findRemoved,
  frameOf,
  givesOtherValue,
  type LaterStatement,
  questionsValue,
  readEarlierStatement,
  readLaterStatement,
  readStatement,
  refutesGuess,
  rejectsLeaning,
  rejectsProposal,
  rejectsStopped,
  replacesName,
  replacesValue,
  type Statement,
  statesOtherValue,
} from './contradict.ts';
import { type AnswerSentence, createObjectionTest, type ObjectionTest } from './find-objected.ts';
import { isDiagnosis, isSaidAgain, isSuperseded, type NewAnswer, readNewAnswer } from './new-answer.ts';
import { readObjections } from './objections.ts';
import { findCounts } from './quantities.ts';
import { findReplacedValues, isMostlyReplaced, isReplaced, type Replacements } from './replaced-values.ts';
import {
  type EarlierEdit,
  findUndoneFiles,
  isUndone,
  namesGoneFile,
  namesUndoneFile,
  type UndoneFile,
} from './undone-work.ts';
import { isTouchedSince } from './untouched.ts';

/** Who or what took an earlier sentence back. */
export type Corrector = 'person' | 'agent' | 'edit';

/** What a turn says and does that may take back what was said in the turns before it. */
export interface Corrections {
  person: LaterStatement[];
  /** The prompt begins with a yes. */
  accepts: boolean;
  /** What the person asks. */
  questions: Statement[];
  agent: LaterStatement[];
  /** Everything that the agent says. */
  said: LaterStatement[];
  /** Names of what the agent says is no longer there. */
  removed: Set<string>;
  /** Set if the turn answers the question of the turn before once more. */
  newAnswer: NewAnswer | null;
  /** With what the answer begins, if the agent admits a mistake there. */
  conceded: Statement[];
  /** The agent says what the cause of something is. */
  findsCause: boolean;
  edits: Replacements;
  undone: UndoneFile[];
  /** The prompt stopped the turn before: its agent had no last word. */
  stopsWork: boolean;
  /** Who says in this turn that a sentence of the turn before is not so. */
  objectorTo: ObjectionTest;
  /** The values that the agent states, by what it states them of. */
  stated: Map<string, Set<string>>;
  /** The values that the agent states, by their unit or by what they count. */
  counted: Map<string, Set<string>>;
  /** Every value that the turn mentions: one that it does not know, it cannot have replaced. */
  mentioned: Set<string>;
}

/** A sentence of an earlier turn. */
export interface EarlierSentence {
  text: string;
  /** Files that its memory is about. */
  files: string[];
  byPerson: boolean;
  /** Said in the turn right before. */
  isJustSaid: boolean;
  /** The turn whose work it reports, if it does. */
  reportOf?: number | undefined;
}

/** Of a longer turn the last ones are read: what holds in the end is said at the end. */
const MOST_SENTENCES = 200;
/** “**Migration.** It locks the table.”: so few words say what the next sentence is about. */
const HEAD_WORDS = 3;

/** `before` is the turn right before, with the answer that the person has read. */
export function readCorrections(turns: Turn[], earlier: EarlierEdit[], before: Turn[]): Corrections {
  const person = turns.filter(isTyped).flatMap(({ prompt }) => ownSentences(prompt));
  const messages = turns.flatMap(listMessages).map(readSentences);
  const agent = messages.flat().slice(-MOST_SENTENCES);
  const statements = person.filter((text) => !endsInQuestion(text));
  const typed = statements.map(readLaterStatement);
  const said = agent.map(({ text }) => readLaterStatement(text));
  return {
    person: typed,
    accepts: turns.every(({ prompt }) => isAccepting(prompt)),
    questions: person.filter(endsInQuestion).map(readStatement),
    said,
    removed: new Set(said.flatMap(findRemoved)),
    newAnswer: readLastAnswer(turns, before),
    conceded: readConceded(messages),
    findsCause: agent
      .map(({ under, text }) => `${under}: ${text}`)
      .some((text) => isDiagnosis(text) && !MARKERS.guess.test(text)),
    // “8.7 s → 39 ms” tells what a change did; it takes nothing back.
    agent: said.filter(
      (each) =>
        each.refutes || each.namesCause || (each.denied.length > 0 && (each.corrects || each.contrasts)),
    ),
    objectorTo: createObjectionTest(listAnswer(before), readObjections(statements, messages)),
    stated: collectStated(said),
    counted: collectCounted(said),
    edits: {
      replaced: turns.flatMap(findReplacedValues).filter(({ before, after }) => before.size + after.size > 0),
      earlier,
      deniedWords: new Set(typed.flatMap(({ deniedWords }) => [...deniedWords])),
      isCorrection: typed.some(({ corrects }) => corrects),
    },
    undone: findUndoneFiles(turns, earlier),
    stopsWork: before.at(-1)?.closingWords === '',
    mentioned: new Set([...typed, ...said].flatMap(({ quantities }) => quantities.map(({ value }) => value))),
  };
}

/** A turn in several pieces was compacted on the way: it did more than look something up. */
function readLastAnswer([turn, ...more]: Turn[], before: Turn[]): NewAnswer | null {
  if (!turn || more.length > 0) return null;
  const hadEdits = before.some((each) => collectEdits(each).length > 0);
  return readNewAnswer(turn, before.at(-1)?.closingWords ?? '', hadEdits);
}

const SENTENCES_CONCEDED = 3;

function readConceded(messages: Sentence[][]): Statement[] {
  const closing = messages.at(-1)?.slice(0, SENTENCES_CONCEDED) ?? [];
  return closing.some(({ text }) => concedes.test(text))
    ? closing.map(({ text }) => readStatement(text))
    : [];
}

function listMessages({ said, closingWords }: Turn): string[] {
  return [...said.map(({ text }) => text), closingWords];
}

function listAnswer(turns: Turn[]): AnswerSentence[] {
  return turns
    .flatMap((turn) => [...turn.reports, ...listMessages(turn)])
    .flatMap((message) => {
      const sentences = readSentences(message);
      return sentences.map(({ text, under, block, item }, index) => {
        const head = sentences[index - 1];
        const isHeaded = head?.block === block && countWords(head.text) <= HEAD_WORDS;
        return { text, item, subject: [under, isHeaded ? head.text : '', text].join(' ') };
      });
    })
    .slice(-MOST_SENTENCES);
}

function collectStated(said: LaterStatement[]): Map<string, Set<string>> {
  const stated = new Map<string, Set<string>>();
  for (const { text, quantities } of said)
    for (const quantity of quantities) {
      const frame = frameOf(text, quantity);
      if (frame !== '') stated.set(frame, (stated.get(frame) ?? new Set()).add(quantity.value));
    }
  return stated;
}

function collectCounted(said: LaterStatement[]): Map<string, Set<string>> {
  const counted = new Map<string, Set<string>>();
  for (const { kind, number } of said.flatMap(({ text }) => findCounts(text)))
    counted.set(kind, (counted.get(kind) ?? new Set()).add(number));
  return counted;
}

function isTyped({ promptOrigin, prompt }: Turn): boolean {
  return promptOrigin === 'person' && !prompt.startsWith('/');
}

/** Who took the sentence back, if anyone. */
export function findCorrector(sentence: EarlierSentence, by: Corrections): Corrector | null {
  const earlier = readEarlierStatement(sentence.text);
  if (by.person.some((later) => personTakesBack(later, earlier, sentence))) return 'person';
  if (sentence.isJustSaid && isRenumbered(earlier, by.person)) return 'person';
  if (sentence.byPerson) return isOverruled(earlier, sentence, by) ? 'person' : null;
  if (sentence.isJustSaid && by.stopsWork && by.person.some((later) => rejectsStopped(later, earlier)))
    return 'person';
  if (sentence.isJustSaid && by.newAnswer !== null && isSuperseded(earlier, by.newAnswer)) return 'agent';
  if (sentence.isJustSaid && earlier.leans && !by.accepts && !isSaidAgain(earlier, by.said)) return 'person';
  if (sentence.isJustSaid && by.findsCause && isOpenGuess(earlier, by.said)) return 'agent';
  if (replacesWork(earlier, sentence, by)) return 'edit';
  if (sentence.isJustSaid && by.questions.some((asked) => questionsValue(asked, earlier, by.conceded)))
    return 'agent';
  const objector = sentence.isJustSaid ? by.objectorTo(sentence.text) : null;
  if (objector !== null) return objector;
  if (isRestated(earlier, by) || by.agent.some((later) => agentTakesBack(later, earlier))) return 'agent';
  const isGone =
    isReplaced(sentence.text, sentence.files, by.edits) ||
    namesRemoved(earlier, by) ||
    isRecounted(sentence.text, by) ||
    isTouchedSince(
      sentence.text,
      by.edits.replaced.map(({ path }) => path),
    ) ||
    reportsUndoneWork(earlier, sentence, by);
  return isGone ? 'edit' : null;
}

function namesRemoved(
  { names, isDenial, isExplanation }: EarlierStatement,
  { removed }: Corrections,
): boolean {
  return !isDenial && !isExplanation && [...names].some((name) => removed.has(name));
}

/** Work that the session replaced by other work, of which the agent says nothing more. */
function replacesWork(earlier: EarlierStatement, { reportOf }: EarlierSentence, by: Corrections): boolean {
  if (reportOf === undefined || earlier.isExplanation || earlier.isDenial || !earlier.isDeed) return false;
  return isMostlyReplaced(reportOf, by.edits) && !isSaidAgain(earlier, by.said);
}

/** What was found out stays true when the work is undone. */
function reportsUndoneWork(
  { isExplanation, isDenial }: EarlierStatement,
  { text, files, reportOf }: EarlierSentence,
  { undone }: Corrections,
): boolean {
  if (reportOf !== undefined && countsAll.test(text) && undone.some(({ turnId }) => turnId === reportOf))
    return true;
  if (isExplanation || isDenial) return false;
  if (namesGoneFile(text, undone)) return true;
  if (reportOf === undefined) return false;
  return isUndone(reportOf, files, undone) || namesUndoneFile(text, reportOf, undone);
}

/**
 * “8 attempts”, and later “make it 12 attempts”; “a cap of 30 s should do”, and later “we must wait at least 40 s”, upon
 * which the agent changes its 30 to 45.
 */
function isOverruled(earlier: EarlierStatement, { text, files }: EarlierSentence, by: Corrections): boolean {
  const isOther = by.person.some((later) =>
    later.quantities.some(({ kind, value }) =>
      earlier.quantities.some((own) => own.kind === kind && kind !== '' && own.value !== value),
    ),
  );
  return (isOther && isReplaced(text, files, by.edits)) || isRecounted(text, by);
}

/** “no, it's 30 on the boxes. the 14 is only what the source says”: names the old number and corrects it by another. */
function isRenumbered({ quantities }: EarlierStatement, person: LaterStatement[]): boolean {
  const isBare = (statement: Statement, holds: (number: string) => boolean) =>
    statement.quantities.some(({ kind, number }) => kind === '' && number.length > 1 && holds(number));
  const isOld = (number: string) => quantities.some((each) => each.kind !== '' && each.number === number);
  return (
    person.some((later) => later.corrects && isBare(later, (number) => !isOld(number))) &&
    person.some((later) => isBare(later, isOld))
  );
}

/** These need little in common with a sentence that the person has just read. */
const JUST_SAID = [deniesNames, givesOtherValue, replacesName, rejectsLeaning, statesOtherValue];

/** What was said longer ago must have so many words in common with a correction. */
const LEAST_SHARED = 3;

function personTakesBack(
  later: LaterStatement,
  earlier: EarlierStatement,
  { isJustSaid, byPerson }: EarlierSentence,
): boolean {
  if (replacesValue(later, earlier)) return isJustSaid || countShared(later, earlier) > 0;
  if (byPerson) return isJustSaid && givesOtherValue(later, earlier);
  if (isJustSaid && JUST_SAID.some((takesBack) => takesBack(later, earlier))) return true;
  if (replacesName(later, earlier) && countShared(later, earlier) >= LEAST_SHARED) return true;
  return rejectsProposal(later, earlier);
}

function agentTakesBack(later: LaterStatement, earlier: EarlierStatement): boolean {
  const isCorrection = later.corrects || later.contrasts;
  if (isCorrection && replacesValue(later, earlier) && countShared(later, earlier) > 0) return true;
  return refutesGuess(later, earlier) || explainsLoss(later, earlier);
}

/** “Three copies are kept”, after an edit made 3 to 5 and the agent spoke of five copies. */
function isRecounted(text: string, { edits, counted }: Corrections): boolean {
  return findCounts(text).some(({ kind, number }) => {
    const now = counted.get(kind);
    if (!now || now.has(number)) return false;
    return edits.replaced.some(
      ({ before, after }) => before.has(number) && [...now].some((each) => after.has(each)),
    );
  });
}

/** “My bet is redelivery”: what the agent still thinks once it knows a cause, it says again. */
function isOpenGuess(earlier: EarlierStatement, said: LaterStatement[]): boolean {
  return earlier.isGuess && !earlier.isDenial && !isSaidAgain(earlier, said);
}

/** The agent now states another value of the same thing, and knows the old one. */
function isRestated({ text, quantities }: EarlierStatement, { stated, mentioned }: Corrections): boolean {
  return quantities.some((quantity) => {
    const values = mentioned.has(quantity.value) ? stated.get(frameOf(text, quantity)) : undefined;
    return values !== undefined && !values.has(quantity.value);
  });
}
