import type { Draw } from './draw.ts';

const braced = (expression: string) => `\${${expression}}`;

/** Harmless texts with random parts; none of them may change. */
export const drawnLookAlikes: Record<string, (draw: Draw) => string> = {
  'git hash': (d) => `commit ${d.hex(40)}\nAuthor: Ada <ada@example.com>`,
  'short git hashes': (d) => `${d.hex(7)}..${d.hex(7)}  main -> origin/main`,
  sha256: (d) => `${d.hex(64)}  dist/cli.mjs`,
  'image digest': (d) => `FROM node@sha256:${d.hex(64)}`,
  integrity: (d) => `"integrity": "sha512-${d.base64(86)}=="`,
  'yarn checksum': (d) => `  checksum: 10c0/${d.hex(128)}`,
  'go.sum line': (d) => `golang.org/x/net v0.17.0 h1:${d.base64(43)}=`,
  UUID: (d) => `session_id: ${d.uuid()}`,
  'request id': (d) => `x-request-id: ${d.uuid()}`,
  'trace parent': (d) => `traceparent: 00-${d.hex(32)}-${d.hex(16)}-01`,
  'tool id': (d) => `"tool_use_id":"toolu_01${d.mixed(22)}"`,
  'message id': (d) => `"id":"msg_01${d.mixed(22)}"`,
  'object id': (d) => `_id: ObjectId("${d.hex(24)}")`,
  etag: (d) => `ETag: W/"${d.hex(32)}"`,
  'asset name': (d) => `dist/assets/index-${d.mixed(8)}.js  142.11 kB`,
  'source map': (d) => `//# sourceMappingURL=index.${d.hex(8)}.js.map`,
  colour: (d) => `.token.keyword { color: #${d.hex(6)}; }`,
  'ISO time': (d) => `2026-01-0${1 + d.random.below(9)}T03:04:05.678Z INFO auth: token refreshed in 12ms`,
  'stack frame': (d) => `    at getToken (/home/me/src/auth/token-store.ts:${d.digits(2)}:7)`,
  'certificate data': (d) => `certificate-authority-data: LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0t${d.mixed(80)}`,
  'public key': (d) => `ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI${d.base64(43)} me@host`,
  'token counts': (d) =>
    `{"input_tokens": ${1 + d.random.below(9000)}, "max_tokens": 4096, "token_count": 12}`,
  'page token type': () => 'nextPageToken?: string; pageToken: string | undefined;',
  'call under a telling name': () => 'const password = getPassword(user.id);',
  'field under a telling name': () => '  password: user.password,\n  token: req.headers.token,',
  'last field of an object': () => 'create({\n    email,\n    password: hashedPassword\n  })',
  'interface without semicolons': () =>
    'interface Login {\n  user: string\n  password: string\n  token: AccessToken\n}',
  'Python function': () => 'def login(user: str, password: str = None, token: Optional[str] = None) -> bool:',
  'Rust struct': () => 'pub struct Auth { pub token: Option<String>, secret_key: [u8; 32] }',
  'Go struct': () =>
    'type Config struct {\n\tPassword string `json:"password"`\n\tToken    string `env:"TOKEN"`\n}',
  'Java field': () => 'private final String password;\nprivate SecretKey secretKey = null;',
  'SQL column': () => 'CREATE TABLE users (id INT, password VARCHAR(255) NOT NULL, token TEXT);',
  'SQL select': () => 'SELECT user, password FROM users WHERE token = $1 AND password = ?',
  'environment read': () => 'const key = process.env.API_KEY ?? config.apiKey;',
  'environment read in Python': () => 'api_key = os.environ["API_KEY"] or settings.API_KEY',
  'shell variables': () => 'curl -u "$USER:$PASS" -H "Authorization: Bearer $TOKEN" https://example.com',
  'shell default': () => `PASSWORD="${braced('DB_PASSWORD:-')}"; TOKEN=$(cat /run/token)`,
  'workflow secrets': () => `env:\n  NPM_TOKEN: ${braced('{ secrets.NPM_TOKEN }')}`,
  'Helm template': () => 'password: {{ .Values.db.password | quote }}',
  'Terraform variable': () => 'password = var.db_password\ntoken    = data.vault.token',
  'Ansible template': () => 'db_password: "{{ vault_db_password }}"',
  'secret reference': () => 'valueFrom:\n  secretKeyRef:\n    name: db\n    key: password',
  'placeholder in angle brackets': () => 'export API_KEY=<your-api-key>\nTOKEN=<token>',
  'placeholder in words': () => 'api_key: "your-api-key-here"',
  'masked value': () => 'GITHUB_TOKEN=********\npassword: ****',
  'password rule': () => 'the password: must be at least 8 characters',
  'password rule in code': () => 'throw new Error("Invalid password: must have at least 8 characters");',
  labels: () => '{"password": "Forgot your password?", "token": "Paste your token"}',
  'test name': () =>
    "it('rejects a wrong password', () => { expect(login('ada', wrongPassword)).toBe(false); });",
  'option help': () =>
    '  -p, --password <password>   the password to use (default: none)\n  --token <token>  the token',
  'option in prose': () =>
    'Use --password when you must, or --token-file instead; --password is visible to others.',
  'key in prose': () =>
    'Press any key. The primary key is id; the api key is required, the secret is optional.',
  'token in prose': () => 'The access token is base64-encoded and the refresh token expires after 30 days.',
  'status in a log': () => 'auth token: expired\npassword: changed\nsecret: rotated',
  'parser error': () => "SyntaxError: Unexpected token '}' in JSON at position 42, unexpected token 'export'",
  'import path': () => "import { secretKind } from '../capture/redact/secret-names.ts';",
  'file path': (d) =>
    `PASSWORD_FILE=/run/secrets/db_password\nKEY_PATH=/etc/ssl/private/server${d.digits(1)}.key`,
  'working folder': (d) => `PWD=/home/me/project${d.digits(2)}\nOLDPWD=/home/me`,
  'cache key': (d) => `cacheKey: "user:${d.digits(4)}:profile:v2"`,
  'React keys': () => "<li key={item.id}>{item.name}</li> queryKey: ['todos', page]",
  'Markdown table': () =>
    '| option | type | default |\n|---|---|---|\n| password | string | none |\n| token | string | |',
  'table of settings': () => '| `API_KEY` | the key of the service | required |',
  'CSV of words': () => 'name,token,count\nlexer,keyword,12\nparser,comment,7',
  'psql schema': () =>
    ' Column   | Type | Nullable \n----------+------+----------\n password | text | not null',
  'mysql asks': () => 'mysql -u root -p app\nmysqldump -u root -p app',
  'tar and mkdir': () => 'mkdir -p src/capture && cp -p a b && tar -xzpf x.tgz && ssh -p 2222 host',
  'docker user': () => 'docker run --user 1000:1000 -p 8080:80 -e NODE_ENV=production image',
  'curl options': () => 'curl -sS -o out.json -b cookies.txt -u "$USER" https://example.com:8080/a@b',
  'kubectl get': () => 'kubectl get secret db -o yaml; kubectl create secret generic x --from-file=key.json',
  'heroku settings': () => 'heroku config:set NODE_ENV=production LOG_LEVEL=debug',
  'git remote': () => 'origin\tgit@github.com:ada/shop.git (fetch)\nssh://git@github.com:22/a/b.git',
  'users of addresses': (d) =>
    `https://janedoe${d.digits(4)}@bitbucket.org/t/r https://acme-corp@dev.azure.com/x https://git@github.com/a/b bob${d.digits(2)}@example.com postgres://app@db/shop robin@host:~`,
  'DSN without a key': () =>
    'SENTRY_DSN=https://<key>@o1.ingest.sentry.io/1 dsn: https://sentry.io/settings/@me',
  'URL with a port': () => 'http://localhost:3000/@vite/client https://example.com/a@2.0.0/index.js',
  'URL with a query': (d) => `https://example.com/search?q=token&page=${d.digits(2)}&sort=key&t=week`,
  'compiler message': (d) => `src/main.c:${d.digits(3)}:12:error:expected`,
  'grep output': (d) => `src/auth/login.ts:${d.digits(2)}:  const token = await createToken(user);`,
  'test output': (d) => `\x1b[32m✓\x1b[39m src/auth/token.test.ts \x1b[2m(${d.digits(2)} tests)\x1b[22m 12ms`,
  'coloured diff': () => '\x1b[31m-  password: string;\x1b[m\n\x1b[32m+  password: Password;\x1b[m',
  'coloured code': () => '\x1b[36mconst\x1b[39m token = getToken(); \x1b[90m// the token\x1b[39m',
  'PEM in code': () => "const begin = '-----BEGIN PRIVATE KEY-----', end = '-----END PRIVATE KEY-----';",
  'public key in PEM': (d) => `-----BEGIN PUBLIC KEY-----\n${d.base64(64)}\n-----END PUBLIC KEY-----`,
  'JSON schema': () =>
    '{"properties":{"password":{"type":"string","minLength":8},"token":{"type":"string"}}}',
  'locale file': () =>
    '{"auth.password.reset.title": "Reset password", "auth.token.invalid": "Invalid token"}',
  'cookie in code': () => "const cookie = req.headers.cookie; res.cookie('theme', 'dark');",
  'header in code': () => "headers['Authorization'] = 'Bearer ' + token; headers.set('X-Api-Key', apiKey);",
  'HTML form': () =>
    '<label for="password">Password</label><input type="password" name="password" id="password">',
  'XML schema': () => '<xs:element name="password" type="xs:string"/><token/><password></password>',
  Dockerfile: () =>
    'ARG NODE_VERSION=20\nENV NODE_ENV production\nRUN --mount=type=secret,id=npm_token npm ci',
  'make file': () => 'TOKEN ?= $(shell cat token)\nPASSWORD := $(DB_PASSWORD)',
  'mnemonic in prose': () =>
    'A mnemonic is a word or a phrase that is easy to remember and that helps you to recall the name.',
  'lexer tokens': () =>
    'tokens: [KEYWORD, IDENTIFIER, STRING]; token = lexer.next(); token.type === "comment"',
  'shell message': () => `export DB_PASSWORD="\${DB_PASSWORD:?missing}"`,
  'names in sentences': () =>
    'pass the token to `getUser2Session` first, rename the password to `password2Field`, use sha256 as the key',
  'digests in sentences': (d) =>
    `commit ${d.hex(40)} is the token commit; the password reset commit is ${d.hex(12)}`,
  'algorithms in sentences': () => 'ES256 is the token algorithm. Use Base64UrlEncoder as the token encoder.',
  'choices in sentences': () =>
    'sign in with Google / GitHub2, then login / logout; add the token to src/auth/token2.ts',
  'results of tests': () => 'tests_pass: true\nfirst_pass: 3 of 4\npass: 12 of 14',
  'table of options in HTML': () =>
    '<tr><th>Password</th><th>Email</th></tr><tr><td>password</td><td>string</td></tr><td>Token</td><td>PostgreSQL</td>',
  'translations in HTML': () =>
    '<dt>Password</dt><dd>Wachtwoord</dd><label>Token</label> <span>required</span>',
  'calls with a name': () =>
    "vault.getSecret('prod/db/password'); secrets.token('user-service'); page.password('Enter your password')",
  'calls with two names': () =>
    "auth('admin', 'required'); basicAuth(user, password); mysqli_connect('localhost', 'root', $password); new PDO($dsn, 'root', '')",
  'bold names in Markdown': () =>
    '- **password**: the password of the user\n- **Token:** required\n**API key**: see `config.apiKey`',
  'notes behind names': () =>
    'password (optional): string\ntoken [required]: the token\nAPI key (none): see above',
  'inserted names': () =>
    "INSERT INTO fields (name, token) VALUES ('user', 'comment'), ('x', NULL); INSERT INTO t (a, password) VALUES (?, ?)",
  'inserted function': () => "INSERT INTO users (name, password) VALUES ('robin', crypt($1, gen_salt('bf')))",
  'variable with an empty default': () =>
    'variable "db_password" {\n  type = string\n  default = ""\n}\nvariable "token" {\n  default = "changeme"\n}',
  'other fields of a form': () => 'form-data; name="title"\r\n\r\nHello World 2024\r\n--x',
  'value and name in JSON': (d) => `{"value":"${d.mixed(20)}","name":"BUILD_ID"}`,
  'braces in JSX': () => '<Login password={password} token={user.token2} onChange={setPassword2} />',
  'words in other languages': () =>
    '密码: 必填\n密码错误\nпароль: неверный\nmot de passe : obligatoire\nパスワードは必須です\nAPI-Schlüssel: erforderlich',
  'session of a terminal': () =>
    '\x1b]0;robin@host: ~/project\x07$ git status\x1b]8;;https://example.com/a\x1b\\a\x1b]8;;\x1b\\',
  'invisible characters': () => 'family: 👨\u200d👩\u200d👧, long\u00adword, \ufeffstart, zero\u200bwidth',
  'expect script': () => 'expect "Password:"\nsend "exit\\r"\nsend "yes\\n"',
  'links with ids': (d) => `https://example.com/confirm/${d.uuid()} https://example.com/reset/${d.digits(6)}`,
  'log in with a provider': () => 'log in with GitHub, sign in using OAuth2, logged in by cookie-session2',
  'cookie file in words': () => '# Netscape HTTP Cookie File\nexample.com\tFALSE\t/\tFALSE\t0\ttheme\tdark',
  'commands without secrets': () =>
    'rclone obscure --help; doctl auth list; bw unlock --check; mc alias list; dotnet user-secrets list; snmpwalk -c public host',
  'text block in YAML': () => 'token: |\n  string\ndescription: |\n  words here',
};
