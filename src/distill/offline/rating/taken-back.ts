import {
  type EarlierStatement,
  readEarlierStatement,
  readLaterStatement,
  readStatement,
  refutesGuess,
  replacesValue,
  type Statement,
  sharedWords,
} from '../../corrections/contradict.ts';
import { isAdvice, isDiagnosis, isSaidAgain } from '../../corrections/new-answer.ts';
import { splitClauses } from '../../corrections/polarity.ts';
import { correction } from '../../phrases/corrections.ts';
import { objects } from '../../phrases/objections.ts';
import { countWords } from '../text/count-words.ts';
import { MARKERS } from './markers.ts';
import type { RatedSentence } from './rated-sentence.ts';

/** What holds in the end is said at the end. */
const MOST_LATER = 60;
/** “Discarded: the open CORS.”: so few words are a verdict on something said before. */
const VERDICT_WORDS = 8;
/** A longer sentence is one if it says whose words it judges. */
const SUBAGENT = /(?<!\p{L})sub-?agent\p{L}*|sous-agent|субагент|子代理|サブエージェント|하위 에이전트/iu;
/** A shorter word, or one in more of the sentences, may be in both by accident. */
const TELLING_LETTERS = 5;
const RARE_SHARE = 0.25;

/** “I don't share that: …” */
function beginsWithVerdict(text: string): boolean {
  const beginning = text.slice(0, VERDICT_LENGTH);
  return MARKERS.refutation.test(beginning) || objects.test(beginning);
}

/** What a verdict is about: its own words, with the sentence before it if it begins with the verdict. */
function judgedBy(
  rated: RatedSentence[],
  { text, message }: Pick<RatedSentence, 'text' | 'message'>,
): Statement {
  const at = rated.findIndex((each) => each.message === message && each.text === text);
  const before = rated[at - 1];
  const isOnIt = beginsWithVerdict(text) && before?.message === message && before.block === rated[at]?.block;
  return readStatement(isOnIt ? `${before.text} ${text}` : text);
}

const VERDICT_LENGTH = 25;

const DENIALS = [MARKERS.negation, MARKERS.refutation, objects];

function sharesTelling(one: Statement, other: Statement): boolean {
  return (
    [...one.names].some((name) => other.names.has(name)) ||
    sharedWords(one, other).some((word) => word.length >= TELLING_LETTERS || !/\p{Script=Latin}/u.test(word))
  );
}

/** Tells whether the agent takes back what it, or a subagent, said before in the same turn. */
export function createTakenBackTest(rated: RatedSentence[]): (claim: RatedSentence) => boolean {
  const later = rated
    .filter(({ from }) => from === 'between' || from === 'closing')
    .filter(({ markers, text }) => markers.has('refutation') || correction.test(text) || objects.test(text))
    .slice(-MOST_LATER)
    .map(({ text, place, message }) => ({
      statement: readLaterStatement(text),
      // “It is not throttling: 0.3 % of the periods”: what is denied comes first.
      denied: readLaterStatement(splitClauses(text)[0]?.text ?? text),
      isVerdict: countWords(text) <= VERDICT_WORDS || SUBAGENT.test(text) || beginsWithVerdict(text),
      judged: judgedBy(rated, { text, message }),
      isOnReport: SUBAGENT.test(text),
      place,
      message,
    }));
  const reported = rated
    .filter(({ from }) => from === 'report')
    .map(({ text }) => readEarlierStatement(text));
  // What the agent found out itself, after it looked into a report.
  const found = rated
    .filter(({ from }) => reported.length > 0 && (from === 'between' || from === 'closing'))
    .map(({ text }) => readStatement(text));
  const explained = found.filter(({ text }) => isDiagnosis(text));
  const denials = found.filter(({ text }) => DENIALS.some((marker) => marker.test(text)));
  /** A cause or an advice of a report, where the agent denies something of it and names another cause. */
  const isDisproved = (earlier: EarlierStatement) =>
    (isDiagnosis(earlier.text) || isAdvice(earlier.text)) &&
    explained.some((each) => sharedWords(each, earlier).length <= 1) &&
    denials.some((each) => sharesTelling(each, earlier)) &&
    !isSaidAgain(earlier, found);
  const isRare = (word: string) =>
    reported.filter(({ words }) => words.has(word)).length <= Math.max(1, reported.length * RARE_SHARE);
  const isTakenBack = ({ from, text, place, message }: RatedSentence) => {
    if (from !== 'between' && from !== 'report') return false;
    // When a report came is not known; what judges a subagent was said after it.
    const isAfterReport = (each: (typeof later)[number]) => each.message > message || each.isOnReport;
    const after = later.filter((each) => each.place > place || (from === 'report' && isAfterReport(each)));
    const earlier = readEarlierStatement(text);
    if (from === 'report' && isDisproved(earlier)) return true;
    if (after.length === 0) return false;
    return after.some(({ statement, denied, isVerdict, judged }) => {
      if (refutesGuess(statement, earlier) || (statement.corrects && replacesValue(statement, earlier)))
        return true;
      if (earlier.isGuess)
        return sharedWords(statement.corrects ? denied : statement, earlier).some(
          (word) => word.length >= TELLING_LETTERS,
        );
      return from === 'report' && isVerdict && sharedWords(judged, earlier).some(isRare);
    });
  };
  return (claim) => {
    if (isTakenBack(claim)) return true;
    // “… cuts long lines. Raise it to 1 MiB.”: what an item of a report goes on to say rests on its first sentence.
    const first = rated.find(
      ({ from, message, block }) => from === 'report' && message === claim.message && block === claim.block,
    );
    return (
      claim.from === 'report' &&
      (claim.inList || isAdvice(claim.text)) &&
      first !== undefined &&
      first !== claim &&
      isTakenBack(first)
    );
  };
}
