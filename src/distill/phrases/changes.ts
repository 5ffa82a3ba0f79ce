import { createMarker } from './marker.ts';

/** What used to be otherwise: “from now on”, “no longer”. */
export const changes = createMarker({
  en: [
    'now|any ?more|no longer|from now on|not needed|unneeded|stopped|switched|switch|moved|migrated|replaced',
    'dropped|gone|got rid',
  ],
  de: [
    'jetzt|nun|nicht mehr|kein\\p{L}* \\p{L}+ mehr|ab (jetzt|sofort|heute)|künftig|umgestellt|umgestiegen',
    'gewechselt|abgeschafft',
  ],
  fr: [
    "maintenant|désormais|dorénavant|à partir (de maintenant|d'aujourd'hui)|ne \\p{L}+ plus|n'\\p{L}+ plus",
    'plus besoin|on est passés?|abandonné\\p{L}*',
  ],
  es: 'ahora|ya no|a partir de ahora|dejamos|cambiamos|pasamos',
  pt: 'agora|não \\p{L}+ mais|já não|a partir de agora|paramos|mudamos|trocamos',
  it: "adesso|ora|non \\p{L}+ più|d'ora in poi|siamo passati",
  nl: 'nu|niet meer|voortaan|vanaf nu|overgestapt',
  sv: 'inte längre|från och med nu|numera',
  pl: 'już nie|teraz|od teraz|przeszliśmy',
  ru: 'теперь|больше не\\p{L}*|отныне|перешли',
  uk: 'тепер|більше не|перейшли',
  tr: 'artık|bundan sonra',
  zh: '不再|以后|从现在|现在起|改用|换成|不用再',
  ja: '今後|これから|もう|やめ|切り替え|なくなり|なくなった',
  ko: '이제|더 이상|앞으로|전환|바꿨|바뀌',
});

/** What is over, without a negation. */
export const ends = createMarker({
  en: 'any ?more|no longer|not needed|unneeded|stopped|dropped|gone|got rid|switched|moved|migrated|replaced',
  de: 'nicht mehr|abgeschafft',
  fr: 'plus besoin|abandonné\\p{L}*',
  es: 'ya no|dejamos',
  pt: 'paramos|já não',
  nl: 'niet meer',
  sv: 'inte längre',
  pl: 'już nie',
  ru: 'больше не\\p{L}*',
  uk: 'більше не',
  zh: '不再|不用再',
  ja: 'もう|やめ|なくなり|なくなった',
  ko: '더 이상',
});

/** What lifts a ban. */
export const allows = createMarker({
  en: 'fine|ok|okay|allowed|permitted|may|can|gone|dropped|no longer',
  de: 'erlaubt|in ordnung|darf|dürfen|könn\\p{L}+|kann',
  fr: 'autorisé\\p{L}*|permis\\p{L}*|peut|peuvent',
  es: 'permitid\\p{L}*|se puede|pueden',
  pt: 'permitid\\p{L}*|pode|podem',
  it: 'permess\\p{L}*|può|possono',
  nl: 'toegestaan|mag|mogen',
  sv: 'tillåtet|får',
  pl: 'można|wolno',
  ru: 'можно|разрешен\\p{L}*',
  uk: 'можна|дозволен\\p{L}*',
  tr: 'olabilir|serbest',
  zh: '可以|允许',
  ja: 'てもいい|てよい|OK',
  ko: '해도 (?:돼|된|됩)|허용',
});
