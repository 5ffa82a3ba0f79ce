import type { Anchors } from './anchors.ts';
import { addEdits, type Edit, mergeEdits, NO_EDITS } from './edits.ts';
import { type CommandRule, commandRules } from './rules/commands.ts';
import { COMMAND_GROUP } from './scan.ts';
import { isRandom, isReference } from './secret-values.ts';

let byCommand: Map<string, CommandRule[]> | undefined;

/** Created at the first command: a hook that reads one prompt has no time for it. */
function rulesByCommand(): Map<string, CommandRule[]> {
  if (byCommand !== undefined) return byCommand;
  byCommand = new Map<string, CommandRule[]>();
  for (const rule of commandRules()) {
    byCommand.set(rule.command, [...(byCommand.get(rule.command) ?? []), rule]);
  }
  return byCommand;
}

/** Finds secrets in the arguments of programs: `mysql -pV`, `curl -u user:V`, `["sshpass", "-p", "V"]`. */
export function findCommandSecrets(text: string, anchors: Anchors): Edit[] {
  let edits = NO_EDITS;
  let done = 0;
  const count = anchors.counts[COMMAND_GROUP] ?? 0;
  for (let number = 0; number < count; number++) {
    const index = anchors.positions[COMMAND_GROUP]?.[number] ?? 0;
    if (index < done || !startsCommand(text, index)) continue;
    const nameEnd = endOfName(text, index);
    const name = text.slice(index, nameEnd).replace(/\.exe$/, '');
    if (!rulesByCommand().has(name) || !AFTER_NAME.test(text.slice(nameEnd, nameEnd + 6))) continue;
    const { words, end } = readArguments(text, nameEnd);
    for (const part of commandsIn(name, words)) {
      edits = addEdits(edits, secretsOf(part));
    }
    done = end;
  }
  return mergeEdits(edits);
}

