import { createMarker } from './marker.ts';
import { anyOf, type Phrases } from './phrases.ts';

/** One thing against another. */
export const contrast = createMarker({
  en: [
    'instead( of)?|rather than|as opposed to|over(?= (a|an|the)(?!\\p{L}))|unlike|not \\S+( \\S+)? but',
    'versus|vs',
  ],
  de: 'statt(dessen)?|anstatt|anstelle|sondern',
  fr: 'plutôt|au lieu',
  es: 'en (lugar|vez) de|sino',
  pt: 'em vez|ao invés|senão',
  it: 'invece|anziché',
  nl: 'in plaats van',
  sv: 'istället|i stället',
  da: 'i stedet',
  no: 'i stedet',
  pl: 'zamiast',
  cs: 'místo|nikoli',
  ru: 'вместо|а не|нежели',
  uk: 'замість',
  tr: 'yerine',
  ar: 'بدلاً|بدلا|بدل|عوضاً',
  fa: 'به جای|به‌جای',
  he: 'במקום',
  hi: 'बजाय|की जगह|के बदले',
  vi: 'thay vì',
  id: 'alih-alih|daripada|bukannya',
  zh: '而不是|而非|代替|改用',
  ja: '代替|ではなく|代わりに|よりも',
  ko: '대신|아니라',
});

/** One way instead of another, not “not this but that”, which only corrects. */
export const alternative = createMarker({
  en: 'instead( of)?|rather than|over(?= (a|an|the) )|as opposed to',
  de: 'statt(dessen)?|anstatt|anstelle',
  fr: 'plutôt|au lieu',
  es: 'en (lugar|vez) de',
  pt: 'em vez|ao invés',
  it: 'invece|anziché',
  nl: 'in plaats van',
  pl: 'zamiast',
  ru: 'вместо',
  tr: 'yerine',
  zh: '而不是|代替|改用',
  ja: '代替|代わりに',
  ko: '대신',
});

export const but = createMarker({
  en: 'but|however|although|though|whereas|except|despite|yet|while',
  de: 'aber|jedoch|allerdings|obwohl|trotz\\p{L}*|außer',
  fr: 'mais|cependant|pourtant|malgré|sauf',
  es: 'pero|aunque|sin embargo|salvo',
  pt: 'salvo|mas|porém|embora|exceto|apesar',
  it: 'salvo|ma|però',
  nl: 'tranne|maar|echter|hoewel|behalve',
  sv: 'men',
  da: 'men',
  no: 'men',
  pl: 'ale|jednak|choć',
  cs: 'ale|však|avšak|ačkoli',
  ru: 'но|однако|хотя|кроме|зато',
  uk: 'але|проте|однак|хоча',
  tr: 'ama|fakat|ancak|rağmen',
  ar: 'لكن|ولكن|لكنه|لكنها|إلا|رغم',
  fa: 'اما|ولی',
  he: 'אבל|אולם|אך|למרות',
  hi: 'लेकिन|मगर|हालाँकि|हालांकि',
  vi: 'nhưng|tuy nhiên|mặc dù',
  id: 'tapi|tetapi|namun|meskipun',
  zh: '但是?|不过|然而|除了|虽然|以外',
  ja: 'しかし|ただし|だが|けれど|ものの|以外',
  ko: '하지만|그러나|지만|제외',
});

const COMPARING: Phrases = {
  en: 'instead of|rather than|vs\\.?|versus',
  de: 'versus|statt',
  fr: 'au lieu de',
  es: 'en (?:vez|lugar) de',
  pt: 'em vez de',
  it: 'invece di',
  ru: 'вместо',
};

/** “1.9 instead of 41 seconds” */
export const compares = new RegExp(
  `\\d[\\d.,]*(?: ?\\p{L}+| ?%)? (?:${anyOf(COMPARING)}) (?:\\p{L}+ )?\\d`,
  'iu',
);

const OPPOSING: Phrases = {
  en: 'but',
  de: 'sondern|aber',
  fr: 'mais',
  es: 'sino|pero',
  pt: 'mas|sim',
  it: 'ma',
  nl: 'maar',
  pl: 'tylko',
  ru: 'а|но',
};

/** Where one clause ends and the next begins; a comma between digits is part of a number. */
export const clauseBreak = new RegExp(
  `[;:；：。()（）!?！？]|[,，、](?!\\d)|\\s[—–-]\\s|\\.\\s|(?<![\\p{L}])(?:${anyOf(OPPOSING)})(?![\\p{L}])`,
  'giu',
);
