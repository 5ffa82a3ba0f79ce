import { looksInto } from '../looked.ts';
import type { Material } from '../material.ts';
import { capitalised } from '../text/capitals.ts';
import { lengthInWords } from '../text/roles.ts';
import { canBeHeading, headingFrom } from '../text/title.ts';
import { explanation, isWorthTelling, toldAfterLooking } from './explanation.ts';
import type { Observer } from './observer.ts';

/** A question about the code, answered after reading it. */
export const howItWorks: Observer = (material) => {
  if (material.request.intent !== 'explain') return [];
  const about = toldAfterLooking(material);
  const looked = material.turn.calls.some(looksInto);
  if (!isWorthTelling(about, looked ? 3 : 12)) return [];
  return [explanation('how-it-works', titleOf(material), material, about)];
};

/** The question, as it was asked: the answer is looked for by it. */
function titleOf({ request, said }: Material): string {
  const asked = request.own.find((text) => /[?？]$/.test(text)) ?? request.own[0] ?? '';
  const question = asked.replace(
    /^(?:(?:hey|hi|ok|so|and|also|please|quick question|different topic|can you|could you|tell me|explain(?: to me)?|bitte)[,:]?\s+)+/i,
    '',
  );
  if (lengthInWords(question) >= 3) return capitalised(headingFrom(question));
  return headingFrom(said.find(canBeHeading)?.text ?? asked);
}
