import type { Name } from './connectors.ts';
import type { Edit } from './edits.ts';
import type { SecretKind } from './secret-names.ts';
import { isOpaqueWord } from './secret-values.ts';
import { isScrambled } from './words.ts';

const LONGEST_BEFORE = 280;
const LONGEST_AFTER = 320;
/** `use V as the API key`, `V is my password`, `robin / V (password)`: the value is before its name. */
const VALUE_BEFORE =
  /(?:^|[\s"'`(:,])([^\s"'`()<>[\]{},;]{8,200})\\{0,8}["'`]?[ \t]{1,3}(?:\(|(?:as|is|for|was|ist|als)[ \t]{1,3}(?:[A-Za-z'’-]{1,20}[ \t]{1,2}){0,4}["'`]?)$/;
const AFTER_CLAUSE =
  /^["'`]?(?:[.,;:!?)\]\r\n"'`\\]|$|[ \t]{1,3}(?:for|of|to|in|and|or|on|when|please|from|here|with|but|so|because)\b)/;
/** `the password for robin is V`, `the API key of the shop: V`, `the token (V)`. */
const VALUE_AFTER =
  /^["'`*]{0,2}[ \t]{1,2}(?:[\w.'’@-]{1,30}[ \t]{1,2}){0,4}?(?:[\w.'’@-]{1,30}:[ \t]{1,2}|(?:is|be|was|are|to)[ \t]{1,2}|\()["'`*]{0,2}([^\s"'`*()<>[\]{},;\\][^\s"'`()<>[\]{},;\\]{7,199})/;

/** The secret in the same sentence as its name. It must look random, because sentences contain any words. */
export function secretInSentence(text: string, name: Name, kind: SecretKind | undefined): { edit?: Edit } {
  if (kind === undefined) return {};
  return secretAfter(text, name, kind) ?? secretBefore(text, name, kind) ?? {};
}

function secretAfter(text: string, name: Name, kind: SecretKind): { edit: Edit } | undefined {
  if (!/[ \t"'`*]/.test(text.charAt(name.end))) return undefined;
  const hit = VALUE_AFTER.exec(text.slice(name.end, name.end + LONGEST_AFTER));
  const value = hit?.[1] ?? '';
  // Digests and ids use one case.
  if (hit === null || !isOpaqueWord(value) || !isScrambled(value)) return undefined;
  const end = name.end + hit[0].length;
  return { edit: { start: end - value.length, end, kind } };
}

function secretBefore(text: string, name: Name, kind: SecretKind): { edit: Edit } | undefined {
  if (!/[ \t(`"']/.test(text.charAt(name.start - 1))) return undefined;
  const from = Math.max(0, name.start - LONGEST_BEFORE);
  const hit = VALUE_BEFORE.exec(text.slice(from, name.start));
  const value = hit?.[1] ?? '';
  if (hit === null || !isOpaqueWord(value)) return undefined;
  if (!AFTER_CLAUSE.test(text.slice(name.end, name.end + 14))) return undefined;
  const start = from + hit.index + hit[0].indexOf(value);
  return { edit: { start, end: start + value.length, kind } };
}
