import { FILLER_WORDS } from '../../model/filler-words.ts';

/**
 * A number with its unit, so that “one hour” equals “60 min” and “8 列” is of the same kind as “6 列”; also one of a
 * numbered series, such as web01.
 */
export interface Quantity {
  /** Times in seconds; otherwise the number as written. */
  value: string;
  /** The number alone, as written. */
  number: string;
  /** What is counted; empty for a bare number or a version. */
  kind: string;
  /** As written, with its place in the text. */
  text: string;
  index: number;
}

const TIME = 'time';

/** Words for spans of time, in the languages of the markers; by seconds. */
const TIME_UNITS: [number, string, string][] = [
  [0.001, 'ms|milliseconds?|millisekunden?|millisecondes?|milisegundos?|мс', '毫秒|ミリ秒|밀리초'],
  [
    1,
    's|secs?|seconds?|sek|sekunden?|secondes?|segundos?|secondi|seconden|sekund\\p{L}*|сек|секунд\\p{L}*|saniye',
    '秒|초',
  ],
  [60, 'min|mins|minutes?|minuten?|minutos?|minuti|minut\\p{L}*|минут\\p{L}*|dakika', '分钟|分|분'],
  [
    3_600,
    'h|hrs?|hours?|std|stunden?|heures?|horas?|or[ae]|uur|godzin\\p{L}*|час(?:а|ов|у)?|saat',
    '个?小时|時間|시간',
  ],
  [
    86_400,
    'd|days?|tage?n?|jours?|días?|dias?|giorn[oi]|dag(?:en)?|dni|dzień|дн(?:я|ей|и)|день|сут(?:ки|ок)|gün',
    '天|日間?|일',
  ],
  [
    604_800,
    'weeks?|wochen?|semaines?|semanas?|settiman[ae]|weken|tygod\\p{L}*|недел\\p{L}+|hafta',
    '周|个?星期|週間?|주일?',
  ],
  [
    2_592_000,
    'months?|monat(?:e|en)?|mois|mes(?:es)?|mês|mes[ei]|maand(?:en)?|miesi\\p{L}*|месяц\\p{L}*|ay',
    '个月|[ヶか]月|개월|달',
  ],
  [
    31_536_000,
    'years?|jahre?n?|ans?|années?|años?|anos?|ann[oi]|jaar|lat|rok\\p{L}*|лет|год\\p{L}*|yıl',
    '年|년',
  ],
];

/** Small numbers in words, and the articles that stand for one before a span of time. */
const NUMBER_WORDS: Record<string, number> = Object.fromEntries(
  [
    'a an one ein eine einen einer eines un une uno una um uma één een один одну одна одного jeden jedną bir 一 한 하루',
    'two zwei deux dos dois duas due twee два две dwa dwie iki 两 二 두',
    'three drei trois tres três tre drie три trzy üç 三 세',
    'four vier quatre cuatro quatro quattro четыре cztery dört 四 네',
    'five fünf cinq cinco cinque vijf пять pięć beş 五 다섯',
    'six sechs seis sei zes шесть sześć altı 六 여섯',
    'seven sieben sept siete sete sette zeven семь siedem yedi 七 일곱',
  ].flatMap((words, index) => words.split(' ').map((word) => [word, index + 1])),
);

const PLAIN_NUMBER = '\\d+(?:[._,:]\\d+)*';
const WORDED = Object.keys(NUMBER_WORDS).join('|');
const spaced = TIME_UNITS.map(([, words]) => words).join('|');
const unspaced = TIME_UNITS.map(([, , words]) => words).join('|');
/** Languages without articles need no number: “сутки” is one day. */
const ALONE = 'день|сутки|суток|недел[яюи]|месяц|год|dzień|tydzień|miesiąc|rok|hafta';

const EAST_ASIAN = '[\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}]';

