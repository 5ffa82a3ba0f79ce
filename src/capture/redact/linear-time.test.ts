import { expect, it } from 'vitest';
import { randomFrom } from '../../../test/support/random.ts';
import type { Json } from '../../model/json.ts';
import { cleanPayload } from '../clean.ts';
import { commandRules } from './rules/commands.ts';
import { tokenRules } from './rules/tokens.ts';

/** Beginnings of all texts that a rule looks for: repeating them makes each rule try again and again. */
const pieces = [
  ...['a', '0', '=', '/', '+', '-', '"', "'", '`', '\\', ':', '|', '<', '$', '\n', ' ', '\t', 'é'],
  ...['PWD=/', 'password=', 'password: ', 'password="\\', 'token ', 'secret_', 'api key: ', '--token '],
  ...['://a:', 'postgres://a:', 'https://aB3', 'curl -u a:', 'mysql -p', 'echo a | sudo ', 'sshpass -p '],
  ...['Authorization: ', 'Bearer ', 'Cookie: a=', 'eyJ-', 'eyJa.', 'sk-', 'JQQJ99', '-us1', '.aaaaaa.'],
  ...[`-----BEGIN ${'PRIVATE'} KEY-----\n`, `-----END ${'PRIVATE'} KEY-----\n`, 'MIIEvQIBADANBgkqhkiG9w0B\n'],
  ...[
    'Private-Lines: 3\n',
    '<private>',
    '</private>',
    '<private',
    '<cairn-context>',
    '<cairn-context>\n',
    '\n</cairn-context>',
    '<pri<cairn-context>\n\n</cairn-context>vate>',
  ],
  ...[
    '\x1b[33m',
    '\x1b]0;',
    '\\u001b[33m',
    '^[[',
    '[33m',
    '| password | ',
    'user,password\n',
    'kind: Secret\ndata:\n',
  ],
  ...[
    '"kty":"d":"',
    'mnemonic: able ',
    'able ',
    "IDENTIFIED BY 'a",
    'value="a" ',
    '<password>a',
    'name="password">',
  ],
  ...[
    'password%3D',
    'password&quot;:',
    'API_KEY\nvalue:',
    '$2b$',
    '*:*:*:',
    'a:5432:b:',
    '::add-mask::',
    'ENV PASSWORD ',
  ],
  ...[
    '\x1b]0;aaaaaaaaaa\x07',
    'a\u200b',
    'password="""',
    'password = <<EOT\n',
    '**password** (a',
    '<td>password</td><td>',
    'setPassword("',
  ],
  ...[
    "auth('a', ",
    "PDO('a', ",
    'variable "password" { default ',
    'form-data; name="password"',
    '"value":"aaaa",',
    'insert into a (password) values ',
    "('a',",
  ],
  ...['SETUSER a ', 'AUTH a ', 'send "', 'login with ', 'mot de passe ', '密码：', 'Пароль ', '/reset/aB3'],
  ...tokenRules().map(({ starts }) => starts.replaceAll(/\{[\d,]+\}|\(\?[:=!<]+|[()?|\\^]|\[[^\]]*\]/g, '')),
  ...commandRules().map(
    ({ command, flags = [], glued = [], pairs = [] }) =>
      `${command} ${[...flags, ...glued, ...pairs][0] ?? ''} `,
  ),
].filter((piece) => piece !== '');

/** Texts of a size: each piece alone, then pieces drawn together. */
function makers(): ((size: number) => string)[] {
  const random = randomFrom(11);
  const draw = () => pieces[random.below(pieces.length)] ?? 'a';
  const mixed = Array.from({ length: 60 }, () => draw() + draw() + draw());
  return [...new Set([...pieces, ...mixed])].map(
    (piece) => (size) => piece.repeat(Math.ceil(size / piece.length)).slice(0, size),
  );
}

const SMALL = 8_192;

function bestTime(text: string, runs: number): number {
  let best = Number.POSITIVE_INFINITY;
  for (let run = 0; run < runs; run++) {
    const start = process.cpuUsage();
    cleanPayload(text, { maxText: 10_000_000 });
    const { user, system } = process.cpuUsage(start);
    best = Math.min(best, (user + system) / 1000);
  }
  return best;
}

it('takes time in proportion to the length of the text', () => {
  const slow = makers().flatMap((make) => {
    const time = bestTime(make(SMALL * 8), 1);
    // For texts that are fast at this size, a ratio would only measure noise.
    if (time < 100) return [];
    const ratio = bestTime(make(SMALL * 8), 2) / Math.max(1, bestTime(make(SMALL * 2), 2));
    return ratio > 10
      ? [`${JSON.stringify(make(40))}: 4 times the text took ${ratio.toFixed(1)} times as long`]
      : [];
  });
  expect(slow).toEqual([]);
}, 120_000);

it('cleans a list that is nested three million deep', () => {
  const depth = 3_000_000;
  const nested: Json = JSON.parse('['.repeat(depth) + ']'.repeat(depth));
  expect(JSON.stringify(cleanPayload(nested))).toContain('[nested too deep]');
});

it('cleans an object with a million keys', () => {
  const wide = Object.fromEntries(Array.from({ length: 1_000_000 }, (_, number) => [`k${number}`, number]));
  expect(cleanPayload(wide)).toBe(wide);
});
