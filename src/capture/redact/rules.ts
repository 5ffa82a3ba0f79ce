/*
 * Why a table of our own: the kept rule sets were tried first. secretlint's preset (the only one for Node
 * with upkeep) is asynchronous, reports instead of replacing, weighs 350 kB bundled, needs Node 22 in its
 * current version, and leaves passwords, headers, env lines and URLs alone: it found one of nine everyday
 * shapes. gitleaks' rules are written for Go's regular expressions and come in no kept npm package. The
 * formats below are the ones vendors publish.
 */

interface TokenRule {
  kind: string;
  /** The vendor's fixed beginning; all of these together make the one scan over the text. */
  starts: string;
  /** What has to follow right after it. */
  rest: string;
}

/** Secrets that can be told by their own form, wherever they stand. */
export const tokenRules: TokenRule[] = [
  // code hosting and packages
  { kind: 'github-token', starts: 'gh[opsur]_', rest: '[A-Za-z0-9]{36,}' },
  { kind: 'github-token', starts: 'github_pat_', rest: '\\w{40,}' },
  { kind: 'gitlab-token', starts: 'gl(?:pat|dt|rt|ptt|ft|imt|agent|oas|soat|cbt)-', rest: '[\\w.-]{20,}' },
  { kind: 'bitbucket-token', starts: 'ATBB', rest: '[A-Za-z0-9]{24,}' },
  { kind: 'atlassian-token', starts: 'AT[AC]TT3', rest: '[\\w=-]{60,}' },
  { kind: 'npm-token', starts: 'npm_', rest: '[A-Za-z0-9]{36}(?![A-Za-z0-9])' },
  { kind: 'pypi-token', starts: 'pypi-AgE', rest: '[\\w-]{50,}' },
  { kind: 'rubygems-token', starts: 'rubygems_', rest: '[a-f0-9]{48}' },
  { kind: 'crates-token', starts: 'cio', rest: '[A-Za-z0-9]{32}(?![A-Za-z0-9])' },
  { kind: 'nuget-key', starts: 'oy2', rest: '[a-z0-9]{43}(?![A-Za-z0-9])' },
  { kind: 'docker-token', starts: 'dckr_[po]at_', rest: '[\\w-]{27,}' },
  // clouds
  { kind: 'aws-key-id', starts: 'A(?:KIA|SIA|BIA|CCA)', rest: '[A-Z0-9]{16}(?![A-Za-z0-9])' },
  { kind: 'aws-bedrock-key', starts: 'ABSK', rest: '[A-Za-z0-9+/]{100,}=*' },
  { kind: 'google-api-key', starts: 'AIza', rest: '[\\w-]{35}' },
  { kind: 'google-oauth', starts: 'ya29\\.', rest: '[\\w-]{20,}' },
  { kind: 'google-oauth', starts: 'GOCSPX-', rest: '[\\w-]{28}' },
  { kind: 'google-oauth', starts: '1//0', rest: '[\\w-]{40,}' },
  { kind: 'azure-secret', starts: '\\dQ~', rest: '[\\w~.-]{31,34}' },
  { kind: 'digitalocean-token', starts: 'do[opr]_v1_', rest: '[a-f0-9]{64}' },
  { kind: 'heroku-key', starts: 'HRKU-', rest: '[\\w-]{36,}' },
  { kind: 'fly-token', starts: 'f(?:o1|m[12][a-z]?)_', rest: '[A-Za-z0-9+/=_-]{43,}' },
  { kind: 'netlify-token', starts: 'nf[pcou]_', rest: '[A-Za-z0-9]{36,}' },
  { kind: 'supabase-key', starts: 'sb(?:p|_secret)_', rest: '[\\w-]{20,}' },
  { kind: 'planetscale-token', starts: 'pscale_(?:tkn|pw|oauth)_', rest: '[\\w=.-]{32,}' },
  { kind: 'neon-key', starts: 'napi_', rest: '[a-z0-9]{50,}' },
  { kind: 'databricks-token', starts: 'dapi', rest: '[a-f0-9]{32}' },
  { kind: 'terraform-token', starts: 'atlasv1\\.', rest: '[\\w=-]{60,}' },
  { kind: 'pulumi-token', starts: 'pul-', rest: '[a-f0-9]{40}' },
  { kind: 'vault-token', starts: 'hv[bsr]\\.', rest: '[\\w-]{24,}' },
  { kind: 'doppler-token', starts: 'dp\\.(?:pt|st|ct|sa|scim|audit)\\.', rest: '[\\w.-]{40,}' },
  { kind: 'onepassword-token', starts: 'ops_eyJ', rest: '[\\w+/=-]{100,}' },
  { kind: 'tailscale-key', starts: 'tskey-', rest: '[a-z]+-[\\w-]{10,}' },
  { kind: 'age-key', starts: 'AGE-SECRET-KEY-1', rest: '[A-Z0-9]{58}' },
  // models
  { kind: 'anthropic-key', starts: 'sk-ant-', rest: '[\\w-]{20,}' },
  { kind: 'openai-key', starts: 'sk-(?:proj|svcacct|admin|None)-', rest: '[\\w-]{20,}' },
  { kind: 'openrouter-key', starts: 'sk-or-', rest: '[\\w-]{32,}' },
  { kind: 'api-key', starts: 'sk-', rest: '(?:lf-|[a-z]{2,4}-)?[A-Za-z0-9]{32,}' },
  { kind: 'elevenlabs-key', starts: 'sk_', rest: '[a-f0-9]{48}' },
  { kind: 'huggingface-token', starts: 'hf_', rest: '[A-Za-z0-9]{34,}' },
  { kind: 'replicate-token', starts: 'r8_', rest: '[A-Za-z0-9]{37}' },
  { kind: 'groq-key', starts: 'gsk_', rest: '[A-Za-z0-9]{48,}' },
  { kind: 'xai-key', starts: 'xai-', rest: '[A-Za-z0-9]{60,}' },
  { kind: 'perplexity-key', starts: 'pplx-', rest: '[A-Za-z0-9]{40,}' },
  { kind: 'cerebras-key', starts: 'csk-', rest: '[a-z0-9]{40,}' },
  { kind: 'tavily-key', starts: 'tvly-', rest: '(?:dev-|prod-)?[A-Za-z0-9]{20,}' },
  { kind: 'langsmith-key', starts: 'lsv2_(?:pt|sk)_', rest: '[a-f0-9]{32}_[a-f0-9]{10}' },
  { kind: 'pinecone-key', starts: 'pcsk_', rest: '\\w{40,}' },
  // money and shops
  { kind: 'stripe-key', starts: '[rs]k_(?:live|test|prod)_', rest: '[A-Za-z0-9]{16,}' },
  { kind: 'webhook-secret', starts: 'whsec_', rest: '[A-Za-z0-9+/]{24,}=*' },
  { kind: 'square-token', starts: 'sq0(?:atp|csp|idb)-', rest: '[\\w-]{22,}' },
  { kind: 'meta-token', starts: 'EAA', rest: '(?<![+/]EAA)[A-Za-z0-9_-]{60,}(?![+/])' },
  { kind: 'shopify-token', starts: 'shp(?:at|ss|ca|pa)_', rest: '[A-Fa-f0-9]{32}' },
  {
    kind: 'paypal-token',
    starts: 'access_token\\$(?:production|sandbox)\\$',
    rest: '[a-z0-9]+\\$[a-f0-9]{32}',
  },
  { kind: 'plaid-token', starts: 'access-(?:sandbox|development|production)-', rest: '[a-f0-9-]{36}' },
  // talk, mail, work
  { kind: 'slack-token', starts: 'xox[abceoprs]-', rest: '[A-Za-z0-9-]{10,}' },
  { kind: 'slack-token', starts: 'xapp-', rest: '\\d-[A-Za-z0-9-]{20,}' },
  {
    kind: 'slack-webhook',
    starts: 'hooks\\.slack\\.com/',
    rest: '(?:services|workflows|triggers)/[\\w/+-]{20,}',
  },
  { kind: 'discord-webhook', starts: 'discord(?:app)?\\.com/api/webhooks/', rest: '\\d+/[\\w-]{30,}' },
  { kind: 'discord-token', starts: '\\.[\\w-]{6}\\.', rest: '(?<=[MNO][\\w-]{22,27}.{8})[\\w-]{27,40}' },
  { kind: 'teams-webhook', starts: 'webhook\\.office\\.com/', rest: '\\w+/[\\w@-]{36,}[\\w/-]*' },
  { kind: 'telegram-token', starts: ':AA', rest: '(?<=\\d{8,10}:AA)[\\w-]{32,33}(?![\\w-])' },
  { kind: 'sendgrid-key', starts: 'SG\\.', rest: '[\\w-]{16,32}\\.[\\w-]{30,}' },
  { kind: 'mailgun-key', starts: 'key-', rest: '[a-f0-9]{32}(?![A-Za-z0-9])' },
  { kind: 'brevo-key', starts: 'xkeysib-', rest: '[a-f0-9]{64}-\\w+' },
  { kind: 'resend-key', starts: 're_', rest: '[A-Za-z0-9]{8}_[A-Za-z0-9]{20,}' },
  { kind: 'twilio-key', starts: 'SK', rest: '[a-f0-9]{32}(?![A-Za-z0-9])' },
  { kind: 'linear-key', starts: 'lin_(?:api|oauth)_', rest: '[A-Za-z0-9]{32,}' },
  { kind: 'notion-token', starts: 'ntn_', rest: '[A-Za-z0-9]{40,}' },
  { kind: 'notion-token', starts: 'secret_', rest: '(?=\\w*\\d)[A-Za-z0-9]{43}(?![A-Za-z0-9])' },
  { kind: 'figma-token', starts: 'figd_', rest: '[\\w-]{36,}' },
  { kind: 'airtable-token', starts: 'pat[A-Za-z0-9]{14}\\.', rest: '[a-f0-9]{64}' },
  { kind: 'dropbox-token', starts: 'sl\\.', rest: '(?:u\\.)?[\\w-]{100,}' },
  { kind: 'contentful-token', starts: 'CFPAT-', rest: '[\\w-]{40,}' },
  { kind: 'postman-key', starts: 'PMAK-', rest: '[a-f0-9]{24}-[a-f0-9]{34}' },
  // watching
  { kind: 'newrelic-key', starts: 'NR(?:AK|II|IQ)-', rest: '[\\w-]{27,}' },
  { kind: 'grafana-token', starts: 'gl(?:c|sa)_', rest: '[\\w+/=]{32,}' },
  { kind: 'sentry-token', starts: 'sntry[su]_', rest: '[\\w+/=-]{40,}' },
  { kind: 'dynatrace-token', starts: 'dt0[a-z]\\d\\d\\.', rest: '[A-Z0-9]{24}\\.[A-Z0-9]{64}' },
  { kind: 'sonar-token', starts: 'sq[apu]_', rest: '[a-f0-9]{40}' },
  { kind: 'launchdarkly-key', starts: '(?:api|sdk)-', rest: '[a-f0-9]{8}(?:-[a-f0-9]{4}){3}-[a-f0-9]{12}' },
  // everywhere
  { kind: 'jwt', starts: 'eyJ', rest: '[\\w-]{14,}\\.(?:eyJ)?[\\w-]{10,}(?:\\.[\\w-]*)*' },
];

