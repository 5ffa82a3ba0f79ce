import { CONJUNCTIONS } from './conjunctions.ts';
import { createMarker } from './marker.ts';
import { anyOf, type Phrases } from './phrases.ts';

export const negation = createMarker({
  en: [
    "not|\\p{L}+n't|dont|doesnt|didnt|cant|wont|isnt|arent|wasnt|no|none|nothing|nobody|no one|without",
    'neither|nor',
  ],
  de: 'niemand\\p{L}*|nicht|kein\\p{L}*|nichts|ohne|weder|nie',
  fr: "personne ne|ne|n'|pas|aucune?|rien|sans|ni|non",
  es: 'no|nadie|ni|ningun\\p{L}*|ningún|nada|sin',
  pt: 'ninguém|nada|não|nenhum\\p{L}*|sem|nem',
  it: 'no|non|nessun\\p{L}*|niente|senza',
  nl: 'niemand\\p{L}*|niet|geen|niets|zonder',
  sv: 'inte|ingen|inga|ingenting|utan',
  da: 'ikke|ingen|uden',
  no: 'ikke|ingen|ingenting|uten',
  pl: 'nikt|nie|bez|żad\\p{L}+',
  cs: 'ne|bez|není|nejsou|nemá|žádn\\p{L}+',
  ru: 'никто|не|нет|ничего|без|ни|никак\\p{L}*',
  uk: 'не|без|немає|ніхто|нічого',
  tr: 'kimse|değil|yok|hiç',
  ar: 'لا|ولا|فلا|ليس|ليست|لم|ولم|لن|غير|بدون|دون|بلا',
  fa: 'بدون|نیست|نه|نمی\\p{L}*',
  he: 'לא|אין|בלי|ללא',
  hi: 'नहीं|मत|बिना|कोई नहीं',
  vi: 'không|chưa|chẳng',
  id: 'tidak|bukan|belum|tanpa',
  zh: '不|没|未|无|非',
  ja: '非|ない|ません|なし|無|ぬ(?=。)',
  ko: '않|없|못|안 ',
});

/** The commonest of them, in two texts that may choose differently. */
export const plainNegation = createMarker({
  en: "not|no|never|don'?t",
  de: 'nicht|nie|niemals|kein\\p{L}*',
  fr: 'pas|jamais|ne|non',
  es: 'no|nunca|jamás',
  pt: 'jamais|nunca|não',
  it: 'no|non|mai',
  nl: 'niet|geen|nooit',
  pl: 'nie|nigdy',
  ru: 'не|никогда',
  uk: 'не',
  tr: 'değil|asla',
});

/** Before what does not hold: “not 30”, “statt 30”, “别显示 8 列”. */
export const beforeDenied = createMarker({
  en: "not|no|never|don'?t|doesn'?t|isn'?t|instead of|rather than|from",
  de: 'nicht|kein\\p{L}*|statt|anstatt|anstelle|von',
  fr: 'pas|plus|au lieu de?|plutôt que?|non',
  es: 'no|nunca|en (vez|lugar) de|desde',
  pt: 'nunca|desde|não|nem|em vez de|ao invés de',
  it: 'no|non|invece di|anziché',
  nl: 'niet|geen|in plaats van',
  pl: 'nie|zamiast',
  ru: 'не|вместо',
  uk: 'не',
  tr: 'değil',
  zh: '不(?:是|要|能|用|再)?|别|而不是|而非|没有|代替|从',
  ja: '代替',
});

/** After what does not hold: “30초 아니고”, “сутки мало”, “1 hour is wrong”. */
export const afterDenied = createMarker({
  en: "not|isn'?t|wrong|too|never|isnt|wont|became|becomes",
  de: 'nicht|falsch|zu|wurden?|reicht nicht',
  fr: 'pas|trop|faux|non',
  es: 'no|demasiad\\p{L}*|mal',
  pt: 'mal|não|demais|errad[oa]|pouco',
  it: 'non|troppo|sbagliat[oa]',
  nl: 'niet|te|fout',
  pl: 'nie|za',
  ru: 'не|мало|много|неверно|слишком',
  uk: 'не|мало',
  tr: 'değil|az|fazla',
  zh: '不|太|错',
  ja: 'ではな|じゃな|でな|短すぎ|長すぎ|足り|違|から',
  ko: '아니|말고|않|너무|부족|적|틀|에서',
});

const NONE: Phrases = {
  en: 'no|nothing|nobody|no one',
  de: 'niemand|kein\\p{L}*',
  fr: 'personne|pas de|sans',
  es: 'no|nadie|nada de|ning[uú]n\\p{L}*|sin',
  pt: 'ninguém|nada de|nenhum\\p{L}*|sem',
  it: 'nessuno|nessun\\p{L}*|niente',
  nl: 'niemand|geen',
  pl: 'nikt|żadn\\p{L}+',
  ru: 'никто|никак\\p{L}+|без',
};

/** “and no new dependencies” */
export const forbids = new RegExp(
  `(?:^|[,;:，；]\\s*)(?:(?:also|${anyOf(CONJUNCTIONS)}) )?(?:${anyOf(NONE)})\\s\\p{L}`,
  'iu',
);
