/*
 * Made-up secrets in the forms that vendors publish, and harmless texts that look like them. Each secret is put
 * together here to keep scanners from reporting this file.
 */

export interface SecretShape {
  name: string;
  /** The bytes that must not be stored. */
  secret: string;
  /** The secret in a text as it occurs in practice. */
  text: string;
}

const mixed = (length: number) => 'a1B2c3D4e5F6g7H8i9J0kLmNoPqRsTuVwXyZ'.repeat(8).slice(0, length);
const upper = (length: number) => 'Q7W3E9R2T5Y8U4I6O1P0'.repeat(8).slice(0, length);
const hex = (length: number) => '3f9a0c7be1d24856'.repeat(16).slice(0, length);
const braced = (expression: string) => `\${${expression}}`;
const uuid = [hex(8), hex(4), hex(4), hex(4), hex(12)].join('-');
const base64Lines = (count: number) =>
  Array.from({ length: count }, (_, i) => `MIIEv${i}${mixed(58)}`).join('\n');
const pem = (label: string, body: string) =>
  ['-----BEGIN', `${label}-----\n${body}\n-----END`, `${label}-----`].join(' ');

/** A secret with a recognisable form, in a natural text. */
function token(name: string, secret: string, text = (it: string) => `use ${it} for this`): SecretShape {
  return { name, secret, text: text(secret) };
}

/** A secret that only its surroundings reveal. */
function inContext(name: string, secret: string, before: string, after = ''): SecretShape {
  return { name, secret, text: before + secret + after };
}

const rsaBody = base64Lines(12);
const pgpBody = `Version: GnuPG v2\n\n${base64Lines(6)}\n=a1B2`;

