import { anyOf, type Phrases } from './phrases.ts';

const CORRECTING: Phrases = {
  en: [
    "no|nope|nah|not|stop|wrong|wait|actually|correction|(?:i(?:'ve| have)? )?changed my mind",
    'on second thought',
  ],
  de: [
    "ne|nee|nö|nein|korrektur|(?:ich )?hab(?:e|'s)? (?:es )?mir(?:'s)? anders überlegt|stopp|falsch|doch",
    'moment|halt|doch nicht|lieber nicht',
  ],
  fr: "finalement (?:non|pas)|non|pas|attends|en fait|j'ai changé d'avis",
  es: 'no|espera|(?:he )?cambi(?:é|ado) de (?:idea|opinión)',
  pt: 'para|mudei de ideia|não|pera|espera|calma',
  it: 'no|non|ho cambiato idea',
  nl: 'nee|niet',
  pl: 'nie|zmieni(?:łem|łam) zdanie',
  ru: 'нет|стоп|не|неа|не так|подожди|поправка|(?:я )?передумал[аи]?',
  uk: 'не',
  tr: 'hayır|fikrimi değiştirdim',
  zh: '不|等等|别|错|改主意',
  ja: 'いや|いえ|違|やっぱり|待って',
  ko: '아니|생각이 바뀌|잠깐|그게 아니',
};

const BEFORE_CORRECTING: Phrases = {
  en: 'hm+|ok(?:ay)?|oh|but',
  de: 'äh|aber',
  fr: 'mais',
  es: 'pero',
  pt: 'mas',
  ru: 'но',
};

/** “No, …”, “stop”, “actually …”, “I changed my mind”: with these a person corrects the agent or themselves. */
export const correction = new RegExp(
  `^(?:(?:${anyOf(BEFORE_CORRECTING)})[,.…]*\\s+)*(?:${anyOf(CORRECTING)})(?![\\p{Ll}])`,
  'iu',
);

const REPAIRING: Phrases = {
  en: [
    '(?:actually|wait|sorry),? (?:no|wait|not|scratch)|no,? (?:wait|sorry|actually|scratch)|scratch that',
    'on second thoughts?|forget that',
  ],
  de: '(?:nein|nee|ne),? (?:warte|moment|doch)|(?:warte|moment),? (?:nein|doch|nee)|doch nicht|quatsch',
  fr: '(?:en fait|finalement|ah),? non|non,? (?:attends|en fait)|attends,? non',
  es: '(?:no,? )?espera,? (?:no|mejor)|mejor no|no,? espera',
  pt: '(?:não|na verdade),? (?:pera|espera|não)|(?:pera|espera),? não',
  it: 'anzi,? no|no,? (?:aspetta|anzi)',
  nl: 'nee,? wacht|wacht,? nee',
  ru: '(?:хотя|стоп|погоди|подожди),? (?:нет|стоп)|нет,? (?:погоди|подожди|стоп)',
  zh: '等等|等下|不对|算了',
  ja: 'いや|やっぱり|やはり',
  ko: '아니다|아니 |잠깐',
};

const BEFORE_REPAIRING: Phrases = {
  en: 'hm+|oh|ah|ok|and|but',
  de: 'äh|ach|und|aber',
};

/** “Actually no wait, …”: takes back the sentence right before. */
export const repairs = new RegExp(
  `^(?:(?:${anyOf(BEFORE_REPAIRING)})[,.…]*\\s+)*(?:${anyOf(REPAIRING)})`,
  'iu',
);
