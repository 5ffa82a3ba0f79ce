import { fold } from '../../indexing/fold.ts';
import { STOP_WORDS } from '../../indexing/stop-words.ts';
import { REQUEST_FILLER_WORDS } from '../../model/filler-words.ts';

const MOST_WORDS = 4;
const ENOUGH_WORDS = 2;
const LONGEST_NAME = 40;
/** The longest word of a script without spaces. */
const LONGEST_RUN = 12;
const LONGEST_TITLE = 80;

/** Folder names that some systems refuse. */
const RESERVED = /^(?:con|prn|aux|nul|com\d|lpt\d|index)$/;
const WORD = /[A-Za-z0-9]+/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII.
const PLAIN = /^[\x00-\x7f]*$/;

/** A name for people, folders and commands: two to four significant words of a request. Never empty. */
export function makeName(text: string): string {
  const words: string[] = [];
  for (const clause of clausesOf(withoutMarks(text))) {
    for (const word of wordsOf(clause)) {
      const isDistinctive = !STOP_WORDS.has(word) && !REQUEST_FILLER_WORDS.has(word) && !words.includes(word);
      if (isDistinctive && words.length < MOST_WORDS) words.push(word);
    }
    if (words.length >= ENOUGH_WORDS) break;
  }
  const name = joined(words.length > 0 ? words : wordsOf(text).slice(0, MOST_WORDS));
  if (name === '') return 'work';
  return RESERVED.test(name) || /^\d+$/.test(name) ? `work-${name}` : name;
}

/** The first line with content, shortened for a list. */
export function makeTitle(text: string): string {
  const lines = withoutMarks(text)
    .split('\n')
    .map((line) =>
      line
        .replace(/^\s*(?:#{1,6}\s|[-*>]\s|\d{1,3}[.)]\s)\s*/, '')
        .replace(/\s+/g, ' ')
        .trim(),
    );
  const line = lines.find((part) => part !== '') ?? '';
  const title = line.replace(/^(?:implementation )?plan\s?(?:[:—–-]|for )\s*/i, '') || line;
  return shortened(title) || 'Work';
}

function shortened(title: string): string {
  const characters = [...title];
  if (characters.length <= LONGEST_TITLE) return title;
  const cut = characters.slice(0, LONGEST_TITLE - 1).join('');
  const space = cut.lastIndexOf(' ');
  return `${space > LONGEST_TITLE / 2 ? cut.slice(0, space) : cut}…`;
}

/** Removes marks of private and secret text, code and addresses. */
function withoutMarks(text: string): string {
  return text
    .slice(0, 4_000)
    .replace(/\[(?:private|redacted:[\w-]{1,40})\]/g, ' ')
    .replace(/```[\s\S]*?(?:```|$)/g, ' ')
    .replace(/https?:\/\/\S+/g, ' ');
}

function clausesOf(text: string): string[] {
  return text.split(/[.!?:;,](?=\s|$)|[\n。！？：；，、]|\s[-–—]\s/).filter((clause) => clause.trim() !== '');
}

/** Reduces a path to its file name. */
function wordsOf(clause: string): string[] {
  return clause.split(/\s+/).flatMap((chunk) => {
    const last = chunk.includes('/') ? chunk.replace(/\/+$/, '').replace(/^.*\//, '') : chunk;
    const bare = /\.[A-Za-z]\w{0,4}\W*$/.test(last) ? last.replace(/\.[A-Za-z]\w{0,4}\W*$/, '') : last;
    const plain = bare.replace(/['’](?:s|ll|re|ve|d|m)\b/gi, '').replace(/['’]/g, '');
    return PLAIN.test(plain) ? (fold(plain).match(WORD) ?? []) : wordsOfAnyScript(plain);
  });
}

let anyScript: { word: RegExp; unspaced: RegExp } | undefined;

/** Compiled on demand: classes of all scripts take long to compile, and most prompts are ASCII. */
function wordsOfAnyScript(text: string): string[] {
  anyScript ??= {
    word: /[\p{L}\p{N}\p{M}]+/gu,
    unspaced:
      /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u,
  };
  const { word, unspaced } = anyScript;
  return (fold(text).match(word) ?? []).map((part) =>
    unspaced.test(part) ? [...part].slice(0, LONGEST_RUN).join('') : part,
  );
}

function joined(words: string[]): string {
  let name = '';
  for (const word of words) {
    const longer = name === '' ? [...word].slice(0, LONGEST_NAME).join('') : `${name}-${word}`;
    if ([...longer].length > LONGEST_NAME) break;
    name = longer;
  }
  return name;
}
