import { ANY_CHARACTER } from '../anchor-table.ts';
import { isOpaqueWord, isRandom, isReference } from '../secret-values.ts';
import { isScrambled } from '../words.ts';
import type { PlaceRule } from './place-rule.ts';

const isGiven = (value: string) => !isReference(value);
const isPassword = (value: string) => !isReference(value) && !/^\d+$/.test(value);

export const addressRules = (): PlaceRule[] => [
  {
    kind: 'password',
    anchors: ['://'],
    needs: '@',
    pattern: () =>
      /(:\/\/(?:\[redacted:[\w-]{1,30}\]|(?!\[redacted:)[^\s/:@"'`<>\\]{0,200}):(?!\d{1,5};))([^\s/"'`<>\\]{1,400})(?=@(?!sha256:))/y,
    accepts: isPassword,
  },
  // Only a web address can have an `@` in its path; elsewhere a slash may be part of the password.
  {
    kind: 'password',
    anchors: ['://'],
    needs: '@',
    pattern: () =>
      /(:\/\/(?<=\b(?:postgres(?:ql)?|mysql|mariadb|mongodb|rediss?|amqps?|mqtts?|ldaps?|s?ftps?|smtps?|imaps?|clickhouse|cockroachdb|sqlserver|mssql|neo4j|bolt|nats|kafka)(?:\+[a-z0-9]{1,12})?:\/\/)[^\s/:@"'`<>\\]{0,200}:(?!\d{1,5};))([^\s"'`<>\\]{1,200})(?=@[\w.[-])/y,
    accepts: isPassword,
  },
  {
    kind: 'token',
    anchors: ['://'],
    needs: '@',
    pattern: () => /(:\/\/)([^\s/:@;"'`<>\\]{12,400})(?=(?::(?:x-oauth-basic|x-access-token)?)?@)/y,
    accepts: (value) => isRandom(value, 16),
  },
  // A web server has no user names before the host, except `git` and accounts of code hosts, which are words.
  {
    kind: 'token',
    anchors: ['://'],
    needs: '@',
    pattern: () =>
      /(:\/\/(?<=\bhttps?:\/\/))([^\s/:@;"'`<>\\]{10,400})(?=(?::(?:x-oauth-basic|x-access-token)?)?@)/iy,
    accepts: (value) => isOpaqueWord(value) && /\d[^\d]+\d/.test(value),
  },
  // The DSN of an error tracker: its user is the key, whatever it looks like.
  {
    kind: 'key',
    anchors: ['://'],
    needs: '@',
    pattern: () =>
      /(:\/\/(?<=\bhttps?:\/\/))((?:(?<=dsn["'`\]]{0,2}[\s"'`:=>(\\]{1,12}https?:\/\/)[^\s/:@;"'`<>\\[][^\s/:@;"'`<>\\]{2,400}|[^\s/:@;"'`<>\\[][^\s/:@;"'`<>\\]{2,400}(?=(?::[^\s/:@]{0,100})?@(?:[\w-]{1,60}\.){0,5}sentry\.io\b))(?=[:@]))/iy,
    accepts: isGiven,
  },
  // `app:V@tcp(db:3306)/shop`: the DSN of Go's MySQL driver.
  {
    kind: 'password',
    anchors: ['@tcp(', '@unix('],
    searchesAll: true,
    pattern: () => /((?<![\w.-])[\w.-]{1,60}:)([^\s:"'`\\]{1,200})(?=@(?:tcp|unix)\()/g,
    accepts: isPassword,
  },
  {
    kind: 'password',
    anchors: ['jdbc:oracle', 'sqlplus'],
    needs: '@',
    pattern: () =>
      /((?:jdbc:oracle:thin:|sqlplus\s{1,4}(?:-\w{1,8}\s{1,4}){0,4}["'\\]{0,2})\w{1,60}\/)([^\s@"'`\\]{1,200})(?=@)/y,
    accepts: isPassword,
  },
  {
    kind: 'token',
    anchors: ['/reset', '/password-reset', '/verify', '/magic', '/invite', '/confirm', '/activate'],
    pattern: () =>
      /(\/(?:reset-password|password-reset|reset|verify(?:-email)?|magic(?:-link)?|invite|confirm|activate)\/)([\w-]{32,400})(?![\w/.-])/iy,
    accepts: (value) => /\d/.test(value) && isScrambled(value),
  },
  {
    kind: 'signature',
    anchors: [...'achkstx'].flatMap((start) => [`?${start}${ANY_CHARACTER}`, `&${start}${ANY_CHARACTER}`]),
    pattern: () =>
      /([?&](?:amp;)?(?:sig|signature|X-(?:Amz|Goog)-(?:Signature|Credential|Security-Token)|code|key|auth|hmac|access|session|ticket|sid|sas|st|s|t|k)=)([\w%+/.~-]{16,1000}=*)/iy,
    accepts: (value) => /\d/.test(value) && isRandom(value, 16),
  },
];
