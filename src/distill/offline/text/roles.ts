import { capitalise } from './capitals.ts';
import * as cues from './cues.ts';
import { roleOfLabel } from './labels.ts';
import { readSentences, type Sentence } from './sentences.ts';

/**
 * What a sentence of the agent is good for. `check` tells what was looked at, `status` how a run ended; `plain`
 * only states something.
 */
export type Role =
  | 'next'
  | 'note'
  | 'gotcha'
  | 'decision'
  | 'finding'
  | 'cause'
  | 'cure'
  | 'check'
  | 'status'
  | 'plain';

export interface Statement extends Sentence {
  role: Role;
  /** How much it says: names, numbers, causes and results weigh, vague words do not. */
  weight: number;
}

/** The sentences of a text that say something, each with what it is good for. Narration and courtesy are gone. */
export function classifySentences(text: string): Statement[] {
  const statements: Statement[] = [];
  let before: { block: number; role: Role } | undefined;
  for (const sentence of readSentences(text)) {
    const words = dropOpening(sentence.text);
    if (isEmptyTalk(words) || saysBack(sentence.text)) continue;
    const said = { ...sentence, text: words };
    const role = inContext(roleOf(said), before?.block === sentence.block ? before.role : undefined);
    before = { block: sentence.block, role };
    if (isQuestion(words) && !isOffer(words)) continue;
    if (cues.check.test(words) && weightOf(said) < 1) continue;
    const deed = isOffer(words) ? readOffer(words) : words;
    if (deed !== '') statements.push({ ...said, text: deed, role, weight: weightOf(said) });
  }
  return statements;
}

/** A sentence goes on with what the one before it in the same paragraph was about, unless it says otherwise. */
function inContext(own: Role, before: Role | undefined): Role {
  if (before === 'finding' && own !== 'next') return 'finding';
  if (own !== 'plain' || before === undefined || before === 'status') return own;
  return before;
}

function saysBack(text: string): boolean {
  const rest = text.replace(cues.acknowledgement, '');
  return rest !== text && countWords(rest) <= 5;
}

function isQuestion(words: string): boolean {
  return /[?？]$/.test(words);
}

function isOffer(words: string): boolean {
  return (
    cues.offer.test(words) && (isQuestion(words) || /^(if you|i (can|could) also|soll ich)/i.test(words))
  );
}

/** “Want me to update the docs too?” → “Update the docs too.”; “Shall I fix it?” names nothing to do. */
export function readOffer(words: string): string {
  const deed = words
    .replace(
      /^.*?\b(?:want me to|would you like me to|should i|shall i|do you want me to|may i|i can also|i could also|i can|i could|soll ich)\s+/i,
      '',
    )
    .replace(/[?？.]+$/, '');
  return countWords(deed) > 3 && !namesNothing.test(deed) ? `${capitalise(deed)}.` : '';
}

const namesNothing =
  /^\S+ (?:it|that|this|them|those|these|so|the same|das|es)(?: ones?)?(?: (?:too|as well|also|next|now|for you|auch|noch))*$/i;

export function isEmptyTalk(words: string): boolean {
  return [...cues.courtesy, ...cues.narration].some((pattern) => pattern.test(words));
}

export function dropOpening(words: string): string {
  const rest = words.replace(cues.opening, '');
  return rest === words ? words : capitalise(rest);
}

function roleOf({ text, under, code }: Sentence): Role {
  const label = roleOfLabel(under);
  if (label === 'next' || isOffer(text)) return 'next';
  if (label === 'gotcha' || label === 'note') return label;
  if (cues.nextStep.test(text) && label === undefined) return 'next';
  if (cues.advice.test(text) && label === undefined) return tellsWhy(text) ? 'cause' : 'next';
  if (label === 'decision') return 'decision';
  if (cues.confidence.test(text) || cues.keptToRequest.test(text)) return 'note';
  if (cues.finding.test(text) && label === undefined) return 'finding';
  if (cues.caveat.test(text) && startsWithCaveat(text)) return 'note';
  if (statesChoice(text) && (label !== 'cause' || /^why\b/i.test(under))) return 'decision';
  if (label === 'cause') return 'cause';
  if (isStatusOnly({ text, code })) return 'status';
  if (label === 'cure') return 'cure';
  if (label === 'check' || cues.check.test(text)) return 'check';
  if (cues.deed.test(text)) return 'cure';
  if (cues.cause.test(text) && !tellsHowItIsNow(text)) return 'cause';
  return cues.result.test(text) ? 'cure' : 'plain';
}

/** “All 22 tests pass” and no more; with a name in it, it tells what was done. */
function isStatusOnly({ text, code }: Pick<Sentence, 'text' | 'code'>): boolean {
  if (!cues.status.test(text) || text.length > 120 || cues.cause.test(text)) return false;
  return code.length === 0 && !identifier.test(text) && !path.test(text);
}

function tellsHowItIsNow(text: string): boolean {
  const [now, cause] = [cues.nowIs.exec(text), cues.cause.exec(text)];
  return now !== null && cause !== null && now.index < cause.index;
}

/** A caveat says so in its first words; in the middle of a sentence the same words mean less. */
function startsWithCaveat(text: string): boolean {
  return cues.caveat.test(text.slice(0, 40)) || /\bnot (corrected|covered|handled|backfilled)\b/i.test(text);
}

/** With a reason, or at some length after a colon. */
function tellsWhy(text: string): boolean {
  return cues.reason.test(text) || cues.cause.test(text) || cues.contrast.test(text) || /: .{40,}/.test(text);
}

/** “I went with X”, or “X rather than Y” with a reason. */
function statesChoice(text: string): boolean {
  if (cues.keptToRequest.test(text)) return false;
  if (cues.choice.test(text)) return cues.reason.test(text) || cues.contrast.test(text);
  return cues.contrast.test(text) && cues.reason.test(text) && /^(i|we|ich|wir|je|nous)\b/i.test(text);
}

const path = /(?:[\w@.-]+\/)+[\w@.-]+|\b[\w-]+\.[a-z]{1,5}\b/i;
const identifier =
  /\b[a-z]+[A-Z]\w*\b|\b\w+\(\)|\b[A-Z][A-Z0-9]*_[A-Z0-9_]+\b|\b[a-z]+_[a-z_]+\b|--[a-z][\w-]+/;

export function weightOf({ text, code }: Pick<Sentence, 'text' | 'code'>): number {
  let weight = 0;
  if (code.length > 0 || identifier.test(text)) weight += 2;
  if (path.test(text)) weight += 1;
  if (/\d/.test(text)) weight += 1;
  if (cues.cause.test(text)) weight += 3;
  if (cues.result.test(text)) weight += 2;
  if (cues.contrast.test(text)) weight += 1;
  if (countWords(text) < 4) weight -= 2;
  return weight;
}

/** Chinese and Japanese write no spaces: two characters count as a word. */
export function countWords(text: string): number {
  const unspaced = text.match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/gu)?.length ?? 0;
  return text.split(/\s+/).length + unspaced / 2;
}