const AFTER_NAME = /^(?:\s|\\{0,4}["'`]\s?,)/;
const LONGEST_NAME = 24;

function startsCommand(text: string, index: number): boolean {
  const before = text.charCodeAt(index - 1);
  if (!isNameCode(before)) return true;
  return text.charCodeAt(index - 2) === BACKSLASH && 'nrt'.includes(text.charAt(index - 1));
}

const BACKSLASH = 92;

function endOfName(text: string, index: number): number {
  let end = index;
  while (end < index + LONGEST_NAME && isNameCode(text.charCodeAt(end))) end++;
  return end;
}

/** A letter, a digit, or one of `_`, `.`, `-`. */
function isNameCode(code: number): boolean {
  const lower = code | 32;
  return (lower >= 97 && lower <= 122) || (code >= 45 && code <= 57 && code !== 47) || code === 95;
}

interface Word {
  start: number;
  end: number;
  text: string;
  /** A quoted word right after a bare one: the second half of `-p'V'`. */
  joined: boolean;
}

const LONGEST_LINE = 2000;
const MOST_WORDS = 80;

/** A quoted word or a bare one. */
const WORD =
  /[ \t]*(?:\\\r?\n[ \t]*|\\{1,4}n[ \t]+)?,?[ \t]*(?:\[(?!redacted:))?(?:(\\{0,4})(["'`])((?:(?!\\{0,4}\2)[^\n]){0,400})\\{0,4}\2(?=[\s,;|&)\]}"'\\]|$)|([^\s"'`|;&\n<>]{1,2000}?(?=[\s"'`|;&<>]|\\{1,4}["'`n]|$)))/y;

const OPENING = /^\\{0,4}["'`]/;
/** Between two words: a space, a comma of an array, or a line continuation. */
const SEPARATOR = /^(?:[ \t,]|\\\r?\n|\\{1,4}n[ \t])/;

/** The words after a program's name, up to the end of its line or of the string it is in. */
function readArguments(text: string, from: number): { words: Word[]; end: number } {
  const words: Word[] = [];
  const limit = Math.min(text.length, from + LONGEST_LINE);
  // The name itself was quoted: the first word of an argv array.
  const closing = /^\\{0,4}["'`]/.exec(text.slice(from, from + 5));
  let end = from + (closing?.[0].length ?? 0);
  let joins = false;
  while (end < limit && words.length < MOST_WORDS) {
    WORD.lastIndex = end;
    const hit = WORD.exec(text);
    if (hit === null || hit[0] === '') break;
    const word = hit[3] ?? hit[4] ?? '';
    const wordEnd = WORD.lastIndex - (hit[3] === undefined ? 0 : closingLength(hit[0], word));
    end = WORD.lastIndex;
    words.push({
      start: wordEnd - word.length,
      end: wordEnd,
      text: word,
      joined: hit[3] !== undefined && joins,
    });
    joins = hit[3] === undefined && OPENING.test(text.slice(end, end + 5));
    if (!joins && !SEPARATOR.test(text.slice(end, end + 6))) break;
  }
  return { words, end };
}

function closingLength(whole: string, word: string): number {
  return whole.length - whole.lastIndexOf(word) - word.length;
}

interface Part {
  rules: CommandRule[];
  words: Word[];
}

/** `sshpass -p V mysql -pV` runs two programs; each word belongs to the last program named before it. */
function commandsIn(first: string, words: Word[]): Part[] {
  const parts: Part[] = [{ rules: rulesByCommand().get(first) ?? [], words: [] }];
  for (const [index, word] of words.entries()) {
    const rules = /^-/.test(words[index - 1]?.text ?? '') ? undefined : rulesByCommand().get(word.text);
    if (rules !== undefined && index > 0) parts.push({ rules, words: [] });
    else parts.at(-1)?.words.push(word);
  }
  return parts;
}

function secretsOf({ rules, words }: Part): Edit[] {
  return rules.flatMap((rule) => {
    const { subcommand, requires, kind = 'password' } = rule;
    if (requires !== undefined && !words.some(({ text }) => requires.test(text))) return [];
    const at = subcommand === undefined ? -1 : words.findIndex(({ text }) => subcommand.test(text));
    if (subcommand !== undefined && (at === -1 || at > 8)) return [];
    return [...flagValues(rule, words), ...positionValues(rule, words.slice(at + 1))]
      .map((value) => withoutPrefix(value))
      .filter(({ text }) => isGiven(text))
      .map(({ start, end }) => ({ start, end, kind }));
  });
}

function flagValues(rule: CommandRule, words: Word[]): Word[] {
  const { flags = [], glued = [], pairs = [], separator = ':' } = rule;
  const values: Word[] = [];
  for (const [index, word] of words.entries()) {
    const equals = word.text.indexOf('=');
    const flag = equals > 0 && word.text.startsWith('-') ? word.text.slice(0, equals) : word.text;
    const after = words[index + 1];
    const glue = after?.joined === true ? after : undefined;
    const next = flag === word.text ? after : equals + 1 === word.text.length ? glue : tail(word, equals + 1);
    if (next !== undefined && pairs.includes(flag) && next.text.includes(separator)) {
      values.push(tail(next, next.text.indexOf(separator) + 1));
    } else if (next !== undefined && flags.includes(flag) && !/^-{1,2}[a-z]/i.test(next.text)) {
      values.push(next);
    } else {
      if (glue !== undefined && glued.includes(word.text)) values.push(glue);
      const start = glued.find((it) => word.text.startsWith(it) && word.text.length > it.length);
      if (start !== undefined && !/^=|^(?:assword|rotocol|ort|ipe)/.test(word.text.slice(start.length))) {
        values.push(tail(word, start.length));
      }
      const pair = pairs.find((it) => /^-[a-zA-Z]$/.test(it) && word.text.startsWith(it));
      if (pair !== undefined && word.text.includes(separator)) {
        values.push(tail(word, word.text.indexOf(separator) + 1));
      }
    }
  }
  return values;
}

/** Arguments that are not flags; `NAME=V` counts from its `=`. */
function positionValues({ kind, positions = [], assignments }: CommandRule, words: Word[]): Word[] {
  const plain = words.filter(({ text, joined }) => !joined && !/^-|^\/[a-z]+:/i.test(text));
  // In prose, an ordinary word follows a program's name; a token never looks like a word.
  const isToken = kind === 'token' || kind === 'key';
  const values = positions
    .flatMap((position) => plain.at(position) ?? [])
    .filter(({ text }) => !isToken || isRandom(text, 8));
  if (assignments !== undefined) {
    for (const [index, word] of words.entries()) {
      const equals = /^[\w.-]{1,80}=(?!@)/.exec(word.text);
      if (equals === null || word.text.startsWith('-')) continue;
      const after = words[index + 1];
      const isJoined = after?.joined === true && equals[0].length === word.text.length;
      const value = isJoined ? after : tail(word, equals[0].length);
      if (assignments === 'all' || isRandom(value.text, 8)) values.push(value);
    }
  }
  return values;
}

function tail(word: Word, from: number): Word {
  return { ...word, start: word.start + from, text: word.text.slice(from) };
}

/** openssl writes `pass:V`; the values of `env:`, `file:` and `fd:` are not secrets. */
function withoutPrefix(word: Word): Word {
  return word.text.startsWith('pass:') ? tail(word, 5) : word;
}

function isGiven(value: string): boolean {
  return (
    value.length >= 3 &&
    !isReference(value) &&
    !/^(?:(?:env|file|fd|https?):|stdin$|@|\d{1,5}$|[./~]\/)/.test(value)
  );
}
