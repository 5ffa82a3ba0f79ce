import { isLookup } from '../is-lookup.ts';
import type { Material } from '../material.ts';
import { capitalise } from '../text/capitals.ts';
import { countWords } from '../text/roles.ts';
import { canBeHeading, headingFrom, headingFromRequest, headingOfStatement } from '../text/title.ts';
import { explanation, findExplanation, isLongEnough } from './explanation.ts';
import type { Observer } from './observer.ts';

const LONGEST_LINE = 110;

/** A question about the code, answered after reading it. */
export const howItWorks: Observer = (material) => {
  if (material.request.intent !== 'explain') return [];
  const about = findExplanation(material);
  const looked = material.turn.calls.some(isLookup) || material.runs.some(printsAnswer);
  if (!isLongEnough(about, looked ? 3 : 12)) return [];
  return [explanation('how-it-works', titleOf(material), material, about)];
};

/** A command that is neither test nor build may have been run to find the answer. */
function printsAnswer({ kind, green, output }: Material['runs'][number]): boolean {
  return kind === 'other' && green && output.trim() !== '';
}

/** The question, as it was asked: the answer is looked for by it. */
function titleOf({ request, said }: Material): string {
  const asked = request.own.find((text) => /[?？]$/.test(text)) ?? request.own[0] ?? '';
  const question = asked.replace(
    /^(?:(?:hey|hi|ok|so|and|also|please|quick question|different topic|can you|could you|tell me|explain(?: to me)?|bitte)[,:]?\s+)+/i,
    '',
  );
  const heading = capitalise(headingFrom(question.replace(/ (?:again|eigentlich|nochmal)(?=[ ?])/i, '')));
  if (countWords(question) < 3 || doubts.test(question))
    return headingOfStatement(said.find(canBeHeading) ?? { text: asked, code: [] });
  if (isVague.test(question) && request.own[0] !== asked) return headingFromRequest(request.own.join(' '));
  return withAnswer(asksWithout.test(heading) ? `${heading}?` : heading, said[0]);
}

const asksWithout =
  /^(?:why|how|what|where|which|who|when|does|is|are|can|warum|wie|was|wo|wofür)\b.*[^?？.!]$/i;
const doubts = /^(?:are you (?:really )?sure|really|is that (?:true|right|so)|bist du sicher|wirklich)\b/i;
const isVague =
  /^(?:what (?:are|would be) (?:the|our|my) (?:options|choices|alternatives)|any ideas?|what do you (?:think|suggest|recommend)|what would you do|was (?:meinst|würdest) du)\b/i;

/** Question and answer in one line, if it is short. */
function withAnswer(question: string, first: Material['said'][number] | undefined): string {
  if (first === undefined || first.inList || first.role === 'next' || !/[?？]$/.test(question))
    return question;
  const answer = headingOfStatement(first);
  if (countWords(answer) < 2 && !/\d/.test(answer)) return question;
  const [clause = ''] = answer.split(/(?<=.{12})(?:[,;] | [—–] |(?<!["'”]): )/);
  const fitting = [answer, clause].find((each) => question.length + each.length < LONGEST_LINE);
  return fitting === undefined ? question : `${question} ${fitting}`;
}