export const secretShapes: SecretShape[] = [
  token('GitHub personal token', `ghp_${mixed(36)}`, (it) => `export GITHUB_TOKEN=${it}`),
  token(
    'GitHub app token',
    `ghs_${mixed(36)}`,
    (it) => `git clone https://x-access-token:${it}@github.com/a/b`,
  ),
  token('GitHub fine-grained token', `github_pat_${mixed(22)}_${mixed(59)}`),
  token('GitLab token', `glpat-${mixed(20)}`, (it) => `PRIVATE-TOKEN: ${it}`),
  token('Bitbucket app password', `ATBB${mixed(32)}`),
  token('Atlassian token', `ATATT3${mixed(80)}=1A2B3C4D`),
  token('npm token', `npm_${mixed(36)}`, (it) => `//registry.example.org/:_authToken=${it}`),
  token('PyPI token', `pypi-AgE${mixed(60)}`),
  token('RubyGems key', `rubygems_${hex(48)}`),
  token('crates.io token', `cio${mixed(32)}`, (it) => `cargo login ${it}`),
  token('Docker Hub token', `dckr_pat_${mixed(27)}`, (it) => `docker login -u me -p ${it}`),
  token('AWS key id', `AKIA${upper(16)}`, (it) => `aws_access_key_id = ${it}`),
  inContext('AWS secret key', `${mixed(20)}/K7MD+${mixed(14)}`, 'AWS_SECRET_ACCESS_KEY='),
  inContext('AWS session token', `IQoJb3JpZ2luX2Vj${mixed(60)}==`, 'export AWS_SESSION_TOKEN="', '"'),
  token('Google API key', `AIza${mixed(35)}`, (it) => `https://maps.example.com/js?key=${it}&v=3`),
  token('Google OAuth token', `ya29.${mixed(60)}`),
  token('Google client secret', `GOCSPX-${mixed(28)}`),
  inContext('Azure storage key', `${mixed(86)}==`, 'AccountName=acc;AccountKey=', ';EndpointSuffix=core'),
  inContext(
    'Azure SAS signature',
    `${mixed(30)}%2B${mixed(8)}%3D`,
    'https://a.example.net/b?sv=2022-11-02&sig=',
  ),
  token('DigitalOcean token', `dop_v1_${hex(64)}`),
  token('Databricks token', `dapi${hex(32)}`),
  token('Terraform Cloud token', `${mixed(14)}.atlasv1.${mixed(67)}`),
  token('HashiCorp Vault token', `hvs.${mixed(90)}`, (it) => `vault login ${it}`),
  token('Pulumi token', `pul-${hex(40)}`),
  token('Supabase token', `sbp_${hex(40)}`),
  token('PlanetScale password', `pscale_pw_${mixed(43)}`),
  token('Tailscale key', `tskey-auth-${mixed(12)}-${mixed(32)}`),
  token('age key', `AGE-SECRET-KEY-1${upper(58)}`),
  token('Anthropic key', `sk-ant-api03-${mixed(93)}AA`, (it) => `ANTHROPIC_API_KEY: ${it}`),
  token(
    'OpenAI project key',
    `sk-proj-${mixed(74)}T3BlbkFJ${mixed(74)}`,
    (it) => `new OpenAI({ apiKey: '${it}' })`,
  ),
  token('OpenAI key', `sk-${mixed(20)}T3BlbkFJ${mixed(20)}`),
  token('OpenRouter key', `sk-or-v1-${hex(64)}`),
  token('Hugging Face token', `hf_${mixed(34)}`),
  token('Groq key', `gsk_${mixed(52)}`),
  token('Replicate token', `r8_${mixed(37)}`),
  token('Perplexity key', `pplx-${mixed(48)}`),
  token('LangSmith key', `lsv2_pt_${hex(32)}_${hex(10)}`),
  token('Stripe live key', `sk_live_${mixed(24)}`, (it) => `curl https://api.example.com -u ${it}:`),
  token('Stripe restricted key', `rk_test_${mixed(40)}`),
  token('webhook secret', `whsec_${mixed(32)}`),
  token('Shopify token', `shpat_${hex(32)}`),
  token('Slack bot token', `xoxb-${'1234567890'}-${'1234567890123'}-${mixed(24)}`),
  token('Slack app token', `xapp-1-A0${upper(9)}-1234567890123-${hex(64)}`),
  {
    name: 'Slack webhook',
    secret: `T${upper(8)}/B${upper(8)}/${mixed(24)}`,
    text: `https://hooks.slack.com/services/T${upper(8)}/B${upper(8)}/${mixed(24)}`,
  },
  inContext('Discord bot token', `${mixed(30)}`, `DISCORD=MT${mixed(22)}.GhIjKl.`),
  inContext('Telegram bot token', `AA${mixed(33)}`, 'https://api.telegram.org/bot123456789:', '/getMe'),
  token('SendGrid key', `SG.${mixed(22)}.${mixed(43)}`),
  token('Mailgun key', `key-${hex(32)}`),
  token('Resend key', `re_${mixed(8)}_${mixed(24)}`),
  token('Twilio key', `SK${hex(32)}`),
  token('Linear key', `lin_api_${mixed(40)}`),
  token('Notion token', `ntn_${mixed(46)}`),
  token('Figma token', `figd_${mixed(40)}`),
  token('Airtable token', `pat${mixed(14)}.${hex(64)}`),
  token('Postman key', `PMAK-${hex(24)}-${hex(34)}`),
  token('New Relic key', `NRAK-${upper(27)}`),
  token('Grafana token', `glsa_${mixed(32)}_${hex(8)}`),
  token('Sentry token', `sntrys_${mixed(60)}`),
  token('SonarQube token', `squ_${hex(40)}`),
  token('LaunchDarkly key', `sdk-${uuid}`),
  token(
    'JSON web token',
    `eyJ${mixed(33)}.eyJ${mixed(60)}.${mixed(43)}`,
    (it) => `Authorization: Bearer ${it}`,
  ),
  inContext(
    'RSA key',
    rsaBody,
    '-----BEGIN' + ' RSA PRIVATE KEY-----\n',
    '\n-----END' + ' RSA PRIVATE KEY-----',
  ),
  { name: 'OpenSSH key', secret: rsaBody, text: `cat id\n${pem('OPENSSH PRIVATE KEY', rsaBody)}\ndone` },
  { name: 'PGP key', secret: base64Lines(6), text: pem('PGP PRIVATE KEY BLOCK', pgpBody) },
  inContext('key without its end', base64Lines(3), '-----BEGIN' + ' EC PRIVATE KEY-----\n'),
  inContext('key without its beginning', base64Lines(3), '', '\n-----END' + ' EC PRIVATE KEY-----'),
  inContext(
    'messaging token of Claude Code',
    hex(48),
    'CLAUDECODE=1\nCLAUDE_CODE_MESSAGING_TOKEN=',
    '\nSHLVL=2',
  ),
  inContext('password in a URL', 'Tr0ub4dor&3', 'DATABASE_URL=postgres://app:', '@db.internal:5432/app'),
  inContext('password with an at sign in a URL', 'p@ss9word', 'amqp://guest:', '@mq:5672'),
  inContext('password without a user in a URL', 'swordfish77', 'redis://:', '@cache:6379/0'),
  inContext(
    'plain password in a URL',
    'opensesame',
    'git remote add o https://me:',
    '@git.example.com/r.git',
  ),
  inContext('API key in a query', 'zz81kd02mmq', 'GET /v1/items?page=2&api_key=', '&sort=asc'),
  inContext('access token in a query', mixed(32), 'https://api.example.com/me?access_token='),
  inContext('password in an env line', 'hunter2!', 'export DB_PASSWORD='),
  inContext('plain password in an env line', 'correcthorse', 'POSTGRES_PASSWORD=', '\nPOSTGRES_USER=app'),
  inContext('quoted password in an env line', "it's 5 o'clock", 'MYSQL_ROOT_PASSWORD="', '"'),
  inContext('secret in an env line', 'kept-under-the-mat', 'SESSION_SECRET='),
  inContext('YAML secret', 'b3k9-qq01-zz', 'env:\n  FOO_SECRET: ', '\n  PORT: 80'),
  inContext('YAML password', 'hunter2!', 'database:\n  user: app\n  password: ', '\n  port: 5432'),
  inContext('Kubernetes secret', 'aHVudGVyMiE5OQ==', 'kind: Secret\ndata:\n  password: '),
  inContext('docker -e', 'n0tForYou', 'docker run --rm -e API_TOKEN=', ' image:latest'),
  inContext('docker ENV', 'n0tForYou', 'FROM node\nENV NODE_AUTH_TOKEN=', '\nRUN npm ci'),
  inContext('bearer header', mixed(24), 'curl -H "Authorization: Bearer ', '" https://api.example.com'),
  inContext('basic header', 'dXNlcjpwYXNzd29yZA==', 'Authorization: Basic ', '\r\nAccept: */*'),
  inContext('token header', hex(40), '"Authorization": "token ', '"'),
  inContext('API key header', 'q8w7e6r5t4y3', 'X-Api-Key: '),
  inContext('cookie header', 'sid=s%3A9f8e7d6c5b', 'GET / HTTP/1.1\nCookie: ', '\nHost: example.com'),
  inContext('password option with =', 'hunter2!', 'tool --user me --password=', ' --verbose'),
  inContext('password option', 'swordfish', 'tool --password ', ' run'),
  inContext('quoted password option', 'open sesame 9', "tool --db-password '", "' run"),
  inContext('token option', 'abc123def456', 'deploy --token ', ' --prod'),
  inContext('curl -u', 's3same!', 'curl -sS -u admin:', ' https://example.com/x'),
  inContext('curl --user', 'opensesame', 'curl -X POST --user "admin:', '" https://example.com/x'),
  inContext('mysql -p', 'sesame99', 'mysql -h db -u root -p', ' app'),
  inContext('sshpass', 'sesame', 'sshpass -p ', ' ssh me@host'),
  inContext('PGPASSWORD', 'sesame', 'PGPASSWORD=', ' psql -h db app'),
  inContext('netrc', 'sesame-42', 'machine example.com login me password '),
  inContext('connection string', 'P@ssw0rd!', 'Server=db;User Id=sa;Password=', ';Encrypt=true'),
  inContext('password in code', 'hunter2!', 'const client = connect({ user: "app", password: "', '" });'),
  inContext('password which repeats its name', 'Password12', 'DB_PASSWORD='),
  inContext('password behind a telling word', 'my-real-pass9', 'admin_password: "', '"'),
  inContext('typed password in code', 'swordfish', "const password: string = '", "';"),
  inContext('keyword argument', 'sw0rdfish', 'login(user="me", password="', '")'),
  inContext('key in code', 'a8f5f167f44f4964', "config['apiKey'] = '", "';"),
  inContext('setter in code', 'a8f5f167f44f4964', 'headers.set("X-Api-Key", "', '");'),
  inContext('client secret in JSON', '8e2b-77af-190c', '{"client_id":"web","client_secret":"', '"}'),
  inContext('password in XML', 'sw0rdfish', '<server><id>x</id><password>', '</password></server>'),
  inContext('TOML key', 'zx81zx82zx83', '[api]\nsecret_key = "', '"\n'),
  inContext('WireGuard key', `${mixed(42)}8=`, '[Interface]\nPrivateKey = '),
  inContext('docker config', 'bWU6b3BlbnNlc2FtZQ==', '{"auths":{"r.example.com":{"auth":"', '"}}}'),
  inContext('password in prose', 'Tr0ub4dor&3', 'the database password is ', ' and the user is app'),
];

