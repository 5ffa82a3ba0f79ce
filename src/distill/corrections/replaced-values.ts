import { collectEdits } from '../offline/calls/edits.ts';
import { MARKERS } from '../offline/rating/markers.ts';
import type { Turn } from '../turn.ts';

/** Values in one file that the edits of a turn took out, and what they put in. */
export interface ReplacedValues {
  path: string;
  created: boolean;
  removed: boolean;
  before: Set<string>;
  after: Set<string>;
}

/** Numbers, versions and names of code. */
const VALUE = /\d[\d.]*\d|\d|[A-Za-z_$][\w$]{3,}/g;
/** A setting with its value, as a connection string or a command line has it: `Encrypt=False`. */
const ASSIGNMENT = /[A-Za-z][\w$.-]+=[\w$./-]*\w/g;
/** Names of so many letters are seldom met by accident. */
const TELLING_NAME = 5;

/** A file that was only extended has nothing taken out. */
export function findReplacedValues(turn: Turn): ReplacedValues[] {
  return collectEdits(turn).map(({ path, created, removed, before, after }) => {
    const [taken, put] = [valuesOf(before), valuesOf(after)];
    return { path, created, removed, before: without(taken, put), after: without(put, taken) };
  });
}

/** An edit of an earlier turn. */
export interface EarlierValues extends ReplacedValues {
  turnId: number;
}

/** The edits of a turn and of those before it, with what its prompt says about them. */
export interface Replacements {
  replaced: ReplacedValues[];
  /** Of the turns before. */
  earlier: EarlierValues[];
  /** Words that the person does not want, in lower case. */
  deniedWords: Set<string>;
  /** Whether the prompt corrects something. */
  isCorrection: boolean;
}

/**
 * Whether a sentence no longer holds, because later edits replaced what it tells: “capped at 30 seconds”, after 30
 * became 45 in the same file; “runs on Quantum”, after the session took out the name that it had put in; “merged the two
 * into one”, after it put back a name that it had taken out; “they now get region unknown”, after the person objected
 * and the session took all of that out again.
 */
export function isReplaced(
  sentence: string,
  files: string[],
  { replaced, earlier, deniedWords, isCorrection }: Replacements,
): boolean {
  const statedValues = valuesOf([sentence]);
  const isDeed = MARKERS.deed.test(sentence);
  // Why something was so, or what was wrong with it, stays true when it is no longer so.
  const isExplanation = MARKERS.cause.test(sentence) || MARKERS.negation.test(sentence);
  const lowerCaseValues = new Set([...statedValues].map((value) => value.toLowerCase()));
  const isDenied = (value: string) =>
    value.length >= TELLING_NAME && deniedWords.has(value) && lowerCaseValues.has(value);
  const put = new Set(replaced.flatMap(({ after }) => [...after]));
  const isRenamed = [...statedValues].some(
    (value) =>
      isIdentifier(value) &&
      !put.has(value) &&
      earlier.some(({ after }) => after.has(value)) &&
      replaced.some(({ before }) => before.has(value)),
  );
  if (isRenamed && isDeed) return true;
  return replaced.some(({ path, before, after }) => {
    const own = earlier.filter((each) => each.path === path);
    const isUndone = [...after].some(
      (value) => isIdentifier(value) && statedValues.has(value) && own.some((each) => each.before.has(value)),
    );
    if (isUndone && (isDeed || isCorrection)) return true;
    if (isCorrection && isTakenOut(before, after, own) && containsMostOf(statedValues, before)) return true;
    if ([...after].some((value) => statedValues.has(value) && !isFollowed(value, before, sentence)))
      return false;
    const isOfFile = files.some((file) => isSameFile(file, path));
    return [...before].some((value) => {
      const isOwn = own.some((each) => each.after.has(value));
      if (isOwn && isDenied(value.toLowerCase())) return true;
      if (!statedValues.has(value)) return false;
      if (isAssignment(value)) return isOwn && !MARKERS.negation.test(sentence);
      if (/^\d/.test(value)) return value.length > 1 && (isOwn || (isOfFile && isDeed));
      return isOwn && isIdentifier(value) && !isExplanation;
    });
  });
}

/** Whether most of what a turn put into its files was taken out again. */
export function isMostlyReplaced(turnId: number, { replaced, earlier }: Replacements): boolean {
  const own = earlier.filter((each) => each.turnId === turnId && each.after.size > 0);
  const all = own.reduce((sum, { after }) => sum + after.size, 0);
  const gone = own.reduce((sum, { path, after }) => {
    const taken = replaced.filter((each) => each.path === path);
    return sum + [...after].filter((value) => taken.some(({ before }) => before.has(value))).length;
  }, 0);
  return gone > 0 && gone * 2 >= all;
}

/** Files of a memory are named from the top of the checkout, those of a call from the folder of the session. */
export function isSameFile(file: string, path: string): boolean {
  return file === path || file.endsWith(`/${path}`);
}

/** Whether the edits did nothing but take out what the session had put in. */
function isTakenOut(before: Set<string>, after: Set<string>, own: ReplacedValues[]): boolean {
  return (
    before.size > 0 &&
    after.size === 0 &&
    [...before].every((value) => own.some((each) => each.after.has(value)))
  );
}

function containsMostOf(stated: Set<string>, values: Set<string>): boolean {
  const shared = [...values].filter((value) => stated.has(value));
  return shared.length * 2 > values.size && shared.some((value) => value.length >= TELLING_NAME);
}

/** “from 2.1.9 to 3.1.6”: what is named last holds, also where the value of now is named before it. */
function isFollowed(value: string, before: Set<string>, sentence: string): boolean {
  const place = sentence.lastIndexOf(value);
  return [...before].some((other) => sentence.lastIndexOf(other) > place);
}

/** A name that can be no word of the language: `runde_netz`, `maxAge`, `MAX_AGE`. */
function isIdentifier(value: string): boolean {
  return /[a-z\d][A-Z]|[a-z]_[a-z]|[A-Z]_[A-Z]/.test(value);
}

function without(one: Set<string>, other: Set<string>): Set<string> {
  return new Set([...one].filter((value) => !other.has(value)));
}

function isAssignment(value: string): boolean {
  return value.includes('=');
}

function valuesOf(lines: string[]): Set<string> {
  return new Set(lines.flatMap((line) => [...(line.match(VALUE) ?? []), ...(line.match(ASSIGNMENT) ?? [])]));
}
