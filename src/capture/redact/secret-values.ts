import type { SecretKind } from './secret-names.ts';
import { isPath, isScrambled, looksLikeWords } from './words.ts';

/**
 * How a value is connected to its name. `literal`: always a plain value (an env line, an option, a query). `line`: a
 * whole line of settings, as in YAML or a properties file. `quoted`: a string in code or JSON. `bare`: unquoted, so it
 * may also be an expression.
 */
export type ValuePosition = 'literal' | 'line' | 'quoted' | 'bare';

interface NamedValue {
  name: string;
  kind: SecretKind;
  value: string;
  position: ValuePosition;
}

/** The beginning of a value is enough; a whole one may be a megabyte. */
export const LONGEST_CHECKED = 256;

/** Whether this is the secret itself, not a reference to it, a type, an expression or a description. */
export function isSecretValue({ name, kind, value: whole, position }: NamedValue): boolean {
  const value = whole.slice(0, LONGEST_CHECKED);
  if (value.length < 3 || isReference(value) || VERSION.test(value) || isAboutItself(name, value))
    return false;
  if (kind === 'password') return isPassword(name, value, position);
  if (/\s/.test(value) || isPath(value)) return false;
  if (position === 'literal') return isOpaqueLiteral(value);
  if (position === 'quoted') return isOpaqueString(kind, value);
  return isOpaqueBare(value);
}

/** A placeholder, a variable, or a mark of Cairn. */
export function isReference(value: string): boolean {
  return REFERENCE.test(value) || RESERVED.test(value);
}

/** Random characters: not a word, not a number, not a reference. */
export function isRandom(value: string, shortest = 12): boolean {
  const start = value.slice(0, LONGEST_CHECKED);
  if (start.length < shortest || isReference(start) || VERSION.test(start) || isPath(start)) return false;
  if (!/[A-Za-z]/.test(start)) return false;
  if (!/\d/.test(start)) return isScrambled(start);
  return !DATED.test(start) && !isNumbered(start);
}

/** Letters and digits that form no words, unlike names in sentences or code. */
export function isOpaqueWord(value: string): boolean {
  return (
    isRandom(value, 8) &&
    /\d/.test(value) &&
    !looksLikeWords(value) &&
    !/[/\\]|^@|@$|@[^@]*[.:]|^[\d.,:%-]+\D{0,3}$/.test(value)
  );
}

