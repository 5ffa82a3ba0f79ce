import { countWords } from '../text/count-words.ts';
import { dropOpening } from '../text/openings.ts';
import type { RatedCandidate } from './claim.ts';

/** Points at something that was said before: by its first word, in any of the languages of the markers. */
const pointsBack =
  /^(?:and |but |so |und |aber |et |mais |y |pero |e |mas |и |но |а )?(?:it|its|it's|this|that|that's|these|those|they|them|he|she|both(?! \p{L}+s\b)|the (?:same|latter|former|other|rest|second|first)(?! \p{L}+ (?:of|in))|also|there|then|same|neither|either|which|here|es|das|dies\p{L}*|sie|er|dabei|dadurch|dafür|damit|daran|darum|deshalb|deswegen|daher|letzteres|beide|so|hier|cela|ça|c'est|ce|cette|ces|ils?|elles?|celui\S*|celle\S*|du coup|eso|esto|este|esta|estos|estas|aquello|ambos|lo mismo|por eso|así|isso|isto|esse|essa|este|esta|ele|ela|eles|elas|ambos|por isso|questo|quello|dit|dat|deze|die|to|ten|ta|это|этот|эта|эти|этого|он|она|оно|они|так|там|поэтому|то же|bu|o)(?![\p{L}-])|^(?:つまり|要するに|なので|だから|しかも|也就是说|换句话说|즉|다시 말해|これ|それ|あれ|この|その|あの|ここ|そこ|そのため|両方|同じ|这|那|它|他|她|此|其|两者|同样|因此|所以|이것|그것|저것|이건|그건|이 |그 |여기|거기|그래서|둘 다|따라서)/iu;

/** “never start it from a dev box” */
const pointsAside =
  /^(?!(?:please )?note |beware |remember |so )(?:[\p{L}'’]+ ){1,3}(?:it|them|those)(?![\p{L}'’])/iu;

/** Whether it is not understood without what was said before. */
export function needsContext({ text }: Pick<RatedCandidate, 'text'>): boolean {
  return pointsBack.test(text) || pointsAside.test(text);
}

/**
 * The sentence so that it can be understood alone: with the one or two before it that it points to. Null if it points
 * to something that was not said in its message.
 */
export function completeStatement(sentence: RatedCandidate, before: RatedCandidate[]): string | null {
  if (/[:：]$/.test(sentence.text)) return null;
  const context: string[] = [];
  let first: RatedCandidate = sentence;
  for (const previous of before.toReversed().slice(0, 2)) {
    if (!needsContext(first) && !isHeadOf(previous, first)) break;
    if (isEmptyContext(previous) && !isHeadOf(previous, first)) break;
    context.unshift(previous.text);
    first = previous;
  }
  if (needsContext(first) && sentence.names.length < 2) return null;
  return [...context, dropOpening(sentence.text)].map(withStop).join(' ');
}

/** “src/a.ts — serious. The guard is missing.”: the first words of a paragraph or list item say where. */
function isHeadOf(head: RatedCandidate, { message, block, text }: RatedCandidate): boolean {
  const isSamePlace = head.message === message && head.block === block;
  return (
    isSamePlace &&
    head.names.length > 0 &&
    countWords(head.text) < 6 &&
    !head.names.some((name) => text.includes(name))
  );
}

function isEmptyContext({ noise, text }: RatedCandidate): boolean {
  return noise.includes('courtesy') || noise.includes('offer') || countWords(text) < 3;
}

function withStop(text: string): string {
  if (!/[\p{L}\p{N})\]"”'’`%]$/u.test(text)) return text;
  return text + (/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]$/u.test(text) ? '。' : '.');
}
