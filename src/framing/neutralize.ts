import { CLOSING, neutralizeTags, OPENING } from './control-tags.ts';
import { KNOWN_MARKS } from './known-marks.ts';

/**
 * Makes stored text safe for a model: tags of Cairn and of agents are written with ‹ and ›, readable but without
 * effect. Everything else, such as `Array<string>`, `a < b` and HTML, is unchanged. The result is never longer, which
 * keeps character budgets valid.
 */
export function neutralize(text: string, moreTags: readonly string[] = []): string {
  const visible = withoutInvisible(text);
  return neutralizePhrases(neutralizeSpeakers(neutralizeTokens(neutralizeTags(visible, moreTags))));
}

/** Removes control, bidi override and zero-width characters, which hide text from people or split a tag. */
function withoutInvisible(text: string): string {
  return text.replace(/\r\n?|[\v\f\u0085\u2028\u2029]/g, '\n').replace(INVISIBLE, '');
}

const INVISIBLE =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
  /\u034f|[\0-\x08\x0e-\x1f\x7f-\x9f\xad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu;

let token: RegExp | undefined;

/** Special tokens of models: `<|im_start|>`, `<｜User｜>`. */
function neutralizeTokens(text: string): string {
  if (!/[|｜]/.test(text)) return text;
  token ??= new RegExp(String.raw`${OPENING}([|｜][^\s<>|｜]{1,40}[|｜])${CLOSING}`, 'gu');
  return text.replace(token, '‹$1›');
}

/** `Human:` at the start of a line starts a turn in older prompt formats. */
const SPEAKER = new RegExp(
  String.raw`(^|\\n)([^\S\n]*(?:${KNOWN_MARKS.speakers.flatMap((name) => [name, name.toUpperCase()]).join('|')})[^\S\n]*)[:：]`,
  'gm',
);

function neutralizeSpeakers(text: string): string {
  return text.replace(SPEAKER, '$1$2∶');
}

const PHRASES = KNOWN_MARKS.phrases.map((phrase) => phrase.toLowerCase());

function neutralizePhrases(text: string): string {
  const lower = text.toLowerCase();
  if (!PHRASES.some((phrase) => lower.includes(phrase))) return text;
  const pattern = new RegExp(PHRASES.map(escapeForRegExp).join('|'), 'gi');
  return text.replace(pattern, (phrase) => `‹${phrase.slice(1)}`.replace(/[\]>]$/, '›'));
}

function escapeForRegExp(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}
