import { anyOf, type Phrases } from './phrases.ts';

const NUMBER: Phrases = {
  en: 'no|nr|num|number|finding|item|point',
  de: 'punkt|befund|nummer',
  fr: 'numéro|constat',
  es: 'no|punto|hallazgo|número',
  pt: 'número|ponto|achado',
  nl: 'bevinding|punt|nummer',
  pl: 'punkt',
  ru: 'пункт',
};

/** “no. 4”, “#4”, “第4”, or the number alone. */
const BEFORE_NUMBER = `(?:(?<!\\p{L})(?:${anyOf(NUMBER)})\\.?|#|№|n[°º])\\s*|第\\s*|^`;
const AFTER_NUMBER = '(?:\\s?(?:番目?|번째?|号|点|条|つ目))?';

/** “no 4 is intended”, “#2 and #3 are by design”, but not “4 is enough”. */
export const itemNumber = new RegExp(
  `(?:${BEFORE_NUMBER})(\\d{1,2})${AFTER_NUMBER}(?![\\p{L}\\p{N}.%:])`,
  'giu',
);

const ORDINALS: Phrases[] = [
  {
    en: 'first one|first (point|finding|item)',
    de: 'erste punkt|erste befund',
    fr: 'premier (point|constat)',
    es: 'primer (punto|hallazgo)',
    pt: 'primeiro (ponto|achado)',
    it: 'primo punto',
    nl: 'eerste punt',
    pl: 'pierwszy punkt',
    ru: 'первый пункт',
    uk: 'перший пункт',
    zh: '第一(点|条|个)',
    ja: '[1一]つ目',
    ko: '첫 번째',
  },
  {
    en: 'second one|second (point|finding|item)',
    de: 'zweite punkt|zweite befund',
    fr: '(deuxième|second) (point|constat)',
    es: 'segundo (punto|hallazgo)',
    pt: 'segundo (ponto|achado)',
    it: 'secondo punto',
    nl: 'tweede punt',
    pl: 'drugi punkt',
    ru: 'второй пункт',
    uk: 'другий пункт',
    zh: '第二(点|条|个)',
    ja: '[2二]つ目',
    ko: '두 번째',
  },
  {
    en: 'third one|third (point|finding|item)',
    de: 'dritte punkt|dritte befund',
    fr: 'troisième (point|constat)',
    es: 'tercer (punto|hallazgo)',
    pt: 'terceiro (ponto|achado)',
    it: 'terzo punto',
    nl: 'derde punt',
    pl: 'trzeci punkt',
    ru: 'третий пункт',
    uk: 'третій пункт',
    zh: '第三(点|条|个)',
    ja: '[3三]つ目',
    ko: '세 번째',
  },
];

/** “the second one is not true” */
export const ordinals = ORDINALS.map((phrases) => new RegExp(`(?<!\\p{L})(?:${anyOf(phrases)})`, 'iu'));
