/**
 * Where a program takes a secret on its command line. Flags with a telling name (`--password`, `--api-key`)
 * need no entry: they are found as names.
 */
export interface CommandRule {
  /** The program; with a subcommand if its flags mean something else elsewhere. */
  command: string;
  subcommand?: RegExp;
  kind?: string;
  /** Another argument that the command must have. */
  requires?: RegExp;
  /** Flags whose value is the secret: the next argument, or what follows `=`. */
  flags?: string[];
  /** Flags whose value follows without a space: `-pV`. */
  glued?: string[];
  /** Flags whose value is `user:V`; with another sign if `separator` says so. */
  pairs?: string[];
  separator?: string;
  /** Which `NAME=V` among the arguments are secrets: all, or those that look random. */
  assignments?: 'all' | 'random';
  /** Arguments without a flag, counted after the subcommand, that are secrets. A negative one counts from the end. */
  positions?: number[];
}

const mysqlLike = [
  'mysql',
  'mysqldump',
  'mysqladmin',
  'mysqlsh',
  'mysqlimport',
  'mysqlcheck',
  'mariadb',
  'mariadb-dump',
  'mariadb-admin',
  'mycli',
];
const mongoLike = [
  'mongo',
  'mongosh',
  'mongodump',
  'mongorestore',
  'mongoexport',
  'mongoimport',
  'mongostat',
];
const ldapLike = ['ldapsearch', 'ldapadd', 'ldapmodify', 'ldapdelete', 'ldapwhoami', 'ldappasswd'];

