import { isOpaqueWord, isRandom, isReference } from '../secret-values.ts';
import type { PlaceRule } from './place-rule.ts';

const QUOTE = `\\\\{0,8}["'\`]`;
const ARGUMENT = `\\s{0,9}(?:${QUOTE}[^"'\`\\\\\\n]{0,200}${QUOTE}|[\\w$.:>()-]{1,60})\\s{0,9},\\s{0,9}`;
const TELLING = '[\\w.\\[-]{0,60}(?:password|passwd|pwd|passphrase|secret|token|api[_-]?key|access[_-]?key)';

/** A pattern that is compiled on first use. */
function lazily(source: () => string): () => RegExp {
  let pattern: RegExp | undefined;
  return () => {
    pattern ??= new RegExp(source(), 'iy');
    return pattern;
  };
}

const isGiven = (value: string) => !isReference(value) && isRandom(value, 6);

/** Calls, statements and documents where the place of a value shows that it is a secret. */
export const codeRules = (): PlaceRule[] => [
  // `HTTPBasicAuth('robin', 'V')`, `auth=('robin', 'V')`
  {
    kind: 'password',
    anchors: ['auth', 'basic', 'credential', 'passwordauth', 'passwordcred'],
    needs: ',',
    pattern: lazily(
      () =>
        `((?:basic_?auth|auth|passwordauthentication|credentials?)(?:\\(|\\s?[=:]\\s?[([])${ARGUMENT}${QUOTE})([^"'\`\\\\\\n]{6,200})(?=${QUOTE}\\s{0,9}[)\\]])`,
    ),
    accepts: isGiven,
  },
  // `mysqli_connect('db', 'robin', 'V')`, `new PDO($dsn, 'robin', 'V')`
  {
    kind: 'password',
    anchors: ['mysqli', 'mysql_connect', 'pdo(', 'getconnection', 'oci_connect', 'ftp_login', 'ldap_bind'],
    needs: ',',
    pattern: lazily(
      () =>
        `((?:mysqli|mysqli_connect|mysqli_real_connect|mysql_connect|pdo|getConnection|oci_connect|ftp_login|ldap_bind)\\((?:${ARGUMENT}){2,3}?${QUOTE})([^"'\`\\\\\\n]{6,200})(?=${QUOTE}\\s{0,9}[,)])`,
    ),
    accepts: isGiven,
  },
  {
    kind: 'password',
    anchors: ['variable'],
    needs: 'default',
    pattern: lazily(
      () =>
        `(\\bvariable\\s{1,9}${QUOTE}${TELLING}${QUOTE}\\s{0,9}\\{[^{}]{0,400}?default\\s{0,40}=\\s{0,9}${QUOTE})([^"'\`\\\\\\n]{4,400})`,
    ),
    accepts: isGiven,
  },
  // A field of a submitted form.
  {
    kind: 'password',
    anchors: ['form-data'],
    pattern: lazily(
      () =>
        `(form-data;\\s{0,4}name=${QUOTE}${TELLING}\\]?${QUOTE}(?:(?:\\r?\\n|(?:\\\\{1,8}r)?\\\\{1,8}n)[+-]?){2})([^\\s"'\`\\\\]{3,400})`,
    ),
    accepts: (value) => !isReference(value),
  },
  // `{"value":"V","name":"DB_PASSWORD"}`
  {
    kind: 'password',
    anchors: ['"value', "'value"],
    pattern: lazily(
      () =>
        `(["']value${QUOTE}\\s{0,9}:\\s{0,9}${QUOTE})([^"'\`\\\\\\n]{4,400})(?=${QUOTE}\\s{0,9},\\s{0,80}${QUOTE}(?:name|key)${QUOTE}\\s{0,9}:\\s{0,9}${QUOTE}${TELLING}${QUOTE})`,
    ),
    accepts: isGiven,
  },
  // `Pwd={V};` in ODBC; in JSX the braces hold a name.
  {
    kind: 'password',
    anchors: ['pwd={', 'password={'],
    pattern: () => /((?:pwd|password)=\{)([^{}\s"'`\\]{6,200})(?=\})/iy,
    accepts: (value) => isGiven(value) && !/[.([]/.test(value),
  },
  {
    kind: 'key',
    anchors: ['_salt'],
    pattern: () =>
      /(_SALT(?<=\b(?:SECURE_AUTH|AUTH|LOGGED_IN|NONCE)_SALT)\\{0,8}["']\s{0,4},\s{0,20}\\{0,8}["'])([^'\n]{20,200}?)(?=\\{0,8}["']\s{0,4}\))/y,
    accepts: () => true,
  },
  {
    kind: 'key',
    anchors: ['[redacted:aws-key-id]'],
    pattern: () =>
      /(\[redacted:aws-key-id\](?:[\s,:;|/"'`]|\\{1,8}[nt"']){1,12})([A-Za-z0-9+/]{40})(?![A-Za-z0-9+/=])/y,
    accepts: () => true,
  },
  // A line of a cookie file.
  {
    kind: 'cookie',
    anchors: ['\tTRUE', '\tFALSE', '\\ttru', '\\tfal'],
    pattern: () =>
      /((?:\t|\\{1,8}t)(?:TRUE|FALSE)(?:\t|\\{1,8}t)\d{1,12}(?:\t|\\{1,8}t)[\w.%-]{1,80}(?:\t|\\{1,8}t))([^\s"'`\\]{16,4000})/y,
    accepts: (value) => isRandom(value, 16),
  },
  {
    kind: 'password',
    anchors: ['auth plain', 'auth login'],
    pattern: () => /(\bAUTH (?:PLAIN|LOGIN) )([A-Za-z0-9+/]{8,400}={0,2})(?![\w.])/y,
    accepts: (value) => isRandom(value, 8),
  },
  {
    kind: 'password',
    anchors: ['setuser'],
    pattern: () => /(SETUSER [\w.-]{1,40}[^\n>]{0,100} >)([^\s"'`\\]{8,200})/iy,
    accepts: (value) => isRandom(value, 8),
  },
  {
    kind: 'password',
    anchors: ['auth '],
    pattern: () => /(AUTH(?<!\wAUTH) [\w.-]{1,40} )([^\s"'`\\]{8,200})/y,
    accepts: isOpaqueWord,
  },
  // `send "V\r"` in an expect script.
  {
    kind: 'password',
    anchors: ['send'],
    pattern: () =>
      /(send(?<=(?<![A-Za-z])send|\\nsend)\s{1,4}(?:--\s{1,4})?\\{0,8}["'])([^"'\s\\]{6,200})(?=\\{1,8}[rn])/y,
    accepts: (value) => isRandom(value, 8),
  },
  // `log in as robin with V`
  {
    kind: 'password',
    anchors: ['login', 'log in', 'sign in', 'logged in'],
    pattern: () =>
      /((?:login|log in|sign in|logged in)\b[^\n"'`]{0,60}? (?:with|using|and|by) ["'`]?)([^\s"'`()/,\\]{8,100})(?![\w/])/iy,
    accepts: isOpaqueWord,
  },
];
