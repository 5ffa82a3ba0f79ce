import { redactionMark } from './mark.ts';
import { addressRules, commandRules, headerRules, type PlaceRule } from './rules.ts';
import { isReference, isScrambled } from './secret-values.ts';

/** One look for all of them: most texts hold no such command. */
const ANY_COMMAND = new RegExp(commandRules.map(({ hint }) => hint.source).join('|'));

/** Replaces secrets that stand in an address or a command line: `https://user:…@host`, `curl -u user:…`. */
export function redactPlaces(text: string): string {
  const clean = redactWhere(addressRules, text);
  return ANY_COMMAND.test(clean) ? redactWhere(commandRules, clean) : clean;
}

function redactWhere(rules: PlaceRule[], text: string): string {
  let clean = text;
  for (const { kind, hint, pattern } of rules) {
    if (!hint.test(clean)) continue;
    clean = clean.replace(pattern, (whole: string, before: string, value: string) =>
      isReference(value) || /^\d+$/.test(value) ? whole : before + redactionMark(kind),
    );
  }
  return clean;
}

const HEADER = /uthorization|earer|ookie/i;

/** Replaces the credentials of HTTP headers. */
export function redactHeaders(text: string): string {
  if (!HEADER.test(text)) return text;
  let clean = text;
  for (const { kind, pattern } of headerRules) {
    clean = clean.replace(pattern, (whole: string, before: string, value: string) =>
      isCredential(value) ? before + redactionMark(kind) : whole,
    );
  }
  return clean;
}

/** Credentials are opaque; code and prose behind the same words are not. */
function isCredential(value: string): boolean {
  const [first = ''] = value.split(/[\s,;]/, 1);
  if (first.length < 6 || isReference(first) || /^[A-Za-z_$][\w$.]*[([]/.test(first)) return false;
  return /\d/.test(first) || isScrambled(first) || /^[\w.-]+=./.test(first);
}
