/** The name of a secret and its position. */
export interface Name {
  text: string;
  start: number;
  end: number;
}

/** What connects a name with its value. */
export interface Connector {
  /**
   * `sign`: `=`, `:` and the like. `option`: a flag and its argument. `list`: the next item of a list. `element`:
   * the content of an XML element. `field`: `name` and `value` are two fields. `cell`: the next column of a
   * table. `encoded`: a sign in the escapes of URLs or HTML. `space`: nothing but a space.
   */
  type: 'sign' | 'option' | 'list' | 'element' | 'field' | 'cell' | 'encoded' | 'space';
  text: string;
  end: number;
}

const CLOSING = '(?:\\\\{0,8}["\'`])?';
/** The end of a quoted name, perhaps a type, then the sign. */
const SIGN = new RegExp(
  `${CLOSING}\\]?[?!]?[ \\t]{0,40}(?::[ \\t]{0,9}[\\w&'*[\\]<>]{1,30}(?: \\w{1,10})?[ \\t]{0,9}=(?![=>])(?=[ \\t]|\\\\{0,8}["'\`])|=>|[:?+]=|[!=]?={1,2}|:(?!:)|：|->|→|[ \\t](?:is|was|to|ist|lautet|lauten|heißt|are|es|será)(?:[ \\t]:?|:[ \\t]))\\s{0,80}`,
  'y',
);
const FIELD = new RegExp(
  `${CLOSING}[ \\t]{0,9}[,;]?(?:[\\s+-]|\\\\{1,8}[nrt]){0,80}\\\\{0,8}["']?(?:value|stringValue|content|secretValue|val)\\\\{0,8}["']?\\s{0,9}[:=]\\s{0,9}`,
  'iy',
);
const ELEMENT = new RegExp(
  `${CLOSING}[^<>"'\\n]{0,0}(?:\\s[\\w-]{1,30}=\\\\{0,4}["'][^"'<>\\\\]{0,60}\\\\{0,4}["']){0,2}\\s{0,4}>\\s{0,80}(?:<value>)?`,
  'y',
);
const PLIST = /<\\{0,4}\/key>(?:[\s+-]|\\{1,8}[nrt]){0,80}<string>/y;
const LIST = new RegExp(`${CLOSING}\\s{0,9},\\s{0,80}`, 'y');
const CELL = /[ \t]{0,80}[`*]{0,2}[ \t]{0,4}[|│┃][ \t]{0,80}/y;
const ENCODED =
  /(?:%(?:25)?22|&quot;|&#34;|&#x22;|%27|&#39;)?(?:%(?:25)?3[ADad]|(?<=;)\s{0,3}[:=])(?:%(?:25)?20|\+|\s)?(?:%(?:25)?22|&quot;|&#34;|&#x22;|%27|&#39;)?/y;
const OPTION = /=|(?:\\{0,4}["'`]?,)?\s{1,9}|\\{0,4}["'`],/y;
const SPACE = /[ \t]{1,40}/y;

export function findConnector(text: string, name: Name): Connector | undefined {
  if (/^--?[A-Za-z]/.test(name.text)) {
    const option = matchAt(OPTION, text, name.end);
    if (option !== null) return { type: 'option', text: option[0], end: name.end + option[0].length };
  }
  for (const [type, pattern] of PATTERNS) {
    const hit = matchAt(pattern, text, name.end);
    if (hit !== null) return { type, text: hit[0], end: name.end + hit[0].length };
  }
  return undefined;
}

const PATTERNS: [Connector['type'], RegExp][] = [
  ['sign', SIGN],
  ['encoded', ENCODED],
  ['field', FIELD],
  ['element', PLIST],
  ['element', ELEMENT],
  ['list', LIST],
  ['cell', CELL],
  ['space', SPACE],
];

export function matchAt(pattern: RegExp, text: string, index: number): RegExpExecArray | null {
  pattern.lastIndex = index;
  return pattern.exec(text);
}