function isPassword(name: string, value: string, position: ValuePosition): boolean {
  if (/^(?:old_?)?pwd$/i.test(name) && (isPath(value) || /^[\\/]/.test(value))) return false;
  if (position === 'literal') return !isCall(value) && !CONSTANT.test(value);
  if (position === 'bare') {
    return value.length >= 6 && (/[\d!@#%^&*~+=/]/.test(value) || isScrambled(value)) && !isExpression(value);
  }
  if (position === 'line') {
    if (value.length < 4 || isExpression(value) || isPath(value) || CONSTANT.test(value)) return false;
    return (
      !/^[\w.$-]+$/.test(value) || /\d/.test(value) || !NAMES_A_SECRET.test(value) || !looksLikeWords(value)
    );
  }
  if (/phrase$/i.test(name)) return true;
  // Labels and messages for people: "Forgot your password?", "密码".
  return !isProse(value) && /[\x21-\x7e]/.test(value);
}

function isOpaqueLiteral(value: string): boolean {
  return value.length >= 6 && !/^\d{1,19}$/.test(value) && !isCall(value) && !CONSTANT.test(value);
}

function isOpaqueString(kind: SecretKind, value: string): boolean {
  if (value.length < 8 || /^[\d.]+$/.test(value)) return false;
  if (/\d/.test(value)) return !/^[a-z]+[\d.]*$/i.test(value) || value.length >= 12 || isScrambled(value);
  if (isScrambled(value)) return true;
  if (/^[a-z]{16,}$/i.test(value) && !looksLikeWords(value)) return true;
  return (
    (kind === 'secret' || kind === 'key') && /^(?:[a-z]{12,}|[A-Za-z]{24,}|.*[!@#$%^&*~].*)$/.test(value)
  );
}

function isOpaqueBare(value: string): boolean {
  if (!/[A-Za-z]/.test(value) || value.length < 8 || isExpression(value)) return false;
  if (!/\d/.test(value)) return isScrambled(value) || (value.length >= 20 && !looksLikeWords(value));
  if (value.length >= 16) return true;
  if (/[a-z]/.test(value) && /[A-Z]/.test(value) && /[^\w.:<>]/.test(value)) return true;
  return value.length >= 10 && !isNumbered(value);
}

/** Words with numbers, as in `oauth2`, `user-1234`, `base64-encoded` or `v1beta1`. */
function isNumbered(value: string): boolean {
  return value
    .split(/[-_.:/]/)
    .every(
      (part) => /^[A-Za-z]*\d{0,4}[a-z]{0,4}\d?$/.test(part) && (/^\d*$/.test(part) || looksLikeWords(part)),
    );
}

/** A call, a field or an element: an expression in code, whose names are words. */
function isExpression(value: string): boolean {
  if (/^[([{<]|=>|^--?[a-z][a-z-]*$/.test(value)) return true;
  const name = /^[+!&*]?([A-Za-z_$][\w$]*(?:(?:\??\.|::|->)[A-Za-z_$][\w$]*)*)([([{<]?)/.exec(value);
  if (name === null || (name[2] === '' && name[0].length < value.length)) return isPath(value);
  const parts = (name[1] ?? '').split(/\??\.|::|->/);
  if (name[2] === '' && parts.length === 1) return false;
  return parts.every((part) => part.length <= 2 || looksLikeWords(part));
}

function isCall(value: string): boolean {
  return CALL.test(value) && isExpression(value);
}

function isProse(value: string): boolean {
  const [first = '', ...others] = value.split(/\s+/);
  const isWord = (word: string) => /^[A-Za-z\d\u00aa-\uffff'’,.:;!?()"-]*$/.test(word);
  return others.length > 0 && !/\d/.test(first) && [first, ...others].every(isWord);
}

/** `AUTH_TOKEN = 'auth_token'` is a name, not a value. */
function isAboutItself(name: string, value: string): boolean {
  const [bareName, bareValue] = [name, value].map((text) => text.replace(/[^A-Za-z]/g, '').toLowerCase());
  if (!bareName || !bareValue || /\d|[^\w\s./:-]/.test(value)) return false;
  return bareName.endsWith(bareValue) || bareValue.endsWith(bareName);
}

const REFERENCE =
  /^(?:\$\{|\$\(|\$[A-Za-z_][\w.:]*$|\{\{|\{[\w.]+\}$|<[\w $.:/'’-]*>|&lt;|%[A-Za-z_][\w.]*%|%s$|%\(|#\{|!\w+\s|\[(?:redacted:|private\]|…)|(?:op|vault|ssm|file|arn|env|secretref|secretKeyRef):|(?:process\.env|os\.environ|os\.getenv|import\.meta|secrets|env|config|settings|self|this|vars?)\b[.[(]|your[-_ ]|[*•x.…X_#?-]{3,}$|\.{3}|…)/i;

const RESERVED =
  /^(?:null|nil|none|undefined|true|false|yes|no|on|off|string|str|text|number|integer|int|bool|boolean|bytes?|object|any|unknown|void|never|char|varchar|required|optional|hidden|password|passwd|secrets?|tokens?|bearer|basic|keys?|apikey|api[-_]key|value|placeholder|redacted|default|empty|disabled|enabled|username|input|stdin|prompt|function|async|await|new|and|or|is|the|to|for|from|in|with|flag|option|argument|parameter|file|if|when|while|where|that|this|which|as|at|by|of|be|was|were|are|has|have|had|can|will|would|must|may|should|could|not|but|only|also|you|your|it|its|an?|must|cannot|invalid|valid|wrong|missing|incorrect|correct|expired|failed|failure|ok|okay|done|changed|updated|set|unset|reset|rotated|revoked|refreshed|accepted|rejected|denied|mismatch|matches|matched|works?|weak|strong|bad|good|plain|plaintext|hashed|encrypted|encoded|masked|generated|stored|asked|given|see|use|using|then|before|after|via|each|every|one|two|per|between|instead|pattern|type|field|column|auth|none|some|foo|bar|baz|todo|tbd|example|changeme|xxx+|self|super|callable|optional\[\w+\]|credentials?|settings|config|env|environ)[\])};,.:!?]*$/i;

const VERSION = /^[\^~>=v]*\d+\.\d+(?:\.\d+)?(?:[-+][\w.+-]+)?$/;
const DATED = /^\d{4}-\d\d-\d\d|^\d\d:\d\d/;
const CALL = /^[A-Za-z_$][\w$.]*\(/;
const CONSTANT = /^[A-Z]+(?:_[A-Z]+)+$/;
const NAMES_A_SECRET = /pass|pwd|secret|token|key|cred|auth/i;
