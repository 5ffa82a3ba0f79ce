/** What the architecture check needs to know about TypeScript without a parser: what is code, and what is imported. */

const REGEX_MAY_FOLLOW =
  /(?:^|[(,=:[!&|?{;+\-*%~^<>]|\b(?:return|typeof|case|in|of|do|else|void|delete|throw|await|yield))\s*$/;
const PLAIN_CODE = /[^/'"`{}]*/y;

/**
 * The same text with the same length and lines, in which spaces replace comments and the contents of strings, templates
 * and regular expressions. Code inside `${…}` stays. `onComment` gets the text of each comment.
 */
export function codeOnly(source, onComment = () => {}) {
  const out = [...source.replace(/[^\n]/g, ' ')];
  const openTemplates = [];
  let depth = 0;
  let at = 0;

  const keep = (length = 1) => {
    for (const end = at + length; at < end; at++) out[at] = source[at];
  };
  const skipTo = (position) => {
    at = position === -1 ? source.length : position;
  };
  const skipComment = (end) => {
    const start = at;
    skipTo(end);
    onComment(source.slice(start, at));
  };
  const skipTemplateText = () => {
    while (at < source.length && source[at] !== '`' && !source.startsWith('${', at)) {
      at += source[at] === '\\' ? 2 : 1;
    }
    if (source.startsWith('${', at)) {
      openTemplates.push(depth);
      keep(2);
    } else if (at < source.length) keep();
  };

  while (at < source.length) {
    const char = source[at];
    if (source.startsWith('//', at)) skipComment(source.indexOf('\n', at));
    else if (source.startsWith('/*', at)) {
      const end = source.indexOf('*/', at + 2);
      skipComment(end === -1 ? -1 : end + 2);
    } else if (char === "'" || char === '"') {
      keep();
      while (at < source.length && source[at] !== char && source[at] !== '\n')
        at += source[at] === '\\' ? 2 : 1;
      if (source[at] === char) keep();
    } else if (char === '`') {
      keep();
      skipTemplateText();
    } else if (char === '/' && REGEX_MAY_FOLLOW.test(out.slice(Math.max(0, at - 80), at).join(''))) {
      keep();
      skipTo(endOfRegex(source, at));
    } else if (char === '}' && openTemplates.at(-1) === depth) {
      openTemplates.pop();
      keep();
      skipTemplateText();
    } else {
      if (char === '{') depth++;
      if (char === '}') depth--;
      PLAIN_CODE.lastIndex = at + 1;
      keep(1 + PLAIN_CODE.exec(source)[0].length);
    }
  }
  return out.join('');
}

function endOfRegex(source, start) {
  let inClass = false;
  for (let at = start; at < source.length && source[at] !== '\n'; at++) {
    if (source[at] === '\\') at++;
    else if (source[at] === '[') inClass = true;
    else if (source[at] === ']') inClass = false;
    else if (source[at] === '/' && !inClass) return at + 1;
  }
  return start;
}

const IMPORT_FORMS = [
  { load: 'static', form: /\b(import|export)\b(?!\s*[(.])([\w\s{},*$]*?)\bfrom\s*['"]/g },
  { load: 'static', form: /\bimport\s*['"]/g },
  { load: 'lazy', form: /\b(?:import|require|getBuiltinModule)\s*\(\s*['"`]/g },
];

/**
 * Every module that a text imports: `{ specifier, line, load }`. `load` is `static`, `lazy` (`import()`, `require()` or
 * `getBuiltinModule()`) or `type` (erased before the program runs).
 */
export function importsIn(source, code = codeOnly(source)) {
  const found = [];
  for (const { load, form } of IMPORT_FORMS) {
    for (const match of code.matchAll(form)) {
      const start = match.index + match[0].length;
      const end = code.indexOf(code[start - 1], start);
      const typeOnly = load === 'static' && /^\s*type\b(?!\s*,|\s+from\b)/.test(match[2] ?? '');
      found.push({
        specifier: source.slice(start, end),
        line: lineAt(source, match.index),
        load: typeOnly ? 'type' : load,
      });
    }
  }
  return found;
}

/** Every string or template in the code, up to its end or its first `${`: `{ text, index }`. */
export function stringsIn(source, code = codeOnly(source)) {
  return [...code.matchAll(/(['"`])[\s]*(?:\1|\$\{)/g)].map(({ 0: found, index }) => ({
    text: source.slice(index + 1, index + found.length - (found.endsWith('${') ? 2 : 1)),
    index,
  }));
}

export function lineAt(source, position) {
  let line = 1;
  for (let at = source.indexOf('\n'); at !== -1 && at < position; at = source.indexOf('\n', at + 1)) line++;
  return line;
}
