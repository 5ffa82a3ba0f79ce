import { expect, test } from 'vitest';
import { type PromptKind, readPromptKind } from './prompt-kind.ts';

/** The names of what is true of a prompt. */
function kindOf(prompt: string): string[] {
  const kind = readPromptKind(prompt);
  return (Object.keys(kind) as (keyof PromptKind)[]).filter((name) => kind[name]);
}

test.each([
  ['May we raise the limit?', ['asksLeave']],
  ['how can I see the open ports?', ['asksHow']],
  ['darf ich die Tabelle leeren?', ['asksLeave']],
  ['soll der Dialog beim Klick daneben zugehen?', []],
  ['the worker crashes again', ['reportsTrouble', 'recallsPast']],
  ['Add a badge to the readme', ['ordersWork']],
  ['the retry should back off, please change it', ['ordersWork']],
  ['could you draw the sign-up flow?', ['asksAgent']],
  ['ログを直してください', ['ordersWork']],
  ['なぜ45秒でしたか', ['asksReason', 'recallsPast']],
  ['이미지 크기를 줄이자', ['ordersWork']],
  ['이미 정해졌나요', ['recallsPast']],
  ['où est la clé ?', ['asksHow']],
  ['order history में pagination चाहिए', ['ordersWork']],
  ['mobile number print करवा दूँ क्या', ['asksLeave']],
  ['how long are the files kept?', ['asksAmount']],
  ['wie lange bleiben die Dateien?', ['asksAmount']],
  ['neden 45 saniye?', ['asksReason']],
  ['¿se puede subir el límite?', ['asksLeave']],
  ['mira si se puede cachear el directorio', ['ordersWork']],
  ['añade paginación al listado de clientes', ['ordersWork']],
  ['시간 비교를 바꾸면 안 되는 이유가 뭔가요?', ['asksLeave', 'asksReason']],
  ['what is the difference between a list and a tuple?', ['asksHow', 'asksDifference']],
  ['quelle différence entre import et require ?', ['asksDifference']],
  ['чем record отличается от класса?', ['asksDifference']],
  ['flex 和 grid 分别适合什么场景？', ['asksDifference']],
  ['the port of the gateway', []],
  ['the logo on the invoice is blurred, replace it with an SVG', ['ordersWork']],
  ['il menu laterale sparisce su tablet, sistemalo', ['ordersWork']],
  ['το docker image βγαίνει 1.2 GB, κοίτα τι φταίει', ['ordersWork']],
  ['תוסיף דשבורד בגרפנה', ['ordersWork']],
  ['γιατί το είχαμε βγάλει πριν', ['asksReason', 'recallsPast']],
])('%j', (prompt, kind) => {
  expect(kindOf(prompt)).toEqual(kind);
});

test('of a long prompt only the beginning and the end are read', () => {
  const log = 'line of a log\n'.repeat(200);
  expect(kindOf(`${log}may we drop this?\n${log}`)).toEqual([]);
  expect(kindOf(`${log}may we drop this?`)).toEqual(['asksLeave']);
});
