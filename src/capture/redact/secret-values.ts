import type { SecretKind } from './secret-names.ts';

/**
 * How a value stands beside its name. `literal`: it can only be meant as it stands (an env line, an option,
 * a query). `quoted`: a string in code or JSON. `bare`: without quotes where an expression could stand too.
 */
export type Standing = 'literal' | 'quoted' | 'bare';

interface NamedValue {
  name: string;
  kind: SecretKind;
  value: string;
  standing: Standing;
}

/** Is this the secret itself, and not a reference to it, a type, an expression or a word about it? */
export function isSecretValue({ name, kind, value, standing }: NamedValue): boolean {
  if (value.length < 3 || isReference(value) || VERSION.test(value) || isAboutItself(name, value))
    return false;
  if (kind === 'password') return isPassword(name, value, standing);
  if (/\s/.test(value) || PATH.test(value)) return false;
  if (standing === 'literal') return isOpaqueLiteral(value);
  if (standing === 'quoted') return isOpaqueString(kind, value);
  return isOpaqueBare(value);
}

/** A placeholder, a variable, or something Cairn itself put there. */
export function isReference(value: string): boolean {
  return REFERENCE.test(value) || RESERVED.test(value);
}

function isPassword(name: string, value: string, standing: Standing): boolean {
  if (/^(?:old_?)?pwd$/i.test(name) && /^(?:[~./\\]|[A-Za-z]:[\\/])/.test(value)) return false;
  if (standing === 'literal') return !CALL.test(value) && !CONSTANT.test(value);
  if (standing === 'bare') {
    return value.length >= 6 && /\d|[!@#%^&*~]/.test(value) && !EXPRESSION.test(value);
  }
  if (/phrase$/i.test(name)) return true;
  // Labels and messages for people: "Forgot your password?", "密码".
  return !isProse(value) && /[\x21-\x7e]/.test(value);
}

function isOpaqueLiteral(value: string): boolean {
  return value.length >= 6 && !/^\d{1,19}$/.test(value) && !CALL.test(value) && !CONSTANT.test(value);
}

function isOpaqueString(kind: SecretKind, value: string): boolean {
  if (value.length < 8 || /^[\d.]+$/.test(value)) return false;
  if (/\d/.test(value)) return !/^[a-z]+[\d.]*$/i.test(value) || value.length >= 12;
  if (isScrambled(value)) return true;
  return (
    (kind === 'secret' || kind === 'key') && /^(?:[a-z]{12,}|[A-Za-z]{24,}|.*[!@#$%^&*~].*)$/.test(value)
  );
}

function isOpaqueBare(value: string): boolean {
  if (!/\d/.test(value) || !/[A-Za-z]/.test(value) || EXPRESSION.test(value)) return false;
  if (value.length >= 16) return true;
  return value.length >= 8 && /[a-z]/.test(value) && /[A-Z]/.test(value) && /[^\w.:<>]/.test(value);
}

/** Letters only, yet the case changes as in base64 and not as in words: `dXNlcjpwYXNz`. */
export function isScrambled(value: string): boolean {
  if (value.length < 10 || !/^[\w+/=-]+$/.test(value) || !/[A-Z]{2}/.test(value)) return false;
  const changes = value.match(/[a-z](?=[A-Z])|[A-Z](?=[a-z])/g)?.length ?? 0;
  return changes * 3 >= value.length - 1;
}

function isProse(value: string): boolean {
  const [first = '', ...others] = value.split(/\s+/);
  const isWord = (word: string) => /^[A-Za-z\d\u00aa-\uffff'’,.:;!?()"-]*$/.test(word);
  return others.length > 0 && !/\d/.test(first) && [first, ...others].every(isWord);
}

/** `AUTH_TOKEN = 'auth_token'` names a thing, it does not tell it. */
function isAboutItself(name: string, value: string): boolean {
  const [bareName, bareValue] = [name, value].map((text) => text.replace(/[^A-Za-z]/g, '').toLowerCase());
  if (!bareName || !bareValue || /\d|[^\w\s./:-]/.test(value)) return false;
  return bareName.endsWith(bareValue) || bareValue.endsWith(bareName);
}

const REFERENCE =
  /^(?:\$\{|\$\(|\$[A-Za-z_]\w*$|\{\{|\{[\w.]+\}$|<[^>]*>|&lt;|%[\w.]+%|%s$|%\(|#\{|!\w+\s|\[(?:redacted:|private\]|…)|(?:op|vault|ssm|file|arn|env|secretref):|(?:process\.env|os\.environ|import\.meta|secrets|env|config|settings|self|this|vars?)\b[.[]|your[-_ ]|[*•x.…X_-]{3,}$|\.{3}|…)/i;

const RESERVED =
  /^(?:null|nil|none|undefined|true|false|yes|no|on|off|string|str|text|number|integer|int|bool|boolean|bytes?|object|any|unknown|void|never|char|varchar|required|optional|hidden|password|passwd|secret|token|bearer|basic|key|apikey|api[-_]key|value|placeholder|redacted|default|empty|disabled|enabled|username|input|stdin|prompt|function|async|await|new|and|or|is|the|to|for|from|in|with|flag|option|argument|parameter|file)[\])};,.:!?]*$/i;

const VERSION = /^[\^~>=v]*\d+\.\d+(?:\.\d+)?(?:[-+][\w.+-]+)?$/;
const CALL = /^[A-Za-z_$][\w$.]*\(/;
const CONSTANT = /^[A-Z]+(?:_[A-Z]+)+$/;
const EXPRESSION = /[([{<]|^[A-Za-z_$][\w$]*(?:\??\.|::|->)[A-Za-z_$]|^[-+/]|=>/;
const PATH = /^(?:~|\.{0,2})\/[\w.-]+\/|^[A-Za-z]:\\/;
