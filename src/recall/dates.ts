import {
  type Span,
  spanOfDay,
  spanOfDaysAgo,
  spanOfLastDay,
  spanOfLastMonth,
  spanOfLastSeason,
  spanOfLastWeekday,
  spanOfMonth,
  spanOfSeason,
  spanOfUnitsAgo,
  spanOfYears,
  spanSince,
  thirdOfSpan,
} from './calendar.ts';

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const MONTH_NAMES =
  'jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?';
const MONTH = `(?<month>${MONTH_NAMES})`;
const DAY = '(?<day>\\d{1,2})(?:st|nd|rd|th)?';
const YEAR = '(?<year>(?:19|20)\\d\\d)';
const SEASON = '(?<season>spring|summer|autumn|fall|winter)';
const WEEKDAY = '(?<weekday>(?:mon|tues|wednes|thurs|fri|satur|sun)day)';

type Found = Record<string, string | undefined>;

/** The first matching row counts. A month alone needs a word like `in` before it: may and march are words. */
const FORMS: [string, (found: Found, now: Date) => Span | null][] = [
  [
    `${YEAR}[-/](?<number>\\d{1,2})[-/]${DAY}`,
    ({ year, number, day }) => spanOfDay(year, Number(number) - 1, day),
  ],
  [`${DAY} (?:of )?${MONTH},? ${YEAR}`, ({ year, month, day }) => spanOfDay(year, monthOf(month), day)],
  [`${MONTH} ${DAY},? ${YEAR}`, ({ year, month, day }) => spanOfDay(year, monthOf(month), day)],
  [`${MONTH},? (?:of )?${YEAR}`, ({ year, month }) => spanOfMonth(Number(year), monthOf(month))],
  [`${SEASON},? (?:of )?${YEAR}`, ({ year, season }) => spanOfSeason(Number(year), season)],
  [`${YEAR}-(?<number>\\d{2})`, ({ year, number }) => spanOfMonth(Number(year), Number(number) - 1)],
  [`${DAY} (?:of )?${MONTH}`, ({ month, day }, now) => spanOfLastDay(monthOf(month), day, now)],
  [`${MONTH} ${DAY}`, ({ month, day }, now) => spanOfLastDay(monthOf(month), day, now)],
  [
    `(?:in|since|during|last|until|before|by|of|mid|early|late) ${MONTH}`,
    ({ month }, now) => spanOfLastMonth(monthOf(month), now),
  ],
  [`(?:in|since|during|of|until|before|by) ${YEAR}`, ({ year }) => spanOfYears(Number(year), 1)],
  [
    '(?<word>today|tonight|yesterday)',
    ({ word }, now) => spanOfDaysAgo(word === 'yesterday' ? 1 : 0, 1, now),
  ],
  [`(?:in|during|last|this|since) ${SEASON}`, ({ season }, now) => spanOfLastSeason(season, now)],
  [`(?=(?:early|mid|late))\\w+[ -]${YEAR}`, ({ year }) => spanOfYears(Number(year), 1)],
  ['(?:the|this) (?:last|past) (?<unit>week|month|year)', ({ unit }, now) => spanSince(1, unit, now)],
  ['this (?<unit>week|month|year)', ({ unit }, now) => spanOfUnitsAgo(0, unit, now)],
  ['(?:last|past|previous) (?<unit>week|month|year)', ({ unit }, now) => spanOfUnitsAgo(1, unit, now)],
  [
    '(?<count>\\d+|an?|two|three|four|five|six) (?<unit>day|week|month|year)s? ago',
    ({ count, unit }, now) => spanOfUnitsAgo(countOf(count), unit, now),
  ],
  [`(?:on |last )${WEEKDAY}`, ({ weekday }, now) => spanOfLastWeekday(weekday, now)],
];

/** Every form contains one of these words, a year, a weekday, or days ago. */
const TIME_WORDS = new Set(
  (
    'jan january feb february mar march apr april may jun june jul july aug august sep sept september oct october ' +
    'nov november dec december spring summer autumn fall winter today tonight yesterday week weeks month months year years'
  ).split(' '),
);

/** Word by word: as one pattern it takes a hook longer to compile than the rest of the question to read. */
function speaksOfTime(text: string): boolean {
  const words = text.toLowerCase().split(/\W+/);
  return words.some(
    (word, at) =>
      TIME_WORDS.has(word) ||
      /^(?:19|20)\d\d$/.test(word) ||
      (/^days?$/.test(word) && words[at + 1] === 'ago') ||
      (word.endsWith('day') && ['on', 'last'].includes(words[at - 1] ?? '')),
  );
}

let compiled: { form: RegExp; read: (typeof FORMS)[number][1] }[] | undefined;

/** Only for a text that may contain a date: there are many patterns, and most prompts have none. */
function compiledForms(): NonNullable<typeof compiled> {
  compiled ??= FORMS.map(([form, read]) => ({ form: new RegExp(`\\b${form}\\b`, 'i'), read }));
  return compiled;
}

/** The time in a text, and the text without it. */
export function findSpan(text: string, now: number): { span: Span | null; rest: string } {
  if (!speaksOfTime(text)) return { span: null, rest: text };
  for (const { form, read } of compiledForms()) {
    const match = form.exec(text);
    const span = match && read(match.groups ?? {}, new Date(now));
    if (!span) continue;
    const part = partBefore().exec(text.slice(0, match.index + match[0].length));
    return { span: part ? thirdOfSpan(span, part[1] ?? '') : span, rest: text.replace(form, ' ') };
  }
  return { span: null, rest: text };
}

/** Words before a month or a year that select a third of it. */
function partBefore(): RegExp {
  return new RegExp(
    `\\b(early|mid|late|beginning|start|middle|end)(?:[ -]of(?: the)?)?[ -](?:(?:in|of) )?(?:${MONTH}|${YEAR})(?: (?:19|20)\\d\\d)?$`,
    'i',
  );
}

/** A date as typed after `since:`: also 3d, 2w, 6m, may, monday, 2023. */
export function parseDate(text: string, now: number): Span | null {
  const ago = /^(\d+)([hdwmy])$/i.exec(text);
  if (ago) {
    const [, count = '', unit = ''] = ago;
    if (unit.toLowerCase() === 'h') return { from: now - Number(count) * 3_600_000, to: now };
    const units: Record<string, string> = { d: 'day', w: 'week', m: 'month', y: 'year' };
    return spanSince(Number(count), units[unit.toLowerCase()], new Date(now));
  }
  for (const spelling of [text, `in ${text}`, `last ${text}`]) {
    const { span, rest } = findSpan(spelling, now);
    if (span && rest.trim() === '') return span;
  }
  return null;
}

function monthOf(name = ''): number {
  return MONTHS.indexOf(name.slice(0, 3).toLowerCase());
}

function countOf(count = ''): number {
  const words = ['', 'a', 'two', 'three', 'four', 'five', 'six'];
  return count.toLowerCase() === 'an' ? 1 : Number(count) || Math.max(words.indexOf(count.toLowerCase()), 1);
}
