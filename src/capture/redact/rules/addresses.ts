import { ANY_CHARACTER } from '../anchor-table.ts';
import { isRandom, isReference } from '../secret-values.ts';
import { isScrambled } from '../words.ts';
import type { PlaceRule } from './place-rule.ts';

const isPassword = (value: string) => !isReference(value) && !/^\d+$/.test(value);

export const addressRules = (): PlaceRule[] => [
  {
    kind: 'password',
    anchors: ['://'],
    needs: '@',
    pattern: () => /(:\/\/[^\s/:@"'`<>\\]{0,200}:(?!\d{1,5};))([^\s/"'`<>\\]{1,400})(?=@(?!sha256:))/y,
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
