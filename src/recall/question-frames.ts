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

const CHATS = '(?:conversations?|chats?|sessions?|discussions?|messages?|dialogues?|exchanges?)';
const OUR_CHATS = `(?:our|my|these|those|the|all)(?: \\w+)? ${CHATS}`;
const OVERVIEW =
  '(?:(?:complete|full|comprehensive|detailed|brief|short|quick|thorough|clear|concise|overall|chronological) )*' +
  '(?:summary|overview|re-?cap|rundown|synopsis|timeline|chronology)';
const PEOPLE = '(?:i|we|you)';
const SAY =
  '(?:tell|told|say|said|mention(?:ed)?|talk(?:ed)?|speak|spoken?|discuss(?:ed)?|bring up|brought up|raised?|cover(?:ed)?|' +
  'described?|shared?|ask(?:ed)?|chat(?:ted)?|go over|went over)';
const BEFORE_SAYING = '(?: (?:ever|already|first|last|previously|also|just|originally))*';
const AFTER_SAYING =
  '(?: (?:to |with )?(?:you|me|each other))?' +
  '(?: (?:all|the|any|anything|everything|something|different|various|main|key|important))*' +
  '(?: (?:aspects?|topics?|things?|points?|details?|parts?))?' +
  '(?: (?:about|regarding|concerning|on|of|for|with))?';

/** Each of them makes the question a survey. */
const SURVEYS = [
  '(?:in )?(?:(?:what|which|the|chronological) )*(?:order|sequence)(?: of (?:the )?(?:events|things|topics))?' +
    `(?= (?:in which |of (?:how |what )?)?(?:did |have |had )?(?:${PEOPLE}|things|events|my|our|it)\\b)(?: in which)?`,
  '(?:in (?:chronological |the right )?order|chronologically)(?= ?[.,;:?!]| ?$)',
  'from (?:the )?(?:first|earliest|start|beginning|oldest) to (?:the )?(?:last|latest|end|newest)',
  `(?:give|provide|write|make|show|send|have|need|want|get)(?: me| us)? (?:an? |the )?${OVERVIEW}(?: of| on| about)?`,
  `what (?:is|was) the ${OVERVIEW} of (?=my|our)`,
  '(?:^|(?:can|could|would|will) you |please |to )(?:briefly )?(?:summari[sz]e|re-?cap|sum up)',
  'walk me through(?= (?:how|what|my|our|it|everything)\\b)',
  `(?:over|across|throughout|during) (?:the course of )?(?:all )?(?:of )?${OUR_CHATS}`,
  '(?:evolved?|develop(?:ed)?|progress(?:ed)?|changed?|unfold(?:ed)?|went|gone)' +
    '(?= (?:over time|so far|over the|across|throughout|since|from)\\b)',
].map((form) => new RegExp(`(?<![\\w-])(?:${form})(?![\\w-])`, 'i'));

/** Words that only say what kind of overview is wanted. */
const SURVEY_WORDS =
  /\b(?:over time|so far|to date|until now|up to now|step by step|includ(?:e|es|ing)|progress(?:ed|ion)?|evolved?|evolution|key|main|major|important|different|various|several|aspects?|topics?|things?|points?|items?|details?|decisions?|challenges?|milestones?|developments?|everything|journey|list|one|two|three|four|five|six|seven|eight|nine|ten)\b/gi;

const ASIDES = [
  `(?:(?:did|have|had|do|that|which|what|when|where|how) )?${PEOPLE}(?:'ve| have|'d| had)?${BEFORE_SAYING} ${SAY}${AFTER_SAYING}`,
  '(?:can|could|would|will) you(?: please)?(?: (?:tell|show|give|help|remind|list))?(?: me)?',
  'remind me(?: of| about)?|do you (?:remember|recall|know)',
  '(?:mention|name|list|give)(?: me)? only(?: and only)?(?: \\w+)?(?: (?:items?|things?|points?))?',
  `(?:in|from|of) ${OUR_CHATS}`,
].map((form) => new RegExp(`(?<![\\w-])(?:${form})(?![\\w-])`, 'gi'));

export function findFrames(text: string): FramedQuestion {
  if (text.length > LONGEST_QUESTION) return { subject: text, isSurvey: false };
  const isSurvey = SURVEYS.some((form) => form.test(text));
  let subject = text;
  for (const form of isSurvey ? [...SURVEYS, ...ASIDES, SURVEY_WORDS] : ASIDES)
    subject = subject.replace(form, ' ');
  return { subject, isSurvey };
}
