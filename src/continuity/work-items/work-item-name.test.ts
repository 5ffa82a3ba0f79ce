import fc from 'fast-check';
import { expect, test } from 'vitest';
import { makeName, makeTitle } from './work-item-name.ts';

test.each([
  ['Fix the login form: it loses the email when validation fails', 'fix-login-form'],
  ['please add a CSV export to the orders page', 'add-csv-export-orders'],
  ['In src/orders/total.ts, the discount is wrong', 'total-discount-wrong'],
  ["Let's make the parser's errors readable", 'parser-errors-readable'],
  ['Can you look at this?\n\nThe worker hangs on SIGTERM', 'look-worker-hangs-sigterm'],
  ['Bitte repariere das Login-Formular', 'repariere-login-formular'],
  ['Überarbeite die Übersicht', 'uberarbeite-ubersicht'],
  ['修复登录页面的错误', '修复登录页面的错误'],
  ['ログインフォームの検証エラーを直してください', 'ログインフォームの検証エ'],
  ['로그인 양식 오류 수정', '로그인-양식-오류-수정'],
  ['Исправь форму входа', 'исправь-форму-входа'],
  ['see https://example.com/issues/12 and fix it', 'see-fix'],
  ['upgrade to node 22', 'upgrade-node-22'],
  ['why?', 'why'],
  ['???', 'work'],
  ['', 'work'],
  ['2024', 'work-2024'],
  ['con', 'work-con'],
  ['[private] rotate the key [redacted:token] of staging', 'rotate-key-staging'],
  ['```\nconst x = 1;\n```\nexplain the closure', 'explain-closure'],
  [`${'a'.repeat(60)} test`, 'a'.repeat(40)],
])('makes the name of %j: %s', (text, name) => {
  expect(makeName(text)).toBe(name);
});

test('any text gets a short, non-empty name that is a valid folder name', () => {
  const text = fc.oneof(fc.string({ unit: 'grapheme' }), fc.lorem(), fc.string({ unit: 'binary' }));
  fc.assert(
    fc.property(text, (request) => {
      const name = makeName(request);
      return /^[\p{L}\p{N}\p{M}]+(?:-[\p{L}\p{N}\p{M}]+)*$/u.test(name) && [...name].length <= 45;
    }),
    { numRuns: 300 },
  );
});

test.each([
  ['Fix the login form.\nIt loses the email.', 'Fix the login form.'],
  ['\n\n# Plan: Add a CSV export\n\n1. …', 'Add a CSV export'],
  ['# Plan\n1. do it', 'Plan'],
  ['- first thing', 'first thing'],
  ['  many   blanks  ', 'many blanks'],
  ['', 'Work'],
  ['[private]', 'Work'],
  [`${'long words '.repeat(12)}`, `${'long words '.repeat(7).trim()}…`],
  ['字'.repeat(100), `${'字'.repeat(79)}…`],
])('makes the title of %j: %s', (text, title) => {
  expect(makeTitle(text)).toBe(title);
});
