import { isRandom, isReference } from '../secret-values.ts';
import type { PlaceRule } from './place-rule.ts';

const isGiven = (value: string) => value.length >= 3 && !isReference(value);
const always = () => true;

/** Files and statements of a known form, and hashes of passwords. */
export const credentialRules: PlaceRule[] = [
  {
    kind: 'password',
    hints: ['fied by', 'fied with', 'FIED '],
    pattern:
      /(\bidentified\s{1,9}(?:with\s{1,9}\S{1,60}\s{1,9})?(?:by|as)\s{1,9}(?:password\s{1,9}|values\s{1,9})?\\{0,4}["'`])([^"'`\\\n]{1,200})/gi,
    accepts: isGiven,
  },
  {
    kind: 'password',
    hints: ['PASSWORD(', 'PASSWORD ('],
    pattern: /(\bPASSWORD\s{0,3}\(\s{0,3}\\{0,4}["'])([^"'\\\n]{1,200})(?=\\{0,4}["']\s{0,3}\))/g,
    accepts: isGiven,
  },
  {
    kind: 'password',
    hints: ['SET PASSWORD', 'set password'],
    pattern:
      /(\bSET\s{1,9}PASSWORD\s{0,9}(?:FOR\s{1,9}\S{1,100}\s{0,9})?=\s{0,9}\\{0,4}["'])([^"'\\\n]{1,200})/gi,
    accepts: isGiven,
  },
  {
    kind: 'password',
    hints: ['SecureString', 'securestring'],
    pattern:
      /(ConvertTo-SecureString\s{1,9}(?:-(?:String|AsPlainText|Force)\s{1,9}){0,3}\\{0,4}["']?)([^\s"'\\]{3,200})/gi,
    accepts: (value) => isGiven(value) && !value.startsWith('-'),
  },
  {
    kind: 'password',
    hints: [':'],
    // The sign and the port first: a pattern that begins with a name would be tried at every word.
    pattern:
      /(:(?:\d{4,5}|\*):(?<=(?<![^\s"'`>+-])(?:[\w-]{1,60}(?:\.[\w-]{1,60}){0,6}|\*):(?:\d{4,5}|\*):)(?:[A-Za-z_][\w-]{0,60}|\*):[A-Za-z_][\w.@-]{0,60}:)([^\s:"'`\\]{4,200})(?![^\s"'`\\])/g,
    accepts: isGiven,
  },
  {
    kind: 'private-key',
    hints: ['kty"', "kty'", 'kty\\', '"kty'],
    pattern:
      /(["']\\{0,8}(?:d|p|q|dp|dq|qi|k)\\{0,8}["']\s{0,4}:\s{0,4}\\{0,8}["'])([\w+/=-]{16,2000})(?=\\{0,8}["'])/g,
    accepts: always,
  },
  {
    kind: 'password-hash',
    hints: ['$'],
    pattern:
      /()(?=\$)(?<![\w$])((?:\$(?:1|2[abxy]?|5|6|7|8|9|y|gy|apr1|md5|sha1|argon2\w{0,2}|scrypt|pbkdf2[\w-]{0,20}|bcrypt-sha256)\$|\$[PH]\$)[\w./$=,+-]{20,400})/g,
    accepts: always,
  },
  {
    kind: 'password-hash',
    hints: [
      'pbkdf2',
      'bcrypt_sha',
      '{SHA',
      '{SSHA',
      '{SMD5',
      '{MD5}',
      '{CRYPT',
      '{PBKDF2',
      'SCRAM-SHA',
      'scrypt:',
    ],
    pattern:
      /()(?=[pbs{S])(?<!\w)((?:pbkdf2_sha(?:1|256|512)\$|bcrypt_sha256\$|pbkdf2:sha\d{1,3}:\d{1,8}\$|scrypt:\d{1,8}:\d{1,3}:\d{1,3}\$|\{(?:S?SHA(?:256|512)?|S?MD5|CRYPT|PBKDF2[\w-]{0,12})\}|SCRAM-SHA-(?:1|256)\$\d{1,8}:)[\w./$=,:+-]{20,400})/g,
    accepts: always,
  },
  {
    kind: 'password-hash',
    hints: ['*'],
    pattern: /()(?=\*[A-F0-9])(?<![\w*])(\*[A-F0-9]{40})(?!\w)/g,
    accepts: always,
  },
  {
    kind: 'mnemonic',
    hints: [
      'nemonic',
      'NEMONIC',
      'phrase',
      'PHRASE',
      'Phrase',
      'words',
      'bip39',
      'BIP39',
      'BIP-39',
      'ecovery',
    ],
    pattern:
      /((?:mnemonic|(?:seed|recovery|backup|secret|wallet)[ _-]?(?:phrase|words|recovery)|bip-?39)[^\n:="'`]{0,40}(?:[:="'`\\]|\bis\b|\n|\\n)(?:[\s:="'`+-]|\\{1,8}[n"']?){0,12}(?:is\s)?)((?:(?:\d{1,2}[.)]\s?)?[a-z]{3,8}[\s,]{1,3}){11,23}(?:\d{1,2}[.)]\s?)?[a-z]{3,8})(?![a-z])/gi,
    accepts: (value) => !/\b(?:the|and|for|are|was|not|but|from|your|which)\b/.test(value),
  },
  {
    kind: 'secret',
    hints: ['::add-mask', '::set-output', '::set-env', '::save-state'],
    pattern:
      /(::add-mask::|::(?:set-output|set-env|save-state)\s{1,4}name=[\w-]{0,60}(?:token|secret|password|passwd|key|pass|pwd|credentials?)[\w-]{0,20}::)([^\s"'`\\]{3,2000})/gi,
    accepts: isGiven,
  },
  {
    kind: 'secret',
    hints: ['issecret=true'],
    pattern: /(##vso\[task\.setvariable[^\]\n]{0,200}issecret=true[^\]\n]{0,100}\])([^\s"'`\\]{3,2000})/gi,
    accepts: isGiven,
  },
  {
    kind: 'password',
    hints: ['echo ', 'printf ', 'Write-Output '],
    pattern:
      /((?:echo|printf|Write-Output)\s{1,4}(?:-[neE]{1,3}\s{1,4})?(?:["'\\]{0,2}%s(?:\\{1,2}n)?["'\\]{0,2}\s{1,4})?(?:\\{0,4}["'])?)([^\s"'|\\$][^"'|\n\\]{2,400}?)(?=\\{0,4}["']?\s{0,4}\|\s{0,4}(?:sudo\s+(?:-\w+\s+)*-\w*S|(?:sudo\s+)?[\w-]{2,20}\s[^|\n]{0,200}(?:--password-stdin|--with-token|--pass-?file[ =]-|--passphrase-fd|-pass(?:in|out)?\s+stdin|secret|login|luksOpen|luksFormat|passwd|--stdin)|(?:sudo\s+)?(?:chpasswd|passwd|smbpasswd)))/g,
    accepts: isGiven,
  },
  {
    kind: 'password',
    hints: ['<<< ', '<<<"', "<<<'"],
    pattern:
      /((?:sudo\s+-\w*S|--password-stdin|--with-token|chpasswd)[^\n|;]{0,200}<<<\s{0,4}\\{0,4}["']?)([^\s"'`\\$][^\s"'`\\]{2,400})/g,
    accepts: isGiven,
  },
  {
    kind: 'password',
    hints: ['value='],
    pattern:
      /(\bvalue=\\{0,4}["']?)([^\s"'<>\\]{3,400})(?=\\{0,4}["']?(?:\s{1,4}[\w-]{1,30}=\\{0,4}["']?[^\s"'<>\\]{0,60}\\{0,4}["']?){0,3}\s{1,4}(?:name|id|type|key)=\\{0,4}["']?[\w.-]{0,40}(?:password|passwd|secret|token|api-?_?key)\b)/gi,
    accepts: (value) => isGiven(value) && (isRandom(value, 6) || /[^\w]/.test(value)),
  },
];