const QUANTITY = new RegExp(
  [
    `(?<![\\p{L}\\p{N}_.])(?:(?<count>${PLAIN_NUMBER})[\\s-]?|(?<word>${WORDED})[\\s-])(?<time>${spaced})(?![\\p{L}\\p{N}_])`,
    `(?<![\\d_.])(?<countUnspaced>${PLAIN_NUMBER}|${WORDED})\\s?(?<timeUnspaced>${unspaced})`,
    `(?<![\\p{L}\\p{N}_.])(?<lone>${ALONE})(?![\\p{L}\\p{N}_])`,
    `(?<![\\p{L}\\p{N}_./-])(?<series>(?!${EAST_ASIAN})\\p{L}{2,})[-_]?(?<serial>\\d{1,4})(?![\\p{L}\\p{N}_/-]|\\.[\\p{L}\\p{N}])`,
    `(?<![\\p{L}_\\d.-])(?<number>${PLAIN_NUMBER})(?:\\s?(?<unit>%|\\p{L}+))?`,
  ].join('|'),
  'giu',
);
const UNITS: [number, RegExp][] = TIME_UNITS.map(([seconds, western, eastern]) => [
  seconds,
  new RegExp(`^(?:${western}|${eastern})$`, 'iu'),
]);
const UNSPACED = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;
const MOST = 40;

export function findQuantities(text: string): Quantity[] {
  const found: Quantity[] = [];
  for (const match of text.matchAll(QUANTITY)) {
    const { count, word, time, countUnspaced, timeUnspaced, lone } = match.groups ?? {};
    const { series, serial = '', number = '', unit = '' } = match.groups ?? {};
    const amount = count ?? word ?? countUnspaced;
    const place = { text: match[0], index: match.index };
    if (amount !== undefined) found.push({ ...place, ...spanOf(amount, time ?? timeUnspaced ?? '') });
    else if (lone !== undefined) found.push({ ...place, ...spanOf('1', lone) });
    else if (series !== undefined)
      found.push({ ...place, value: serial, number: serial, kind: `${series.toLowerCase()}#` });
    else found.push({ ...place, text: number, number, value: plain(number), kind: kindOf(unit) });
    if (found.length === MOST) break;
  }
  return found;
}

function spanOf(count: string, unit: string): Pick<Quantity, 'value' | 'number' | 'kind'> {
  const amount = NUMBER_WORDS[count.toLowerCase()] ?? Number(plain(count).replace(',', '.'));
  const seconds = UNITS.find(([, words]) => words.test(unit))?.[0] ?? 1;
  return { value: String(amount * seconds), number: String(amount), kind: TIME };
}

/** 172_800 and 172,800 are 172800. */
function plain(number: string): string {
  return number.replace(/(?<=\d)[_,](?=\d{3}(?!\d))/g, '');
}

/** The first letters tell “byte” from “row”, but not “byte” from “bytes”. */
function kindOf(unit: string): string {
  if (FILLER_WORDS.has(unit.toLowerCase())) return '';
  return unit.toLowerCase().slice(0, UNSPACED.test(unit) ? 1 : 4);
}

const WORDED_COUNT = new RegExp(`(?<![\\p{L}\\p{N}_])(${WORDED})\\s(\\p{L}{4,})`, 'giu');

/** What is counted, also where the number is a word: “three copies”. */
export function findCounts(text: string): Pick<Quantity, 'number' | 'kind'>[] {
  const worded = [...text.matchAll(WORDED_COUNT)].map(([, word = '', unit = '']) => ({
    number: String(NUMBER_WORDS[word.toLowerCase()]),
    kind: kindOf(unit),
  }));
  return [...findQuantities(text), ...worded].filter(({ kind }) => kind !== '');
}

/** Whether both count the same kind of thing, or one of them does not say what it counts. */
export function isSameKind(a: Quantity, b: Quantity): boolean {
  return a.kind === b.kind || a.kind === '' || b.kind === '';
}

/** Whether both say the same; 3.3 also stands for 3.3.1. */
export function isSameQuantity(a: Quantity, b: Quantity): boolean {
  if (a.value === b.value) return isSameKind(a, b);
  if (a.kind === '' || b.kind === '') return a.number === b.number || isVersionOf(a, b) || isVersionOf(b, a);
  return false;
}

function isVersionOf(whole: Quantity, part: Quantity): boolean {
  return whole.value.includes('.') && part.value.startsWith(`${whole.value}.`);
}
