import { isReference } from '../secret-values.ts';
import { isScrambled } from '../words.ts';
import type { PlaceRule } from './place-rule.ts';

/** Credentials are opaque, unlike code and prose after the same words. */
function isCredential(value: string): boolean {
  const [first = ''] = value.split(/[\s,;]/, 1);
  if (first.length < 6 || isReference(first) || /^[A-Za-z_$][\w$.]*[([]/.test(first)) return false;
  return /\d/.test(first) || isScrambled(first) || /^[\w.-]+=./.test(first);
}

/** HTTP headers, case-insensitive, as a line or a quoted pair. */
export const headerRules = (): PlaceRule[] => [
  {
    kind: 'authorization',
    anchors: ['authorization'],
    pattern: () =>
      /(authorization(?<!redacted:authorization)["'`\\\]]{0,9}\s{0,9}[:=,]\s{0,9}["'`\\]{0,9}(?:(?:bearer|basic|token|api-?key|digest|negotiate|aws4-hmac-sha256|bot|key|ssws|splunk|genie|client-id|oauth|pve\w{0,10}|\w{2,20}(?=\s+\S{20}))\s{1,9})?)([^\s"'`\\][^"'`\r\n\\]{5,4000})/iy,
    accepts: isCredential,
  },
  {
    kind: 'authorization',
    anchors: ['bearer'],
    pattern: () => /(bearer["'\\]{0,4}[:,]?\s{1,9}["'\\]{0,4})([\w.~+/-]{16,}=*)/iy,
    accepts: isCredential,
  },
  {
    kind: 'authorization',
    anchors: ['basic'],
    pattern: () => /(\bbasic\s{1,9})([A-Za-z0-9+/]{12,2000}={0,2})(?![\w.])/iy,
    accepts: (value) => isCredential(value) && /^[ -9;-~]{1,200}:/.test(decode(value)),
  },
  {
    kind: 'cookie',
    anchors: ['cookie'],
    pattern: () => /(cookie["'\\]{0,9}\s{0,9}:\s{0,9}["'\\]{0,9})([\w.-]{1,100}=[^"'\r\n\\]{4,4000})/iy,
    accepts: isCredential,
  },
];

/** The credentials of basic authentication are a user and a password. */
function decode(value: string): string {
  return Buffer.from(value, 'base64').toString('latin1');
}
