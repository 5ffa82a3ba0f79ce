/** The name of a secret and its position. */
export interface Name {
  text: string;
  start: number;
  end: number;
}

/** The text that connects a name with its value. */
export interface Connector {
  /**
   * `sign`: `=`, `:` and the like. `option`: a flag and its argument. `list`: the next item of a list. `element`:
   * the content of an XML element. `field`: `name` and `value` are two fields. `cell`: the next column of a
   * table. `next`: the content of the next HTML element. `call`: the argument of a function. `encoded`: a sign in the
   * escapes of URLs or HTML. `space`: nothing but a space.
   */
  type: 'sign' | 'option' | 'list' | 'element' | 'field' | 'cell' | 'next' | 'call' | 'encoded' | 'space';
  text: string;
  end: number;
}

const CLOSING = '(?:\\\\{0,8}["\'`])?';
/** `AWS Secret Access Key [None]: …`, `API key (staging): …` */
const NOTE = '(?:(?:\\[[\\w*. -]{0,30}\\]|\\([\\w*., -]{1,40}\\))[ \\t]{0,4}(?=[:=]))?';
/** The end of a quoted name, perhaps emphasis, a note or a type, then the sign. */
const SIGN = new RegExp(
  `${CLOSING}\\]?[?!]?\\*{0,3}[ \\t]{0,40}${NOTE}(?::[ \\t]{0,9}[\\w&'*[\\]<>?!.]{1,30}(?: \\|? ?\\w{1,10}){0,3}[ \\t]{0,9}=(?![=>])(?=[ \\t]|\\\\{0,8}["'\`])|=>|[:?+]=|[!=]?={1,2}|:(?!:)\\*{0,3}|：|->|→|[ \\t\\u00a0](?:is|was|to|ist|lautet|lauten|heißt|are|es|será)(?:[ \\t\\u00a0]:?|:[ \\t\\u00a0]))\\s{0,80}`,
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
/** The name is the content of one element, the value the content of the next. */
const NEXT_ELEMENT =
  /:?[ ]?<\\{0,4}\/(?:t[dh]|dt|name|label|b|strong|span|code)>(?:[\s+:-]|\\{1,8}[nrt]|<\\{0,4}\/?(?:t[dh]|p|li|b|strong)>){0,80}<(?:t[dh]|dd|value|span|code|p|string)(?:\s[^<>\n]{0,80})?>(?:<(?:string|code|b|strong|span)>)?/y;
/** The only argument of a call. */
const CALL = /\([ ]?(?=\\{0,8}["'][^"'\\\n]{6,400}\\{0,8}["'][ ]?\))/y;
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
  ['next', NEXT_ELEMENT],
  ['sign', SIGN],
  ['encoded', ENCODED],
  ['field', FIELD],
  ['element', PLIST],
  ['element', ELEMENT],
  ['call', CALL],
  ['list', LIST],
  ['cell', CELL],
  ['space', SPACE],
];

export function matchAt(pattern: RegExp, text: string, index: number): RegExpExecArray | null {
  pattern.lastIndex = index;
  return pattern.exec(text);
}
