import { createMarker, type MarkerTest } from '../offline/rating/marker.ts';
import type { Quantity } from './quantities.ts';

/** Before what does not hold: “not 30”, “statt 30”, “别显示 8 列”. */
const before = createMarker(
  "not|no|never|don'?t|doesn'?t|isn'?t|instead of|rather than|from|nicht|kein\\p{L}*|statt|anstatt|anstelle|von|pas|plus|au lieu de?|plutôt que?|no|nunca|en (vez|lugar) de|desde|não|nem|em vez de|ao invés de|non|invece di|anziché|niet|geen|in plaats van|nie|zamiast|не|вместо|değil",
  '不(?:是|要|能|用|再)?|别|而不是|而非|没有|代替|从',
);
/** After what does not hold: “30초 아니고”, “сутки мало”, “1 hour is wrong”. */
const after = createMarker(
  "not|isn'?t|wrong|too|never|isnt|wont|became|becomes|nicht|falsch|zu|wurden?|reicht nicht|pas|trop|faux|no|demasiad\\p{L}*|mal|não|demais|errad[oa]|pouco|non|troppo|sbagliat[oa]|niet|te|fout|nie|za|не|мало|много|неверно|слишком|değil|az|fazla",
  '不|太|错|아니|말고|않|너무|부족|적|틀|ではな|じゃな|でな|短すぎ|長すぎ|足り|違|から|에서',
);
const arrow = /^\s*(?:→|->|=>|auf|to|à|a|на|到|から|에서)\s*$/iu;
/** Where one clause ends and the next begins; a comma between digits is part of a number. */
const BREAK =
  /[;:；：。()（）!?！？]|[,，、](?!\d)|\s[—–-]\s|\.\s|(?<![\p{L}])(?:but|sondern|aber|mais|sino|pero|mas|sim|ma|maar|tylko|а|но)(?![\p{L}])/giu;

/** A part of a sentence, with its place. */
export interface Clause {
  text: string;
  start: number;
}

export function splitClauses(text: string): Clause[] {
  const clauses: Clause[] = [];
  let start = 0;
  for (const { index, 0: mark } of text.matchAll(BREAK)) {
    clauses.push({ text: text.slice(start, index), start });
    start = index + mark.length;
  }
  clauses.push({ text: text.slice(start), start });
  return clauses.filter((clause) => clause.text.trim() !== '');
}

/** The quantities that a sentence says do not hold, or no longer hold. */
export function findDenied(text: string, quantities: Quantity[]): Quantity[] {
  const clauses = splitClauses(text);
  return quantities.filter((quantity, at) => {
    const clause = clauses.findLast(({ start }) => start <= quantity.index);
    if (!clause) return false;
    const end = quantity.index + quantity.text.length;
    const previous = quantities[at - 1];
    const from = Math.max(clause.start, previous ? previous.index + previous.text.length : 0);
    const next = quantities[at + 1]?.index ?? text.length;
    const rest = text.slice(end, Math.min(next, clause.start + clause.text.length));
    return (
      matches(before, text.slice(from, quantity.index)) ||
      matches(after, rest) ||
      (next < text.length && arrow.test(text.slice(end, next)))
    );
  });
}

function matches(marker: MarkerTest, text: string): boolean {
  return text.trim() !== '' && marker.test(text);
}

const MOST_DENIED = 3;

/** What a clause denies: “not Redis”, “kein Quantum bitte”, “enero no”. */
export function findDeniedWords(text: string, longestClause = Infinity): string[] {
  return splitClauses(text).flatMap((clause) => {
    const words = clause.text.match(/[\p{L}\p{N}_.-]+/gu) ?? [];
    const at = words.length > longestClause ? -1 : words.findIndex((word) => matches(before, word));
    if (at < 0) return [];
    const isLast = at === words.length - 1;
    const denied = isLast ? words.slice(-1 - MOST_DENIED, -1) : words.slice(at + 1, at + 1 + MOST_DENIED);
    return denied.map((word) => word.toLowerCase().replace(/[.-]+$/, ''));
  });
}
