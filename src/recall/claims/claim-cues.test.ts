import { expect, test } from 'vitest';
import { tokenise } from '../../indexing/tokenise.ts';
import { readClaimCues } from './claim-cues.ts';

test.each([
  ['never cache the token, because it is signed', { givesCause: true, givesRule: true }],
  ['the token is in the cache', { givesCause: false, givesRule: false }],
  ['nie direkt auf main, sonst bricht die CI', { givesCause: true, givesRule: true }],
  ['log में सिर्फ़ आख़िरी 4 अंक', { givesCause: false, givesRule: true }],
  ['лимит 45 секунд, иначе поставщик блокирует ключ', { givesCause: true, givesRule: false }],
  ['لا تستخدم هذه الحزمة', { givesCause: false, givesRule: true }],
])('%j', (claim, cues) => {
  expect(readClaimCues(tokenise(claim))).toEqual(cues);
});