export interface PlaceRule {
  kind: string;
  /** Only texts which hold this are searched; lower-case commands and punctuation, so no case to fold. */
  hint: RegExp;
  /** Two groups: what stands before the secret and stays, and the secret. */
  pattern: RegExp;
}

/** Secrets that stand in an address. */
export const addressRules: PlaceRule[] = [
  {
    kind: 'password',
    hint: /:\/\//,
    pattern: /(:\/\/[^\s/:@"'`<>\\]{0,200}:)([^\s/"'`<>\\]{1,400})(?=@(?!sha256:))/g,
  },
  {
    kind: 'signature',
    hint: /=/,
    pattern:
      /([?&](?:sig|signature|X-(?:Amz|Goog)-(?:Signature|Credential)|code|key|auth)=)(?=[\w%+/.~-]{0,1000}\d)([\w%+/.~-]{16,1000}=*)/g,
  },
];

/** Passwords that stand in a command line. */
export const commandRules: PlaceRule[] = [
  {
    kind: 'password',
    hint: /curl/,
    pattern:
      /(curl\b[^|;]{0,400}?\s(?:-u|--user|--proxy-user|-U)(?:\s+|=)?["'\\]*[^\s:"'\\]{1,100}:)([^\s"'\\]{1,200})/g,
  },
  {
    kind: 'password',
    hint: /mysql|mariadb/,
    pattern:
      /((?:mysql|mysqldump|mysqladmin|mysqlsh|mariadb|mariadb-dump)\b[^\n|;&]{0,300}?\s-p["'\\]*)([^\s"'\\]{1,100})/g,
  },
  { kind: 'password', hint: /sshpass/, pattern: /(sshpass\s+-p\s*["'\\]*)([^\s"'\\]{1,100})/g },
  {
    kind: 'password',
    hint: /login/,
    pattern:
      /((?:docker|podman|registry|oc|az|ecr)\s+login\b[^\n|;&]{0,300}?\s-p\s+["'\\]*)([^\s"'\\]{1,400})/g,
  },
  {
    kind: 'password',
    hint: /redis-cli/,
    pattern: /(redis-cli\b[^\n|;&]{0,200}?\s-a\s+["'\\]*)([^\s"'\\]{1,200})/g,
  },
  { kind: 'password', hint: /pass:/, pattern: /(\s-pass(?:in|out)?\s+["'\\]*pass:)([^\s"'\\]{1,200})/g },
  {
    kind: 'password',
    hint: /storepass/,
    pattern: /(\s-(?:store|key|dest|src)(?:store)?pass\s+["'\\]*)([^\s"'\\]{1,200})/g,
  },
  {
    kind: 'password',
    hint: /login/,
    pattern: /(login\s+[\w.@+-]{1,100}\s+password\s+["'\\]*)([^\s"'\\]{1,200})/g,
  },
  {
    kind: 'password',
    hint: /chpasswd/,
    pattern: /(echo\s+["'\\]*[\w.-]{1,60}:)([^\s"'|\\]{1,200})(?=["'\\]*\s*\|\s*(?:sudo\s+)?chpasswd)/g,
  },
];

/** HTTP headers, in any case, as a line or as a quoted pair. The first group stays. */
export const headerRules: Omit<PlaceRule, 'hint'>[] = [
  {
    kind: 'authorization',
    pattern:
      /((?<!redacted:)(?:proxy-)?authorization["'`\\\]]{0,9}\s{0,9}[:=,]\s{0,9}["'`\\]{0,9}(?:(?:bearer|basic|token|api-?key|digest|negotiate|aws4-hmac-sha256|bot|key|ssws|splunk)\s{1,9})?)([^\s"'`\\][^"'`\r\n\\]{5,4000})/gi,
  },
  { kind: 'authorization', pattern: /(bearer\s{1,9})([\w.~+/-]{16,}=*)/gi },
  {
    kind: 'cookie',
    pattern: /((?:set-)?cookie["'\\]{0,9}\s{0,9}:\s{0,9}["'\\]{0,9})([\w.-]{1,100}=[^"'\r\n\\]{4,4000})/gi,
  },
];