export const commandRules = (): CommandRule[] => [
  ...mysqlLike.map((command) => ({ command, glued: ['-p'] })),
  ...mongoLike.map((command) => ({ command, flags: ['-p'] })),
  ...ldapLike.map((command) => ({ command, flags: ['-w'] })),
  { command: 'redis-cli', flags: ['-a', '--pass'] },
  { command: 'redis-benchmark', flags: ['-a'] },
  { command: 'sqlcmd', flags: ['-P'], glued: ['-P'] },
  { command: 'bcp', flags: ['-P'], glued: ['-P'] },
  { command: 'isql', flags: ['-P'], glued: ['-P'] },
  { command: 'tsql', flags: ['-P'] },
  { command: 'clickhouse-client', flags: ['--password'] },
  { command: 'cqlsh', flags: ['-p'] },
  { command: 'influx', flags: ['-p', '-t'] },
  { command: 'cypher-shell', flags: ['-p'] },
  { command: 'snowsql', flags: ['-p'] },
  { command: 'rabbitmqctl', subcommand: /^(?:add_user|change_password|authenticate_user)$/, positions: [1] },
  { command: 'rabbitmqadmin', flags: ['-p'] },
  { command: 'mosquitto_pub', flags: ['-P'] },
  { command: 'mosquitto_sub', flags: ['-P'] },
  { command: 'mosquitto_passwd', flags: ['-b'], positions: [2] },
  { command: 'net', subcommand: /^use$/i, requires: /^\/user:/i, positions: [-1] },
  { command: 'net', subcommand: /^user$/i, requires: /^\/add$/i, positions: [1] },
  { command: 'curl', kind: 'cookie', requires: /^[\w.-]+=/, flags: ['-b', '--cookie'] },
  { command: 'curl', pairs: ['-u', '--user', '-U', '--proxy-user'] },
  { command: 'http', pairs: ['-a', '--auth'], flags: ['-a', '--auth'] },
  { command: 'https', pairs: ['-a', '--auth'], flags: ['-a', '--auth'] },
  { command: 'xh', pairs: ['-a', '--auth'], flags: ['-a', '--auth'] },
  { command: 'wget', flags: ['--password', '--http-password', '--ftp-password'] },
  { command: 'lftp', pairs: ['-u'], separator: ',' },
  { command: 'ncftpput', flags: ['-p'] },
  { command: 'sshpass', flags: ['-p'], glued: ['-p'] },
  { command: 'plink', flags: ['-pw'] },
  { command: 'pscp', flags: ['-pw'] },
  { command: 'winscp', flags: ['-password'] },
  { command: 'smbclient', pairs: ['-U', '--user'], separator: '%' },
  { command: 'rpcclient', pairs: ['-U'], separator: '%' },
  { command: 'xfreerdp', glued: ['/p:'] },
  { command: 'zip', flags: ['-P', '--password'], glued: ['-P'] },
  { command: 'unzip', flags: ['-P'], glued: ['-P'] },
  { command: '7z', glued: ['-p'] },
  { command: '7za', glued: ['-p'] },
  { command: '7zz', glued: ['-p'] },
  { command: 'rar', glued: ['-p', '-hp'] },
  { command: 'unrar', glued: ['-p'] },
  { command: 'qpdf', subcommand: /^--(?:encrypt|password)/, positions: [0, 1] },
  { command: 'pdftk', flags: ['input_pw', 'user_pw', 'owner_pw'] },
  { command: 'htpasswd', subcommand: /^-\w*b\w*$/, positions: [-1] },
  { command: 'caddy', subcommand: /^hash-password$/, flags: ['-p', '--plaintext'] },
  {
    command: 'openssl',
    flags: ['-k', '-K', '-passin', '-passout', '-pass', '-password'],
    subcommand: /^(?:enc|passwd|pkcs12|rsa|genrsa|req|pkcs8|ec|x509|ca|cms|smime|pkey|genpkey|s_client)$/,
  },
  { command: 'gpg', flags: ['--passphrase'] },
  { command: 'ssh-keygen', flags: ['-N', '-P'] },
  {
    command: 'keytool',
    flags: [
      '-storepass',
      '-keypass',
      '-srcstorepass',
      '-deststorepass',
      '-srckeypass',
      '-destkeypass',
      '-new',
    ],
  },
  { command: 'jarsigner', flags: ['-storepass', '-keypass'] },
  { command: 'signtool', flags: ['/p'] },
  {
    command: 'security',
    subcommand:
      /^(?:add-generic-password|add-internet-password|unlock-keychain|set-key-partition-list|create-keychain|import)$/,
    flags: ['-w', '-p', '-k', '-P'],
  },
  { command: 'cmdkey', glued: ['/pass:'] },
  { command: 'schtasks', flags: ['/RP', '/rp'] },
  { command: 'runas', flags: ['/password'] },
  { command: 'docker', subcommand: /^login$/, flags: ['-p', '--password'], glued: ['-p'] },
  { command: 'podman', subcommand: /^login$/, flags: ['-p', '--password'] },
  { command: 'nerdctl', subcommand: /^login$/, flags: ['-p', '--password'] },
  { command: 'oc', subcommand: /^login$/, flags: ['-p', '--password', '--token'] },
  { command: 'az', subcommand: /^login$/, flags: ['-p', '--password'] },
  { command: 'az', subcommand: /^(?:keyvault|appconfig)$/, kind: 'secret', flags: ['--value'] },
  { command: 'helm', subcommand: /^registry$/, flags: ['-p', '--password'] },
  { command: 'skopeo', subcommand: /^login$/, flags: ['-p', '--password'] },
  { command: 'crane', subcommand: /^auth$/, flags: ['-p', '--password'] },
  { command: 'cargo', subcommand: /^login$/, kind: 'token', positions: [0] },
  { command: 'vault', subcommand: /^(?:login|unwrap)$/, kind: 'token', positions: [0] },
  { command: 'vault', subcommand: /^(?:kv|write)$/, kind: 'secret', assignments: 'all' },
  { command: 'bao', subcommand: /^(?:kv|write)$/, kind: 'secret', assignments: 'all' },
  { command: 'gh', subcommand: /^secret$/, kind: 'secret', flags: ['--body', '-b'] },
  { command: 'glab', subcommand: /^variable$/, kind: 'secret', flags: ['--value', '-v'] },
  { command: 'heroku', subcommand: /^config:(?:set|add)$/, kind: 'secret', assignments: 'random' },
  { command: 'fly', subcommand: /^secrets$/, kind: 'secret', assignments: 'all' },
  { command: 'flyctl', subcommand: /^secrets$/, kind: 'secret', assignments: 'all' },
  { command: 'doppler', subcommand: /^secrets$/, kind: 'secret', assignments: 'all' },
  { command: 'infisical', subcommand: /^secrets$/, kind: 'secret', assignments: 'all' },
  { command: 'supabase', subcommand: /^secrets$/, kind: 'secret', assignments: 'all' },
  { command: 'dokku', subcommand: /^config:set$/, kind: 'secret', assignments: 'random' },
  {
    command: 'kubectl',
    subcommand: /^create$/,
    kind: 'secret',
    flags: ['--docker-password'],
    pairs: ['--from-literal'],
    separator: '=',
  },
  {
    command: 'oc',
    subcommand: /^create$/,
    kind: 'secret',
    flags: ['--docker-password'],
    pairs: ['--from-literal'],
    separator: '=',
  },
  {
    command: 'aws',
    subcommand: /^(?:ssm|secretsmanager)$/,
    kind: 'secret',
    flags: ['--value', '--secret-string', '--secret-binary'],
  },
  { command: 'gcloud', subcommand: /^sql$/, flags: ['--password'] },
  { command: 'eb', subcommand: /^setenv$/, kind: 'secret', assignments: 'random' },
  { command: 'pulumi', subcommand: /^--secret$/, kind: 'secret', positions: [1] },
  { command: 'twine', subcommand: /^upload$/, flags: ['-p'] },
  { command: 'poetry', subcommand: /^publish$/, flags: ['-p'] },
  { command: 'dotnet', subcommand: /^nuget$/, kind: 'key', flags: ['-k', '-p'] },
  {
    command: 'nuget',
    subcommand: /^(?:push|setapikey|sources?)$/i,
    kind: 'key',
    flags: ['-ApiKey', '-Password'],
  },
  { command: 'gem', subcommand: /^push$/, kind: 'key', flags: ['-k'] },
  { command: 'svn', flags: ['--password'] },
  { command: 'hg', flags: ['--password'] },
  { command: 'ansible-vault', flags: ['--vault-password'] },
  { command: 'useradd', flags: ['-p', '--password'] },
  { command: 'usermod', flags: ['-p', '--password'] },
  { command: 'nmcli', flags: ['password', 'wifi-sec.psk', '802-11-wireless-security.psk'] },
  { command: 'wpa_passphrase', positions: [1] },
  { command: 'psexec', flags: ['-p'] },
  { command: 'wmic', flags: ['/password'] },
  { command: 'hydra', flags: ['-p'] },
  { command: 'crackmapexec', flags: ['-p'] },
  { command: 'evil-winrm', flags: ['-p'] },
  { command: 'ngrok', subcommand: /^(?:authtoken|add-authtoken)$/, kind: 'token', positions: [0] },
  { command: 'snyk', subcommand: /^auth$/, kind: 'token', positions: [0] },
  { command: 'sentry-cli', flags: ['--auth-token'] },
  { command: 'wandb', subcommand: /^login$/, kind: 'key', positions: [0] },
];
