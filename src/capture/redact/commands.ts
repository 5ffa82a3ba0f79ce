import { type Edit, mergeEdits } from './edits.ts';
import { type CommandRule, commandRules } from './rules/commands.ts';
import { isRandom, isReference } from './secret-values.ts';

const rulesByCommand = new Map<string, CommandRule[]>();
for (const rule of commandRules) {
  rulesByCommand.set(rule.command, [...(rulesByCommand.get(rule.command) ?? []), rule]);
}

const escapePattern = (literal: string) => literal.replace(/[.*+?^$/]/g, '\\$&');
const oneOf = (literals: Iterable<string>) => [...new Set(literals)].map(escapePattern).join('|');

/** Programs that take a secret without a flag which begins with a dash. */
const withoutFlag = commandRules.filter(
  ({ flags = [], glued = [], pairs = [], positions, assignments }) =>
    positions !== undefined ||
    assignments !== undefined ||
    [...flags, ...glued, ...pairs].some((it) => !it.startsWith('-')),
);
const flags = commandRules.flatMap(({ flags = [], glued = [], pairs = [] }) => [
  ...flags,
  ...glued,
  ...pairs,
]);
/** A cheap first look, since to look for the programs' names takes five times as long. */
const ANY_FLAG = new RegExp(`[\\s"'\`](?:${oneOf(flags.filter((it) => it.startsWith('-')))})`);
const ANY_WITHOUT_FLAG = new RegExp(
  `(?:\\b|(?<=\\\\[nrt]))(?:${oneOf(withoutFlag.map(({ command }) => command))})\\s`,
);

const COMMAND = new RegExp(
  `(?:(?<![\\w.-])|(?<=\\\\[nrt]))(?:${oneOf([...rulesByCommand.keys()].sort((a, b) => b.length - a.length))})(?:\\.exe)?(?=\\s|\\\\{0,4}["'\`]\\s?,)`,
  'g',
);

/** Finds secrets in the arguments of programs: `mysql -pV`, `curl -u user:V`, `["sshpass", "-p", "V"]`. */
export function findCommandSecrets(text: string): Edit[] {
  const edits: Edit[] = [];
  if (!ANY_FLAG.test(text) && !ANY_WITHOUT_FLAG.test(text)) return edits;
  COMMAND.lastIndex = 0;
  for (let hit = COMMAND.exec(text); hit !== null; hit = COMMAND.exec(text)) {
    const { words, end } = readArguments(text, COMMAND.lastIndex);
    for (const part of commandsIn(hit[0].replace(/\.exe$/, ''), words)) edits.push(...secretsOf(part));
    COMMAND.lastIndex = Math.max(COMMAND.lastIndex, end);
  }
  return mergeEdits(edits);
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

/** A quoted word, a bare one, or what ends the command. */
const WORD =
  /[ \t]*(?:\\\r?\n[ \t]*|\\{1,4}n[ \t]+)?,?[ \t]*\[?(?:(\\{0,4})(["'`])((?:(?!\\{0,4}\2)[^\n]){0,400})\\{0,4}\2(?=[\s,;|&)\]}"'\\]|$)|([^\s"'`|;&\n<>]{1,2000}?(?=[\s"'`|;&<>]|\\{1,4}["'`n]|$)))/y;

const OPENING = /^\\{0,4}["'`]/;
/** Between two words: a space, a comma of an array, or a line that goes on in the next. */
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

/** `sshpass -p V mysql -pV` runs two programs; each word belongs to the program named last before it. */
function commandsIn(first: string, words: Word[]): Part[] {
  const parts: Part[] = [{ rules: rulesByCommand.get(first) ?? [], words: [] }];
  for (const [index, word] of words.entries()) {
    const rules = /^-/.test(words[index - 1]?.text ?? '') ? undefined : rulesByCommand.get(word.text);
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

/** Arguments that are not flags; `NAME=V` counts from its sign. */
function positionValues({ kind, positions = [], assignments }: CommandRule, words: Word[]): Word[] {
  const plain = words.filter(({ text, joined }) => !joined && !/^-|^\/[a-z]+:/i.test(text));
  // In prose the word after a program's name is just a word; a token never looks like one.
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

/** openssl writes `pass:V`; what follows `env:`, `file:` and `fd:` is no secret. */
function withoutPrefix(word: Word): Word {
  return word.text.startsWith('pass:') ? tail(word, 5) : word;
}

function isGiven(value: string): boolean {
  return (
    value.length >= 3 &&
    !isReference(value) &&
    !/^(?:env|file|fd|stdin|@|\d{1,5}$|[./~]\/|https?:)/.test(value)
  );
}
