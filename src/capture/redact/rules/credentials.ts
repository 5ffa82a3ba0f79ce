import { ANY_CHARACTER } from '../anchor-table.ts';
import { isOpaqueWord, isRandom, isReference } from '../secret-values.ts';
import type { PlaceRule } from './place-rule.ts';

const isGiven = (value: string) => value.length >= 3 && !isReference(value);
const always = () => true;

/** Files and statements of a known form, and hashes of passwords. */
export const credentialRules = (): PlaceRule[] => [
  {
    kind: 'password',
    anchors: ['identified'],
    pattern: () =>
      /(\bidentified\s{1,9}(?:with\s{1,9}\S{1,60}\s{1,9})?(?:by|as)\s{1,9}(?:password\s{1,9}|values\s{1,9})?\\{0,4}["'`])([^"'`\\\n]{1,200})/iy,
    accepts: isGiven,
  },
  {
    kind: 'password',
    anchors: ['password'],
    needs: '(',
    pattern: () => /(\bPASSWORD\s{0,3}\(\s{0,3}\\{0,4}["'])([^"'\\\n]{1,200})(?=\\{0,4}["']\s{0,3}\))/y,
    accepts: isGiven,
  },
  {
    kind: 'password',
    anchors: ['set password'],
    pattern: () =>
      /(\bSET\s{1,9}PASSWORD\s{0,9}(?:FOR\s{1,9}\S{1,100}\s{0,9})?=\s{0,9}\\{0,4}["'])([^"'\\\n]{1,200})/iy,
    accepts: isGiven,
  },
  {
    kind: 'password',
    anchors: ['convertto-securestring'],
    pattern: () =>
      /(ConvertTo-SecureString\s{1,9}(?:-(?:String|AsPlainText|Force)\s{1,9}){0,3}\\{0,4}["']?)([^\s"'\\]{3,200})/iy,
    accepts: (value) => isGiven(value) && !value.startsWith('-'),
  },
  {
    kind: 'password',
    anchors: [':*:', ...[...'0123456789'].map((digit) => `:${digit}${ANY_CHARACTER}`)],
    // Rejects a time of day.
    rejects: (text, anchor) => text.charAt(anchor + 3) === ':' || text.charAt(anchor + 3) === '.',
    // Begins with the colon and the port: a pattern that begins with a name would be tried at every word.
    pattern: () =>
      /(:(?:\d{4,5}|\*):(?<=(?<![^\s"'`>/+-])(?:[\w-]{1,60}(?:\.[\w-]{1,60}){0,6}|\*):(?:\d{4,5}|\*):)(?:[A-Za-z_][\w-]{0,60}|\*):[A-Za-z_][\w.@-]{0,60}:)([^\s:"'`\\]{4,200})(?![^\s"'`\\])/y,
    accepts: isGiven,
  },
  {
    kind: 'private-key',
    anchors: ['kty'],
    searchesAll: true,
    pattern: () =>
      /(["']\\{0,8}(?:d|p|q|dp|dq|qi|k)\\{0,8}["']\s{0,4}:\s{0,4}\\{0,8}["'])([\w+/=-]{16,2000})(?=\\{0,8}["'])/g,
    accepts: always,
  },
  {
    kind: 'password-hash',
    anchors: [...'1256789yPHgamsb'].map((start) => `$${start}${ANY_CHARACTER}`),
    pattern: () =>
      /()(?=\$)(?<![\w$])((?:\$(?:1|2[abxy]?|5|6|7|8|9|y|gy|apr1|md5|sha1|argon2\w{0,2}|scrypt|pbkdf2[\w-]{0,20}|bcrypt-sha256)\$|\$[PH]\$)[\w./$=,+-]{20,400})/y,
    accepts: always,
  },
  {
    kind: 'password-hash',
    anchors: [
      'pbkdf2',
      'bcrypt_sha',
      '{SHA',
      '{SSHA',
      '{SMD5',
      '{MD5',
      '{CRYPT',
      '{PBKDF2',
      'SCRAM-SHA',
      'scrypt:',
    ],
    pattern: () =>
      /()(?=[pbs{S])(?<!\w)((?:pbkdf2_sha(?:1|256|512)\$|bcrypt_sha256\$|pbkdf2:sha\d{1,3}:\d{1,8}\$|scrypt:\d{1,8}:\d{1,3}:\d{1,3}\$|\{(?:S?SHA(?:256|512)?|S?MD5|CRYPT|PBKDF2[\w-]{0,12})\}|SCRAM-SHA-(?:1|256)\$\d{1,8}:)[\w./$=,:+-]{20,400})/y,
    accepts: always,
  },
  {
    kind: 'password-hash',
    anchors: [...'0123456789abcdef'].map((digit) => `*${digit}${ANY_CHARACTER}`),
    pattern: () => /()(?=\*[A-F0-9])(?<![\w*])(\*[A-F0-9]{40})(?!\w)/y,
    accepts: always,
  },
  {
    kind: 'mnemonic',
    anchors: ['mnemonic', 'seed', 'recovery', 'backup', 'secret', 'wallet', 'bip'],
    pattern: () =>
      /((?:mnemonic|(?:seed|recovery|backup|secret|wallet)[ _-]?(?:phrase|words|recovery)|bip-?39)[^\n:="'`]{0,40}(?:[:="'`\\]|\bis\b|\n|\\n)(?:[\s:="'`+-]|\\{1,8}[n"']?){0,12}(?:is\s)?)((?:(?:\d{1,2}[.)]\s?)?[a-z]{3,8}[\s,]{1,3}){11,23}(?:\d{1,2}[.)]\s?)?[a-z]{3,8})(?![a-z])/iy,
    accepts: (value) => !/\b(?:the|and|for|are|was|not|but|from|your|which)\b/.test(value),
  },
  {
    kind: 'secret',
    anchors: ['::add-mask', '::set-output', '::save-state'],
    pattern: () =>
      /(::add-mask::|::(?:set-output|set-env|save-state)\s{1,4}name=[\w-]{0,60}(?:token|secret|password|passwd|key|pass|pwd|credentials?)[\w-]{0,20}::)([^\s"'`\\]{3,2000})/iy,
    accepts: isGiven,
  },
  {
    kind: 'secret',
    anchors: ['##vso'],
    pattern: () =>
      /(##vso\[task\.setvariable[^\]\n]{0,200}issecret=true[^\]\n]{0,100}\])([^\s"'`\\]{3,2000})/iy,
    accepts: isGiven,
  },
  {
    kind: 'password',
    anchors: ['echo', 'printf', 'write-output'],
    needs: '|',
    pattern: () =>
      /((?:echo|printf|Write-Output)\s{1,4}(?:-[neE]{1,3}\s{1,4})?(?:["'\\]{0,2}%s(?:\\{1,2}n)?["'\\]{0,2}\s{1,4})?(?:\\{0,4}["'])?)([^\s"'|\\$][^"'|\n\\]{2,400}?)(?=\\{0,4}["']?\s{0,4}\|\s{0,4}(?:sudo\s+(?:-\w+\s+)*-\w*S|(?:sudo\s+)?[\w-]{2,20}\s[^|\n]{0,200}(?:--password-stdin|--with-token|--pass-?file[ =]-|--passphrase-fd|-pass(?:in|out)?\s+stdin|secret|login|luksOpen|luksFormat|passwd|--stdin)|(?:sudo\s+)?(?:chpasswd|passwd|smbpasswd)))/y,
    accepts: isGiven,
  },
  {
    kind: 'password',
    anchors: ['sudo', '--password-stdin', '--with-token', 'chpasswd'],
    needs: '<<<',
    pattern: () =>
      /((?:sudo\s+-\w*S|--password-stdin|--with-token|chpasswd)[^\n|;]{0,200}<<<\s{0,4}\\{0,4}["']?)([^\s"'`\\$][^\s"'`\\]{2,400})/y,
    accepts: isGiven,
  },
  {
    kind: 'password',
    anchors: ['value='],
    pattern: () =>
      /(\bvalue=\\{0,4}["']?)([^\s"'<>\\]{3,400})(?=\\{0,4}["']?(?:\s{1,4}[\w-]{1,30}=\\{0,4}["']?[^\s"'<>\\]{0,60}\\{0,4}["']?){0,3}\s{1,4}(?:name|id|type|key)=\\{0,4}["']?[\w.-]{0,40}(?:password|passwd|secret|token|api-?_?key)\b)/iy,
    accepts: (value) => isGiven(value) && (isRandom(value, 6) || /[^\w]/.test(value)),
  },
  // `log in with robin / V`
  {
    kind: 'password',
    anchors: ['login', 'log in', 'sign in', 'credential', 'creds'],
    needs: '/',
    pattern: () =>
      /(\b(?:login|log in|sign in|credentials?|creds)\b[^\n"'`/]{0,40}?[ "'`:(][\w.@+-]{2,60}["'`]?[ ]?\/[ ]?["'`]?)([^\s"'`()/,\\]{8,100})(?![\w/])/iy,
    accepts: isOpaqueWord,
  },
];
