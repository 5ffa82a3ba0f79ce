import type { Anchors } from './anchors.ts';
import { findConnector, matchAt, type Name } from './connectors.ts';
import { type Edit, mergeEdits, NO_EDITS } from './edits.ts';
import { SECRET_NAME_GROUP } from './scan.ts';
import { mayHoldKey, type SecretKind, secretKind } from './secret-names.ts';
import { isOpaqueWord, isRandom, isSecretValue, LONGEST_CHECKED } from './secret-values.ts';
import { secretInSentence } from './sentences.ts';
import { findValueAfter, type Source } from './values.ts';

/** Every name that `secretKind` recognises contains one of these. */
const HINT =
  /pass|pwd|pswd|_pw|pw\b|secret|token|(?<=[a-z_ -])key|cred|auth|jwt|psk|_pat\b|kennwort|wachtwoord|contraseñ|senha/iy;

/** Finds values next to the name of a secret: `DB_PASSWORD=…`, `"apiKey": "…"`, `--token …`. */
export function findAssignments(text: string, anchors: Anchors): Edit[] {
  const count = anchors.counts[SECRET_NAME_GROUP] ?? 0;
  if (count === 0) return NO_EDITS;
  const edits: Edit[] = [];
  const source: Source = { text, ends: new Map() };
  let done = 0;
  for (let number = 0; number < count; number++) {
    const index = anchors.positions[SECRET_NAME_GROUP]?.[number] ?? 0;
    if (index < done || matchAt(HINT, text, index) === null) continue;
    const name = nameAround(text, index);
    const { edit, next } = checkName(source, name);
    if (edit !== undefined) edits.push(edit);
    done = Math.max(done, name.end, next);
  }
  return mergeEdits(edits);
}

/** The secret next to a name, if any, and where to continue. */
function checkName(source: Source, name: Name): { edit?: Edit; next: number } {
  const { text } = source;
  const nothing = { next: name.end };
  const known = kindOf(name.text);
  if (known === undefined && !mayHoldKey(name.text)) return nothing;
  const tie = text.endsWith('[redacted:', name.start) ? undefined : findConnector(text, name);
  const found = tie === undefined ? undefined : findValueAfter(source, name, tie);
  if (found === undefined) return { ...nothing, ...secretInSentence(text, name, known) };
  const { start, end, position, random = false, opaque = false } = found;
  const value = text.slice(start, end);
  if (opaque && !isOpaqueWord(value)) return nothing;
  const kind = known ?? (/pass$|pw$/i.test(name.text) ? 'password' : 'key');
  const isCandidate =
    known === undefined
      ? isRandom(value, /pass$|pw$/i.test(name.text) ? 8 : 16)
      : !random || isRandom(value, 8);
  if (isCandidate && isSecretValue({ name: name.text, kind, value, position })) {
    return { edit: { start, end, kind }, next: end };
  }
  // An expression without spaces, as in minified code: searching it again for each name takes too long.
  if (position !== 'quoted' && value.length > LONGEST_CHECKED) return { next: start + LONGEST_CHECKED };
  return { ...nothing, ...secretInSentence(text, name, known) };
}

/** The same names recur within a text and across texts. */
const kinds = new Map<string, SecretKind | undefined>();
const MOST_NAMES = 2000;

function kindOf(name: string): SecretKind | undefined {
  if (kinds.has(name)) return kinds.get(name);
  if (kinds.size >= MOST_NAMES) kinds.clear();
  const kind = secretKind(name);
  kinds.set(name, kind);
  return kind;
}

const LONGEST_NAME = 80;

const inName = new Uint8Array(256);
for (const character of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_$-ñ') {
  inName[character.charCodeAt(0)] = 1;
}

function nameAround(text: string, index: number): Name {
  let start = index;
  while (index - start < LONGEST_NAME && inName[text.charCodeAt(start - 1)] === 1) start--;
  let end = index;
  while (end - index < LONGEST_NAME && inName[text.charCodeAt(end)] === 1) end++;
  // The letter of an escaped newline is not part of the name.
  if (text.charAt(start - 1) === '\\' && /[nrt]/.test(text.charAt(start))) start++;
  if (/^keys?$/i.test(text.slice(start, end))) start = startOfSpacedName(text, start);
  return { text: text.slice(start, end), start, end };
}

const WORD_BEFORE = /(?:[A-Za-z]{2,20} ){1,2}$/;

/** `api key: …`: the preceding word tells what the key is for. */
function startOfSpacedName(text: string, start: number): number {
  const words = WORD_BEFORE.exec(text.slice(Math.max(0, start - 44), start));
  return words === null ? start : start - words[0].length;
}
