/**
 * Parts of a question about the conversation instead of its subject: "what did I tell you about", "throughout our
 * conversations". As words they would find every turn in which something is told or discussed. English only, like the
 * other forms of questions.
 */

export interface FramedQuestion {
  /** The question without these parts. */
  subject: string;
  /** It asks for the order or an overview of what was said in several sessions, not for one thing. */
  isSurvey: boolean;
}

/** A longer text is a prompt, in which such a phrase is one of many. */
const LONGEST_QUESTION = 500;

const CHATS = (
  'conversation conversations chat chats session sessions discussion discussions message messages ' +
  'dialogue dialogues exchange exchanges'
).split(' ');
const OVERVIEWS = ['summary', 'overview', 'recap', 're-cap', 'rundown', 'synopsis', 'timeline', 'chronology'];
const SUM_UP = ['summarize', 'summarise', 'recap', 're-cap', 'sum up'];
const STARTS = ['first', 'earliest', 'start', 'beginning', 'oldest'];
const CHANGE =
  'evolve evolved develop developed progress progressed change changed unfold unfolded went gone'.split(' ');
const SAY = (
  'tell,told,say,said,mention,mentioned,talk,talked,speak,spoke,spoken,discuss,discussed,bring up,brought up,raise,' +
  'raised,cover,covered,describe,described,share,shared,ask,asked,chat,chatted,go over,went over'
).split(',');

const OUR_CHATS = `(?:our|my|these|those|the|all)(?: \\w+)? ${oneOf(CHATS)}`;
const OVERVIEW = `(?:(?:complete|full|comprehensive|detailed|brief|short|quick|thorough|clear|concise|overall|chronological) )*${oneOf(OVERVIEWS)}`;
const PEOPLE = '(?:i|we|you)';
const BEFORE_SAYING = '(?: (?:ever|already|first|last|previously|also|just|originally))*';
const AFTER_SAYING =
  '(?: (?:to |with )?(?:you|me|each other))?' +
  '(?: (?:all|the|any|anything|everything|something|different|various|main|key|important))*' +
  '(?: (?:aspects?|topics?|things?|points?|details?|parts?))?' +
  '(?: (?:about|regarding|concerning|on|of|for|with))?';

/** A form, and words of which a text with that form has one. */
interface Frame {
  hints: string[];
  form: string;
}

/** Each of them makes the question a survey. */
const SURVEYS: Frame[] = [
  {
    hints: ['order', 'sequence'],
    form:
      '(?:in )?(?:(?:what|which|the|chronological) )*(?:order|sequence)(?: of (?:the )?(?:events|things|topics))?' +
      `(?= (?:in which |of (?:how |what )?)?(?:did |have |had )?(?:${PEOPLE}|things|events|my|our|it)\\b)(?: in which)?`,
  },
  {
    hints: ['order', 'chronologically'],
    form: '(?:in (?:chronological |the right )?order|chronologically)(?= ?[.,;:?!]| ?$)',
  },
  {
    hints: STARTS,
    form: `from (?:the )?${oneOf(STARTS)} to (?:the )?(?:last|latest|end|newest)`,
  },
  {
    hints: OVERVIEWS,
    form: `(?:give|provide|write|make|show|send|have|need|want|get)(?: me| us)? (?:an? |the )?${OVERVIEW}(?: of| on| about)?`,
  },
  { hints: OVERVIEWS, form: `what (?:is|was) the ${OVERVIEW} of (?=my|our)` },
  { hints: SUM_UP, form: `(?:^|(?:can|could|would|will) you |please |to )(?:briefly )?${oneOf(SUM_UP)}` },
  { hints: ['walk'], form: 'walk me through(?= (?:how|what|my|our|it|everything)\\b)' },
  {
    hints: CHATS,
    form: `(?:over|across|throughout|during) (?:the course of )?(?:all )?(?:of )?${OUR_CHATS}`,
  },
  {
    hints: CHANGE,
    form: `${oneOf(CHANGE)}(?= (?:over time|so far|over the|across|throughout|since|from)\\b)`,
  },
];

/** Words that only say what kind of overview is wanted. */
const SURVEY_WORDS =
  /\b(?:over time|so far|to date|until now|up to now|step by step|includ(?:e|es|ing)|progress(?:ed|ion)?|evolved?|evolution|key|main|major|important|different|various|several|aspects?|topics?|things?|points?|items?|details?|decisions?|challenges?|milestones?|developments?|everything|journey|list|one|two|three|four|five|six|seven|eight|nine|ten)\b/gi;

const ASIDES: Frame[] = [
  {
    hints: SAY,
    form:
      '(?:(?:did|have|had|do|that|which|what|when|where|how) )?' +
      `${PEOPLE}(?:'ve| have|'d| had)?${BEFORE_SAYING} ${oneOf(SAY)}${AFTER_SAYING}`,
  },
  {
    hints: ['can', 'could', 'would', 'will'],
    form: '(?:can|could|would|will) you(?: please)?(?: (?:tell|show|give|help|remind|list))?(?: me)?',
  },
  {
    hints: ['remind', 'remember', 'recall', 'know'],
    form: 'remind me(?: of| about)?|do you (?:remember|recall|know)',
  },
  {
    hints: ['only'],
    form: '(?:mention|name|list|give)(?: me)? only(?: and only)?(?: \\w+)?(?: (?:items?|things?|points?))?',
  },
  { hints: CHATS, form: `(?:in|from|of) ${OUR_CHATS}` },
];

export function findFrames(text: string): FramedQuestion {
  if (text.length > LONGEST_QUESTION) return { subject: text, isSurvey: false };
  const surveys = compileHinted(SURVEYS, text);
  const isSurvey = surveys.some((form) => text.search(form) >= 0);
  const asides = compileHinted(ASIDES, text);
  let subject = text;
  for (const form of isSurvey ? [...surveys, ...asides, SURVEY_WORDS] : asides)
    subject = subject.replace(form, ' ');
  return { subject, isSurvey };
}

/** Compiling all of them would take a hook longer than its search. */
function compileHinted(frames: Frame[], text: string): RegExp[] {
  const words = new Set(text.toLowerCase().split(/[^\w-]+/));
  return frames
    .filter(({ hints }) => hints.some((hint) => words.has(firstWord(hint))))
    .map(({ form }) => new RegExp(`(?<![\\w-])(?:${form})(?![\\w-])`, 'gi'));
}

function firstWord(phrase: string): string {
  return phrase.split(' ', 1)[0] ?? phrase;
}

function oneOf(phrases: string[]): string {
  return `(?:${phrases.join('|')})`;
}
