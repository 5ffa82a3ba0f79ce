/** What agents and their clients wrap around or put into texts. No person wrote any of it. */
const SCAFFOLDING = [
  'system-reminder',
  'task-notification',
  'local-command-caveat',
  'local-command-stdout',
  'local-command-stderr',
  'command-name',
  'command-message',
  'command-args',
  'bash-stdout',
  'bash-stderr',
  'teammate-message',
  'cross-session-message',
  'analysis',
  'thinking',
];

const scaffoldBlock = new RegExp(`<(${SCAFFOLDING.join('|')})\\b[^>]*>[\\s\\S]*?(?:</\\1>|$)`, 'g');
const looseTag = new RegExp(`</?(?:${SCAFFOLDING.join('|')}|summary)\\b[^>]*>`, 'g');
const codeBlock = /^ {0,8}(```|~~~)[^\n]*\n[\s\S]*?(?:^ {0,8}\1[ \t]*$|$(?![\s\S]))/gm;
const interruption = /\[Request interrupted by user[^\]]*\]/g;
const attachment = /\[(?:Image|Pasted text) #\d+[^\]]*\]/g;
const blob = /[A-Za-z0-9+/=_-]{160,}/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: colours of a terminal begin with an escape character
const colours = /\u001b\[[0-9;?]*[A-Za-z]/g;

/** How much of a text is looked at; what matters in a longer one stands at its beginning and its end. */
const HEAD = 14_000;
const TAIL = 8_000;

/** A text as the person or the agent wrote it, with its markdown, without code blocks and scaffolding. */
export function stripScaffolding(text: string): string {
  return headAndTail(text, HEAD, TAIL)
    .replace(/\r\n?/g, '\n')
    .replace(colours, '')
    .replace(scaffoldBlock, '\n')
    .replace(looseTag, '\n')
    .replace(codeBlock, '\n')
    .replace(interruption, '')
    .replace(attachment, '')
    .replace(blob, '')
    .replace(/[^\S\n]{9,}/g, '        ')
    .replace(/\n{3,}/g, '\n\n');
}

export function headAndTail(text: string, head: number, tail: number): string {
  return text.length <= head + tail ? text : `${text.slice(0, head)}\n\n${text.slice(-tail)}`;
}

export function stripColours(text: string): string {
  return text.replace(colours, '');
}

/** Inline markdown taken off; what stood in code spans stays. */
export function stripMarkup(text: string): string {
  return text
    .replace(/!\[([^\]\n]*)\]\([^)\s]*\)/g, '$1')
    .replace(/\[([^\]\n]+)\]\((?:[^()\s]|\([^()\s]*\))*\)/g, '$1')
    .replace(/`+([^`\n]*)`+/g, '$1')
    .replace(/(\*\*|__)(?=\S)(.+?)(?<=\S)\1/g, '$2')
    .replace(/(?<![\p{L}\p{N}*])\*(?=\S)([^*\n]+?)(?<=\S)\*(?![\p{L}\p{N}*])/gu, '$1')
    .replace(/(?<![\p{L}\p{N}_])_(?=\S)([^_\n]+?)(?<=\S)_(?![\p{L}\p{N}_])/gu, '$1')
    .replace(/\p{Emoji_Presentation}\uFE0F?\s*/gu, '')
    .replace(/\s+/g, ' ')
    .trim();
}
