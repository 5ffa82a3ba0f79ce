import { CONJUNCTIONS } from './conjunctions.ts';
import { anyOf, listSpaced, listUnspaced, type Phrases } from './phrases.ts';

const POINTING: Phrases = {
  en: [
    "it|its|it's|this|that|that's|these|those|they|them|he|she|both(?! \\p{L}+s\\b)",
    'the (?:same|latter|former|other|rest|second|first)(?! \\p{L}+ (?:of|in))|also|there|then|same|neither',
    'either|which|here|so',
  ],
  de: [
    'es|das|dies\\p{L}*|sie|er|dabei|dadurch|dafür|damit|daran|darum|deshalb|deswegen|daher|letzteres|beide',
    'so|hier|die',
  ],
  fr: "cela|ça|c'est|ce|cette|ces|ils?|elles?|celui\\S*|celle\\S*|du coup",
  es: 'eso|esto|este|esta|estos|estas|aquello|ambos|lo mismo|por eso|así',
  pt: 'isso|isto|esse|essa|este|esta|ele|ela|eles|elas|ambos|por isso|o',
  it: 'questo|quello',
  nl: 'beide|hier|dit|dat|deze|die',
  pl: 'to|ten|ta',
  ru: 'это|этот|эта|эти|этого|он|она|оно|они|так|там|поэтому|то же',
  tr: 'bu|o',
  zh: '也就是说|换句话说|这|那|它|他|她|此|其|两者|同样|因此|所以',
  ja: 'つまり|要するに|なので|だから|しかも|これ|それ|あれ|この|その|あの|ここ|そこ|そのため|両方|同じ',
  ko: '즉|다시 말해|이것|그것|저것|이건|그건|이 |그 |여기|거기|그래서|둘 다|따라서',
};

const SPACED = listSpaced(POINTING).join('|');
const UNSPACED = listUnspaced(POINTING).join('|');

/** Points at something that was said before, by its first word. */
export const pointsBack = new RegExp(
  `^(?:(?:so|${anyOf(CONJUNCTIONS)}) )?(?:${SPACED})(?![\\p{L}-])|^(?:${UNSPACED})`,
  'iu',
);
