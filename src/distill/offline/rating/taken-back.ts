import {
  readEarlierStatement,
  readLaterStatement,
  refutesGuess,
  replacesValue,
  sharedWords,
} from '../../corrections/contradict.ts';
import { splitClauses } from '../../corrections/polarity.ts';
import { countWords } from '../text/count-words.ts';
import type { RatedSentence } from './rated-sentence.ts';
import { correction } from './roles.ts';

/** What holds in the end is said at the end. */
const MOST_LATER = 60;
/** “Discarded: the open CORS.”: so few words are a verdict on something said before. */
const VERDICT_WORDS = 8;
/** A longer sentence is one if it says whose words it judges. */
const SUBAGENT = /(?<!\p{L})sub-?agent\p{L}*|sous-agent|субагент|子代理|サブエージェント|하위 에이전트/iu;
/** A shorter word, or one in more of the sentences, may be in both by accident. */
const TELLING_LETTERS = 5;
const RARE_SHARE = 0.25;

/** Tells whether the agent takes back what it, or a subagent, said before in the same turn. */
export function createTakenBackTest(rated: RatedSentence[]): (claim: RatedSentence) => boolean {
  const later = rated
    .filter(({ from }) => from === 'between' || from === 'closing')
    .filter(({ markers, text }) => markers.has('refutation') || correction.test(text))
    .slice(-MOST_LATER)
    .map(({ text, place, message }) => ({
      statement: readLaterStatement(text),
      // “It is not throttling: 0.3 % of the periods”: what is denied comes first.
      denied: readLaterStatement(splitClauses(text)[0]?.text ?? text),
      isVerdict: countWords(text) <= VERDICT_WORDS || SUBAGENT.test(text),
      isOnReport: SUBAGENT.test(text),
      place,
      message,
    }));
  const reported = rated
    .filter(({ from }) => from === 'report')
    .map(({ text }) => readEarlierStatement(text));
  const isRare = (word: string) =>
    reported.filter(({ words }) => words.has(word)).length <= Math.max(1, reported.length * RARE_SHARE);
  const isTakenBack = ({ from, text, place, message }: RatedSentence) => {
    if (from !== 'between' && from !== 'report') return false;
    // When a report came is not known; what judges a subagent was said after it.
    const isAfterReport = (each: (typeof later)[number]) => each.message > message || each.isOnReport;
    const after = later.filter((each) => each.place > place || (from === 'report' && isAfterReport(each)));
    if (after.length === 0) return false;
    const earlier = readEarlierStatement(text);
    return after.some(({ statement, denied, isVerdict }) => {
      if (refutesGuess(statement, earlier) || (statement.corrects && replacesValue(statement, earlier)))
        return true;
      if (earlier.isGuess)
        return sharedWords(statement.corrects ? denied : statement, earlier).some(
          (word) => word.length >= TELLING_LETTERS,
        );
      return (
        from === 'report' && isVerdict && statement.refutes && sharedWords(statement, earlier).some(isRare)
      );
    });
  };
  return (claim) => {
    if (isTakenBack(claim)) return true;
    // “… cuts long lines. Raise it to 1 MiB.”: what an item of a report goes on to say rests on its first sentence.
    const first = rated.find(
      ({ from, message, block }) => from === 'report' && message === claim.message && block === claim.block,
    );
    return (
      claim.from === 'report' && claim.inList && first !== undefined && first !== claim && isTakenBack(first)
    );
  };
}
