export type SecretKind = 'password' | 'secret' | 'key' | 'token' | 'credential';

/**
 * What a variable, field, header or option of this name holds, if it holds a secret: `DB_PASSWORD`,
 * `clientSecret`, `x-api-key`. The last word decides, so that `token_count`, `passwordField` and
 * `secret-name` are not taken for secrets.
 */
export function secretKind(name: string): SecretKind | undefined {
  if (!TELLING.test(name) || !NAME.test(name)) return undefined;
  const words = wordsOf(name);
  while (words.length > 1 && DECORATION.test(words.at(-1) ?? '')) words.pop();
  const last = words.at(-1) ?? '';
  const before = words.at(-2) ?? '';
  if (/(?:password|passwd|passphrase|passcode)$/.test(last)) return 'password';
  if (last === 'pwd') return before === 'old' ? undefined : 'password';
  if (/^(?:pass|pw)$/.test(last)) return ACCOUNTS.test(before) ? 'password' : undefined;
  if (/(?:api|access|secret|private|auth)key$/.test(last)) return 'key';
  if (last === 'key') return KEYS.test(before) ? 'key' : undefined;
  if (/secret$/.test(last)) return 'secret';
  if (/token$/.test(last) || last === 'jwt') return 'token';
  if (/^credentials?$/.test(last) || (last === 'auth' && words.length < 3)) return 'credential';
  return undefined;
}

/** Most names hold none of these, and need not be taken apart. */
const TELLING = /pass|pw|secret|token|key|credential|auth|jwt/i;
const NAME = /^[\w$./: -]{1,160}$/;

/** Words behind the telling one which change nothing: `SECRET_KEY_BASE`, `password2`, `TOKEN_PROD`. */
const DECORATION =
  /^(?:\d+|b64|base64|base|prod|production|dev|staging|live|test|value|plain|plaintext|raw|text|new|old|current|confirm|confirmation|primary|secondary|default)$/;

/** Before a bare `pass`: `smtp_pass` is a password, `first_pass` is not. */
const ACCOUNTS =
  /^(?:db|database|user|smtp|imap|mail|email|mysql|pg|postgres|mongo|redis|ftp|sftp|ssh|admin|root|sql|http|https|proxy|basic|auth|login|rabbitmq|amqp|ldap|wifi|sudo|registry|docker|store|cert)$/;

/** Before `key`: `signing_key` is a secret, `cache_key` and `public_key` are not. */
const KEYS =
  /^(?:api|access|secret|private|signing|encryption|encrypt|decryption|auth|account|master|service|session|app|application|client|license|storage|shared|admin|deploy|subscription|function|sas|consumer|hmac|jwt|cipher|aes|webhook|ingest|ingestion|instrumentation|write|integration|server|role|project|root)$/;

function wordsOf(name: string): string[] {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .replace(/([A-Za-z])(\d+)$/, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '');
}