export const lookAlikes: { name: string; text: string }[] = [
  { name: 'git hash', text: `commit ${hex(40)}` },
  { name: 'git hash in JSON', text: `{"sha":"${hex(40)}","parents":["${hex(40)}"]}` },
  { name: 'sha256', text: `sha256:${hex(64)}` },
  { name: 'sha256sum output', text: `${hex(64)}  dist/cli.mjs` },
  { name: 'UUID', text: `session_id: ${uuid}` },
  { name: 'lock file integrity', text: `"integrity": "sha512-${mixed(86)}=="` },
  { name: 'semantic version', text: '"version": "1.24.0-beta.3+build.7"' },
  { name: 'Claude tool id', text: 'tool_use_id: toolu_01A09q90qw90lq917835lq9' },
  { name: 'Claude message id', text: '"id":"msg_01XFDUDYJgAACzvnptvVoYEL"' },
  { name: 'request id', text: 'request-id: req_011CSHoEeqs5C35K2UUqR7Fy' },
  { name: 'file path', text: '/home/me/project/src/auth/token-store.ts:42:7' },
  { name: 'path under a telling name', text: 'PASSWORD_FILE=/run/secrets/db_password' },
  { name: 'working directory', text: 'PWD=/home/me/project\nOLDPWD=/home/me' },
  { name: 'camelCase name', text: 'const key = getApiKey(); setAccessToken(value1);' },
  { name: 'type', text: 'interface Login { user: string; password: string; token?: string | undefined }' },
  { name: 'Python type', text: 'def login(user: str, password: str = None, token: Optional[str] = None):' },
  {
    name: 'Rust type',
    text: 'struct Auth { token: Option<String>, secret_key: [u8; 32], password: String }',
  },
  { name: 'call', text: 'const token = getToken();' },
  { name: 'await', text: 'const accessToken = await auth.fetchToken2(user1);' },
  { name: 'env read', text: 'const key = process.env.API_KEY;' },
  { name: 'env read in Python', text: 'api_key = os.environ["API_KEY"]' },
  { name: 'field copied', text: 'new Client({ apiKey: config.apiKey, password: options.password })' },
  { name: 'keyword copied', text: 'connect(user=user, password=password, token=self.token)' },
  { name: 'schema', text: 'z.object({ password: z.string().min(8), token: z.string().uuid() })' },
  { name: 'JSON schema', text: '{"properties":{"password":{"type":"string"},"token":{"type":"string"}}}' },
  { name: 'placeholder', text: 'export API_KEY=<YOUR_API_KEY>' },
  { name: 'placeholder in quotes', text: 'api_key: "your-api-key-here"' },
  { name: 'masked', text: 'GITHUB_TOKEN=********' },
  { name: 'dotted key in prose', text: 'Keys begin with sk-... or sk-ant-... and are shown once.' },
  {
    name: 'prefix in prose',
    text: 'A GitHub token starts with ghp_ or github_pat_, a Slack one with xoxb-.',
  },
  { name: 'variable', text: 'curl -H "Authorization: Bearer $TOKEN" -u "$USER:$PASS" https://example.com' },
  { name: 'template', text: `headers: { Authorization: \`Bearer ${braced('token')}\` }` },
  { name: 'concatenation', text: "headers['Authorization'] = 'Bearer ' + token;" },
  { name: 'workflow secret', text: `GITHUB_TOKEN: ${braced('{ secrets.GITHUB_TOKEN }')}` },
  { name: 'shell default', text: `TOKEN="${braced('TOKEN:-')}"; PASSWORD=$(cat /run/secret)` },
  { name: 'token count', text: 'token_count: 1234' },
  { name: 'token limit', text: 'max_tokens=4096' },
  { name: 'tokens', text: '{"tokens": 512, "input_tokens": 20481, "max_token": 4096}' },
  { name: 'constant', text: "export const AUTH_TOKEN = 'auth_token';" },
  { name: 'action name', text: "const SET_TOKEN = 'session/setToken';" },
  { name: 'parser token', text: '{ token: "comment.block", foreground: "6a737d" }' },
  { name: 'cache key', text: 'cacheKey: "user:1234:profile:v2"' },
  { name: 'public key', text: `publicKey: "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI${mixed(43)}"` },
  { name: 'package named after passwords', text: '"secretlint-rule-1password": "^11.7.1"' },
  {
    name: 'list of names',
    text: "const fields = ['username', 'password', 'certfile', 'token', 'keyfile2'];",
  },
  { name: 'URL grammar', text: 'http://[<user>[:<password>]@]<host>[:<port>]' },
  {
    name: 'minified code',
    text: 'x={onToken:null,onComment:null,ranges:!1,program:e1};y.password=t.password,z=2',
  },
  {
    name: 'option about passwords',
    text: 'use --password to set it, or --password-stdin, or --token <token>',
  },
  { name: 'label', text: '{"password": "Forgot your password?", "confirmPassword": "Confirm password"}' },
  { name: 'message', text: 'throw new Error("Invalid password: must have at least 8 characters");' },
  {
    name: 'prose about passwords',
    text: 'The password is required and the token is base64-encoded; see RFC7519.',
  },
  { name: 'test for a password field', text: '<input type="password" name="password" id="password1">' },
  { name: 'URL with a port', text: 'http://localhost:3000/@vite/client and ssh://git@github.com:22/a/b.git' },
  { name: 'image digest', text: `oci://registry/app:v1.2.3@sha256:${hex(64)}` },
  {
    name: 'error code in a query',
    text: 'https://example.com/cb?code=invalid_request_error&key=documentation-index',
  },
  {
    name: 'URL with variables',
    text: `postgres://${braced('USER')}:${braced('PASSWORD')}@localhost:5432/db`,
  },
  { name: 'mail address', text: 'Mail: someone@example.com, see https://example.com/a@2.0.0/index.js' },
  { name: 'docker user', text: 'docker run --user 1000:1000 -u node:node image' },
  { name: 'tar and mkdir options', text: 'mkdir -p src/capture && cp -p a b && tar -xzpf x.tgz' },
  { name: 'mysql asks', text: 'mysql -u root -p app' },
  {
    name: 'PEM in code',
    text: "const begin = '-----BEGIN PRIVATE KEY-----', end = '-----END PRIVATE KEY-----';",
  },
  { name: 'cookie in code', text: "const cookie = req.headers.cookie; res.cookie('theme', 'dark');" },
  {
    name: 'markdown',
    text: '## Tokens\n\n- **token**: what the lexer yields\n- `secret`: see [Secrets](./secrets.md#v2)',
  },
  { name: 'Chinese', text: '请先设置密码：密码不能为空。token 的数量是 1234，见第 2 章。' },
  { name: 'Japanese', text: 'パスワードを入力してください。トークン数：512' },
  {
    name: 'diff of a lock file',
    text: `+    "resolved": "https://example.org/a/-/a-1.2.3.tgz",\n-    "shasum": "${hex(40)}"`,
  },
  { name: 'ISO time', text: '2026-01-02T03:04:05.678Z INFO auth: token refreshed in 12ms' },
  { name: 'key press', text: 'onKeyDown={(e) => e.key === "Enter" && submit()}' },
  { name: 'i18n key', text: 't("auth.password.reset.title")' },
  { name: 'CSS', text: '.token.keyword { color: #07a; } .token.string { color: #690 }' },
];
