/** One variable of a git configuration file. Section and key are in lower case, as git compares them. */
export interface ConfigEntry {
  section: string;
  subsection: string;
  key: string;
  value: string;
}

const HEADER = /^\s*\[([A-Za-z0-9.-]+)(?:\s+"((?:[^"\\]|\\.)*)")?\s*\]/;
const NOTHING = /^\s*(?:[#;].*)?$/;
const VARIABLE = /^\s*([A-Za-z][A-Za-z0-9-]*)\s*(?:=(.*)|[#;].*)?$/;
const ESCAPES: Record<string, string> = { n: '\n', t: '\t', b: '\b' };

/** See "Syntax" in git-config(1). Includes are not followed. @returns null for text that git would refuse. */
export function parseConfig(text: string): ConfigEntry[] | null {
  const entries: ConfigEntry[] = [];
  let section = '';
  let subsection = '';
  for (const line of linesIn(text)) {
    const header = HEADER.exec(line);
    if (header) {
      section = (header[1] ?? '').toLowerCase();
      subsection = (header[2] ?? '').replace(/\\(.)/g, '$1');
    }
    const rest = header ? line.slice(header[0].length) : line;
    if (NOTHING.test(rest)) continue;
    const variable = VARIABLE.exec(rest);
    if (!variable) return null;
    // A key without "=" means true.
    const value = variable[2] === undefined ? 'true' : parseValue(variable[2].trimStart());
    entries.push({ section, subsection, key: (variable[1] ?? '').toLowerCase(), value });
  }
  return entries;
}

/** A backslash at the end of a line joins it to the next one, except in a comment. */
function linesIn(text: string): string[] {
  const joined = text.replace(/^\uFEFF/, '').replace(/^([ \t]*[#;].*)$|\\\r?\n/gm, '$1');
  return joined.split(/\r?\n/);
}

export function formatSection(section: string, subsection: string, values: [string, string][]): string {
  const header = subsection === '' ? `[${section}]` : `[${section} ${quote(subsection)}]`;
  return `${[header, ...values.map(([key, value]) => `\t${key} = ${quote(value)}`)].join('\n')}\n`;
}

/** False for text that cannot be written between quotes on one line. */
export function isOneLine(text: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern rejects control characters.
  return !/[\u0000-\u001f\u007f]/.test(text);
}

function quote(text: string): string {
  return `"${text.replace(/["\\]/g, '\\$&')}"`;
}

function parseValue(raw: string): string {
  let value = '';
  let isQuoted = false;
  /** White space at the end counts only inside quotes. */
  let kept = 0;
  for (let at = 0; at < raw.length; at++) {
    const char = raw[at] ?? '';
    if (char === '"') isQuoted = !isQuoted;
    else if (char === '\\') {
      at++;
      value += ESCAPES[raw[at] ?? ''] ?? raw[at] ?? '';
    } else if (!isQuoted && (char === '#' || char === ';')) break;
    else value += char;
    if (isQuoted || char.trim() !== '') kept = value.length;
  }
  return value.slice(0, kept);
}
