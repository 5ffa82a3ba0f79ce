export type SecretKind = 'password' | 'secret' | 'key' | 'token' | 'credential';

/**
 * The kind of secret in a variable, field, header or option of this name, if any: `DB_PASSWORD`, `clientSecret`,
 * `x-api-key`. The last word decides, so `token_count`, `passwordField` and `secret-name` do not count.
 */
export function secretKind(name: string): SecretKind | undefined {
  if (!TELLING.test(name) || !NAME.test(name)) return undefined;
  const words = wordsOf(name);
  while (words.length > 1 && DECORATION.test(words.at(-1) ?? '')) words.pop();
  // `client-key-data` and `privateKeyPem`, not `password_data`.
  if (words.length > 2 && words.at(-2) === 'key' && /^(?:data|pem|material)$/.test(words.at(-1) ?? ''))
    words.pop();
  const last = words.at(-1) ?? '';
  const before = words.at(-2) ?? '';
  if (
    /(?:password|passwd|passphrase|passcode|passwort|kennwort|wachtwoord|contraseña|senha|passwrd|pswd)$/.test(
      last,
    )
  )
    return 'password';
  if (last === 'psk') return 'password';
  if (last === 'pwd') return before === 'old' ? undefined : 'password';
  if (/^(?:pass|pw)$/.test(last)) return ACCOUNTS.test(before) ? 'password' : undefined;
  if (GLUED_PASSWORD.test(last)) return 'password';
  if (GLUED_KEY.test(last)) return 'key';
  if (last === 'key') return KEYS.test(before) ? 'key' : undefined;
  if (/secret$/.test(last)) return 'secret';
  if (/token$/.test(last) || last === 'jwt') return 'token';
  if (last === 'pat' && words.length > 1) return 'token';
  if (/^cred(?:ential)?s?$/.test(last) || (last === 'auth' && words.length < 3)) return 'credential';
  return undefined;
}

/**
 * A variable such as `MISTRAL_KEY` or `ansible_become_pass`. Names of vendors and accounts cannot all be listed, so
 * the value must also look random.
 */
export function mayHoldKey(name: string): boolean {
  if (/[a-z]_pass$|^(?:pass|pw)$|(?:^| )(?:my|your|our) key$/i.test(name)) return true;
  return /^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*_KEY$/.test(name) && !HARMLESS_KEY.test(name);
}

const HARMLESS_KEY =
  /(?:^|_)(?:PUBLIC|PUB|CACHE|PRIMARY|FOREIGN|SORT|PARTITION|HASH|INDEX|IDEMPOTENCY|OBJECT|S3|ROW|QUERY|GROUP|EVENT|LOCK|STORAGE|MAP|SEARCH|HOT|SHORTCUT)_KEY$/;

/** Most names contain none of these and do not need to be split. */
const TELLING = /pass|kennwort|wachtwoord|contrase|senha|pw|pswd|secret|token|key|cred|auth|jwt|psk|pat\b/i;
const NAME = /^[\wñ$./: -]{1,160}$/;

/** Words after the significant one that do not change its meaning: `SECRET_KEY_BASE`, `password2`, `TOKEN_PROD`. */
const DECORATION =
  /^(?:\d+|b64|base64|base|prod|production|dev|staging|live|test|value|plain|plaintext|raw|text|string|new|old|current|confirm|confirmation|primary|secondary|default|main|local|admin|ro|rw|readonly)$/;

const ACCOUNT_WORDS =
  'db|database|user|smtp|imap|mail|email|mysql|pg|postgres|mongo|redis|ftp|sftp|ssh|admin|root|sql|http|https|proxy|basic|auth|login|rabbitmq|amqp|ldap|bind|wifi|sudo|registry|docker|store|cert|vpn|mqtt|kafka|elastic|oracle|account|service|master|host|client|server|require|keystore|truststore|src|dest|my|backup|archive';
/** Before a bare `pass`: `smtp_pass` is a password, `first_pass` is not. */
const ACCOUNTS = new RegExp(`^(?:${ACCOUNT_WORDS}|key)$`);
const GLUED_PASSWORD = new RegExp(`^(?:${ACCOUNT_WORDS}|key|deststore|srcstore)(?:pass|pw|pwd)$`);

const KEY_WORDS =
  'api|access|secret|private|signing|encryption|encrypt|decryption|auth|account|master|service|session|app|application|client|license|licence|storage|shared|admin|deploy|subscription|function|functions|sas|consumer|hmac|jwt|cipher|aes|webhook|ingest|ingestion|instrumentation|write|integration|server|role|project|root|developer|registration|activation|routing|wallet|preshared|symmetric|bot|personal|management';
/** Before `key`: `signing_key` is a secret, `cache_key` and `public_key` are not. */
const KEYS = new RegExp(`^(?:${KEY_WORDS})$`);
const GLUED_KEY =
  /(?:api|access|secret|private|auth|account|master|signing|encryption|license|shared|storage)key$/;

function wordsOf(name: string): string[] {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .replace(/([A-Za-z])(\d+)$/, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9ñ]+/)
    .filter((word) => word !== '');
}
