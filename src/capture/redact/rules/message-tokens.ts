import type { TokenRule } from './token-rule.ts';

/** Chat, mail, telephony, monitoring, and formats that are the same everywhere. */
export const messageTokens = (): TokenRule[] => [
  { kind: 'slack-token', starts: 'xox[abceoprs][.-]', rest: '(?:xox[bp]-)?[A-Za-z0-9-]{10,}' },
  { kind: 'slack-token', starts: 'xoxd-', rest: '[\\w%+/=-]{20,}' },
  { kind: 'slack-token', starts: 'xapp-', rest: '\\d-[A-Za-z0-9-]{20,}' },
  {
    kind: 'slack-webhook',
    starts: 'hooks\\.slack(?:-gov)?\\.com/',
    rest: '(?:services|workflows|triggers)/[\\w/+-]{20,}',
  },
  {
    kind: 'discord-webhook',
    starts: 'discord(?:app)?\\.com/api/(?:v\\d{1,2}/)?webhooks/',
    rest: '\\d{5,25}/[\\w-]{30,}',
  },
  {
    kind: 'discord-token',
    starts: '\\.[\\w-]{6}\\.',
    inRun: '.',
    rest: '[\\w-]{27,40}',
    before: '[MNO][\\w-]{22,27}',
  },
  { kind: 'discord-token', starts: 'mfa\\.', rest: '[\\w-]{80,}' },
  { kind: 'teams-webhook', starts: 'webhook\\.office\\.com/', rest: '\\w{1,20}/[\\w@-]{36,}[\\w/-]*' },
  { kind: 'telegram-token', starts: ':AA', rest: '[\\w-]{30,35}(?![\\w-])', before: '(?:bot)?\\d{6,12}' },
  { kind: 'sendgrid-key', starts: 'SG\\.', rest: '[\\w-]{16,32}\\.[\\w-]{30,}' },
  { kind: 'mailgun-key', starts: 'key-', rest: '[a-f0-9]{32}(?![A-Za-z0-9])' },
  {
    kind: 'mailgun-key',
    starts: '-[a-f0-9]{8}-[a-f0-9]{8}',
    inRun: '-',
    rest: '(?![\\w-])',
    before: '[a-f0-9]{32}',
  },
  { kind: 'mailchimp-key', starts: '-us\\d', rest: '\\d?(?![\\w-])', before: '[a-f0-9]{32}' },
  { kind: 'mandrill-key', starts: 'md-', rest: '(?=[A-Za-z_-]{0,22}\\d)[\\w-]{22}(?![\\w-])' },
  { kind: 'brevo-key', starts: 'x(?:keysib|smtpsib)-', anchors: 'xkeys xsmtp', rest: '[a-f0-9]{64}-\\w{8,}' },
  { kind: 'resend-key', starts: 're_', rest: '[A-Za-z0-9]{8}_[A-Za-z0-9]{20,}' },
  {
    kind: 'twilio-token',
    starts: 'AC[a-f0-9]{32}',
    // Lists the third characters because `ac` with any third character is too common.
    anchors: 'AC0 AC1 AC2 AC3 AC4 AC5 AC6 AC7 AC8 AC9 ACa ACb ACc ACd ACe ACf',
    rest: '["\' ]{0,3}[:,]["\' ]{0,3}[a-f0-9]{32}(?![A-Za-z0-9])',
  },
  { kind: 'twitch-token', starts: 'oauth:', rest: '(?=[a-z]{0,30}\\d)[a-z0-9]{30}(?![A-Za-z0-9])' },
  { kind: 'password-hash', starts: ':::', rest: '', before: '[a-fA-F0-9]{32}:[a-fA-F0-9]{32}' },
  {
    kind: 'bitcoin-key',
    starts: '[xyzt]prv',
    anchors: 'xprv yprv zprv tprv',
    rest: '[1-9A-HJ-NP-Za-km-z]{100,112}',
  },
  { kind: 'nostr-key', starts: 'nsec1', rest: '[02-9ac-hj-np-z]{58}' },
  { kind: 'minisign-key', starts: 'RWRTY0Iy', rest: '[A-Za-z0-9+/]{60,}={0,2}' },
  { kind: 'twilio-key', starts: 'SK', anchors: 'SK·', rest: '[a-f0-9]{32}(?![A-Za-z0-9])' },
  {
    kind: 'newrelic-key',
    starts: 'NR(?:AK|II|IQ|JS|AL|RA)-',
    anchors: 'NRA NRI NRJ NRR',
    rest: '[\\w-]{19,}',
  },
  { kind: 'newrelic-key', starts: 'NRAL', rest: '(?![A-Za-z0-9])', before: '[a-f0-9]{36}' },
  { kind: 'grafana-token', starts: 'gl(?:c|sa)_', anchors: 'glc_ glsa_', rest: '[\\w+/=]{32,}' },
  { kind: 'grafana-token', starts: 'eyJrIjoi', rest: '[A-Za-z0-9]{40,}={0,3}' },
  { kind: 'sentry-token', starts: 'sntry[su]_', rest: '[\\w+/=-]{40,}' },
  { kind: 'dynatrace-token', starts: 'dt0[a-z]\\d\\d\\.', rest: '[A-Z0-9]{24}\\.[A-Z0-9]{64}' },
  { kind: 'datadog-key', starts: 'dd(?:a?pp?|pat|api)_', anchors: 'dda ddp', rest: '[A-Za-z0-9]{30,}' },
  { kind: 'honeycomb-key', starts: 'hc[abx][ilm][ck]_', anchors: 'hca hcb hcx', rest: '[a-z0-9]{50,}' },
  { kind: 'axiom-token', starts: 'xa[aipt]{1,2}t-', anchors: 'xaa xai xap xat', rest: '[a-f0-9-]{36}' },
  { kind: 'logfire-token', starts: 'pylf_v\\d_', rest: '\\w{30,}' },
  { kind: 'checkly-key', starts: 'cu_', rest: '[a-f0-9]{32}(?![A-Za-z0-9])' },
  {
    kind: 'pagerduty-key',
    starts: 'u\\+',
    anchors: 'u+·',
    rest: '(?=[A-Za-z_-]{0,18}\\d)[\\w-]{18}(?![\\w-])',
  },
  {
    kind: 'launchdarkly-key',
    starts: '(?:api|sdk|mob)-',
    anchors: 'api- sdk- mob-',
    rest: '[a-f0-9]{8}(?:-[a-f0-9]{4}){3}-[a-f0-9]{12}',
  },
  {
    kind: 'jwt',
    starts: 'eyJ',
    rest: '[\\w-]{14,1200}\\.(?:eyJ)?[\\w-]{10,}(?:\\.[\\w-]*){0,4}',
    runEnd: '.',
  },
  // Private keys without their BEGIN and END lines: the fixed beginnings of their DER and OpenSSH encodings.
  {
    kind: 'private-key',
    starts: 'b3BlbnNzaC1rZXktdjE',
    rest: '(?:[A-Za-z0-9+/=]{1,200}(?:\\s|\\\\{1,4}[rn]){0,4}[+\\- ]?){1,400}',
  },
  {
    kind: 'private-key',
    anchors: 'MII MIG MIH MHc MHQ MC4',
    starts:
      'M(?:II[A-Z][\\w+/]{2,3}IBA(?:AKC|ANBgkqhkiG9w0BAQEFAASC)|I[GH][\\w+/]AgE[AB]|HcCAQEE|HQCAQEE|C4CAQAwBQYDK2Vw)',
    rest: '(?:[A-Za-z0-9+/=]{1,200}(?:\\s|\\\\{1,4}[rn]){0,4}[+\\- ]?){1,200}',
  },
  {
    kind: 'private-key',
    starts:
      'LS0tLS1CRUdJTi(?:BSU0EgUFJJVkFUR|BQUklWQVRF|BFQyBQUklWQVRF|BPUEVOU1NIIFBSSVZBVEUg|BFTkNSWVBURUQg|BEU0EgUFJJVkFUR|BQR1AgUFJJVkFUR)',
    rest: '[A-Za-z0-9+/=]{20,}',
  },
];
