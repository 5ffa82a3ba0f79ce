import { type DrawnShape, shapesOf } from './shape.ts';

const keyLines = (lines: number, line: () => string) => Array.from({ length: lines }, line).join('\n');
const pem = (label: string, body: string) =>
  ['-----BEGIN', `${label}-----\n${body}\n-----END`, `${label}-----`].join(' ');

/** Secrets in addresses, headers, statements and key files. */
export const placeShapes: DrawnShape[] = shapesOf({
  'password in a URL': [(d) => d.mixed(12), (v) => `DATABASE_URL=postgres://app:${v}@db.internal:5432/app`],
  'password with a sign in a URL': [(d) => `${d.mixed(6)}@${d.mixed(5)}`, (v) => `amqp://guest:${v}@mq:5672`],
  'password with a slash in a URL': [
    (d) => `${d.mixed(6)}/${d.mixed(6)}`,
    (v) => `postgres://app:${v}@db/app`,
  ],
  'password without a user in a URL': [(d) => d.mixed(16), (v) => `redis://:${v}@cache:6379/0`],
  'MongoDB URL': [(d) => d.mixed(16), (v) => `mongodb+srv://app:${v}@cluster0.example.net/test`],
  'git credentials': [(d) => d.mixed(20), (v) => `https://me:${v}@git.example.com`],
  'token as the user of a URL': [(d) => d.mixed(40), (v) => `git clone https://${v}@github.com/a/b.git`],
  'token with x-oauth-basic': [(d) => d.hex(40), (v) => `https://${v}:x-oauth-basic@github.com/a/b.git`],
  'Sentry DSN': [(d) => d.hex(32), (v) => `https://${v}@o12345.ingest.sentry.io/67890`],
  'short token as the user of a URL': [
    (d) => `k${d.digits(2)}x${d.digits(3)}q${d.lower(3)}${d.digits(2)}`,
    (v) => `git clone https://${v}@github.com/a/b.git`,
  ],
  'short Sentry DSN': [(d) => d.hex(12), (v) => `SENTRY_DSN=https://${v}@o1.ingest.us.sentry.io/1`],
  'Sentry DSN with a secret': [(d) => d.hex(12), (v) => `https://${v}:x@sentry.io/1`],
  'DSN of an own server': [(d) => d.letters(12), (v) => `init({ dsn: "https://${v}@errors.example.com/7" })`],
  'DSN of Go for MySQL': [(d) => d.mixed(10), (v) => `DB_DSN=app:${v}@tcp(db:3306)/shop?parseTime=true`],
  'JDBC URL': [(d) => d.mixed(12), (v) => `jdbc:postgresql://db/app?user=x&password=${v}&ssl=true`],
  'JDBC Oracle': [(d) => d.mixed(12), (v) => `jdbc:oracle:thin:scott/${v}@db:1521:orcl`],
  'ODBC string': [
    (d) => d.password().replaceAll(/[=;]/g, 'x'),
    (v) => `Driver={x};Server=db;Uid=sa;Pwd=${v};`,
  ],
  'libpq string': [(d) => d.mixed(12), (v) => `host=db user=app password=${v} dbname=app`],
  'libpq string, letters only': [(d) => d.letters(12), (v) => `host=db user=app password=${v} dbname=app`],
  '.NET string': [(d) => d.mixed(14), (v) => `Server=db;Database=x;User Id=sa;Password=${v};Encrypt=true`],
  'query key': [(d) => d.mixed(20), (v) => `GET /v1/items?page=2&api_key=${v}&sort=asc`],
  'query token': [(d) => d.safe(32), (v) => `https://api.example.com/me?access_token=${v}`],
  'signed URL': [(d) => d.hex(64), (v) => `https://b.example.com/o?X-Amz-Signature=${v}&x=1`],
  'Azure SAS': [(d) => `${d.mixed(40)}%3D`, (v) => `https://a.example.net/b?sv=2022-11-02&sig=${v}`],
  'Slack webhook': [
    (d) => `T${d.upper(10)}/B${d.upper(10)}/${d.mixed(24)}`,
    (v) => `curl https://hooks.slack.com/services/${v}`,
  ],
  'Discord webhook': [(d) => `${d.digits(18)}/${d.safe(68)}`, (v) => `https://discord.com/api/webhooks/${v}`],
  'Telegram bot token': [
    (d) => `AA${d.safe(33)}`,
    (v, d) => `https://api.telegram.org/bot${d.digits(10)}:${v}/getMe`,
  ],
  'Teams webhook': [
    (d) => `${d.uuid()}@${d.uuid()}/IncomingWebhook/${d.hex(32)}/${d.uuid()}`,
    (v) => `https://x.webhook.office.com/webhookb2/${v}`,
  ],
  'bearer header': [(d) => d.safe(24), (v) => `curl -H "Authorization: Bearer ${v}" https://api.example.com`],
  'basic header': [
    (d) => Buffer.from(`user:${d.mixed(12)}`).toString('base64'),
    (v) => `Authorization: Basic ${v}\r\nAccept: */*`,
  ],
  'token header': [(d) => d.hex(40), (v) => `"Authorization": "token ${v}"`],
  'API key header': [(d) => d.mixed(16), (v) => `X-Api-Key: ${v}`],
  'vendor header': [(d) => d.mixed(20), (v) => `PRIVATE-TOKEN: ${v}`],
  'cookie header': [(d) => `sid=s%3A${d.mixed(20)}`, (v) => `GET / HTTP/1.1\nCookie: ${v}\nHost: x`],
  'set-cookie header': [(d) => `sid=${d.mixed(24)}`, (v) => `Set-Cookie: ${v}; Path=/; HttpOnly`],
  'SQL user': [(d) => d.password(), (v) => `CREATE USER app WITH ENCRYPTED PASSWORD '${v}';`],
  'SQL role': [(d) => d.letters(10), (v) => `ALTER ROLE app PASSWORD '${v}';`],
  'MySQL user': [(d) => d.password(), (v) => `CREATE USER 'app'@'%' IDENTIFIED BY '${v}';`],
  'MySQL plugin': [
    (d) => d.password(),
    (v) => `ALTER USER x IDENTIFIED WITH mysql_native_password BY '${v}'`,
  ],
  'MySQL set password': [(d) => d.password(), (v) => `SET PASSWORD FOR 'app'@'%' = '${v}';`],
  'MySQL password function': [(d) => d.password(), (v) => `SET PASSWORD = PASSWORD('${v}');`],
  'SQL Server login': [(d) => d.password(), (v) => `CREATE LOGIN app WITH PASSWORD = '${v}';`],
  'pgpass line': [(d) => d.mixed(14), (v) => `db.example.com:5432:app:admin:${v}\n`],
  'pgpass line with stars': [(d) => d.mixed(14), (v) => `*:*:*:postgres:${v}`],
  'shadow line': [(d) => `$6$${d.mixed(16)}$${d.mixed(86)}`, (v) => `root:${v}:19000:0:99999:7:::`],
  'htpasswd line': [(d) => `$apr1$${d.mixed(8)}$${d.mixed(22)}`, (v) => `admin:${v}`],
  'JSON web key': [(d) => d.safe(43), (v) => `{"kty":"EC","crv":"P-256","x":"abc","d":"${v}"}`],
  'symmetric web key': [(d) => d.safe(43), (v) => `{"kty":"oct","k":"${v}","alg":"HS256"}`],
  mnemonic: [(d) => d.words(12).join(' '), (v) => `mnemonic: "${v}"`],
  'long mnemonic': [(d) => d.words(24).join(' '), (v) => `My seed phrase is: ${v}`],
  'recovery phrase': [(d) => d.words(12).join(' '), (v) => `Recovery phrase:\n${v}\n`],
  'service account key': [
    (d) => keyLines(4, () => d.base64(64)).replaceAll('\n', '\\n'),
    (v) =>
      `{"type":"service_account","private_key":"${pem('PRIVATE KEY', 'X').replace('X', v).replaceAll('\n', '\\n')}"}`,
  ],
  'RSA key': [(d) => keyLines(6, () => d.base64(64)), (v) => pem('RSA PRIVATE KEY', v)],
  'OpenSSH key in a patch': [
    (d) => keyLines(6, () => d.base64(70)),
    (v) => pem('OPENSSH PRIVATE KEY', v).replaceAll(/^/gm, '+'),
  ],
  'key without its end': [
    (d) => keyLines(3, () => d.base64(64)),
    (v) => `-----BEGIN${' EC PRIVATE KEY-----'}\n${v}`,
  ],
  'key without its beginning': [
    (d) => keyLines(3, () => d.base64(64)),
    (v) => `${v}\n-----END${' EC PRIVATE KEY-----'}`,
  ],
  'key without its lines': [
    (d) => `b3BlbnNzaC1rZXktdjEAAAAA${d.base64(46)}\n${d.base64(70)}`,
    (v) => `cat key\n${v}\n`,
  ],
  'PuTTY key': [
    (d) => keyLines(4, () => d.base64(64)),
    (v) => `PuTTY-User-Key-File-3: ssh-rsa\nPublic-Lines: 1\nAAAA\nPrivate-Lines: 4\n${v}\nPrivate-MAC: 00`,
  ],
});
