import { expect, test } from 'vitest';
import { edited, ran, turnOf } from '../../../test/support/made-up-turn.ts';
import { findPieces } from './cut-memory.ts';
import { findCorrector, readCorrections } from './find-corrected.ts';
import { findReplacedValues } from './replaced-values.ts';

const byPrompt = (prompt: string) => readCorrections([turnOf({ prompt })], [], []);
const byAgent = (closingWords: string) =>
  readCorrections([turnOf({ prompt: 'go on', closingWords })], [], []);
const justSaid = (text: string) => ({ text, files: [], byPerson: false, isJustSaid: true });

test.each([
  ['en', 'I set the TTL of the session cache to one day.', 'no, a week'],
  ['en', 'The export keeps files for 30 days.', 'not 30 days, 90'],
  ['en', 'Retries stop after 3 attempts.', '3 attempts is too few, make it 5 attempts'],
  ['en', 'The service runs on Node 18.19 now.', "18.19 isn't supported on our hosts, take 20.11"],
  ['en', 'The pool holds 20 connections.', 'use 50 connections instead of 20'],
  [
    'en',
    'The spool keeps rejected frames for 14 days.',
    "hm no, it's 30 on the boxes. the 14 is only what the source says",
  ],
  ['de', 'Sitzungen laufen nach einer Stunde ab.', 'nein, nach 8 Stunden'],
  ['de', 'Der Timeout steht auf 30 Sekunden.', 'nicht 30 Sekunden, sondern 2 Minuten'],
  ['de', 'Es bleiben 14 Tage Protokolle liegen.', '14 Tage reichen nicht, bitte 90 Tage'],
  ['fr', 'Le cache expire au bout de 10 minutes.', 'non, une heure'],
  ['fr', 'Les lots font 500 lignes.', '500 lignes c’est trop, mets 200 lignes'],
  ['es', 'Los tokens duran 15 minutos.', 'no, 5 minutos'],
  ['es', 'El lote tiene 100 filas.', 'en vez de 100 filas pon 250 filas'],
  ['pt', 'O cache expira em um dia.', 'não, uma semana'],
  ['pt', 'Cada página tem 20 itens.', 'não são 20 itens, são 50 itens'],
  ['it', 'I file restano per 7 giorni.', 'non 7 giorni, 30 giorni'],
  ['nl', 'De sessie verloopt na een uur.', 'nee, 8 uur'],
  ['pl', 'Kopie trzymamy 7 dni.', 'nie 7 dni, tylko 30 dni'],
  ['ru', 'Токен живёт час, потом 15 минут на обновление.', 'не 15 минут, а 30 минут'],
  ['tr', 'Oturum 30 dakika sürer.', '30 dakika değil, 8 saat'],
  ['zh', '缓存保留一天。', '不对，一周'],
  ['zh', '每页显示 20 条。', '不要 20 条，改成 50 条'],
  ['ja', 'セッションは 30 分で切れます。', '30分ではなく、8時間です'],
  ['ja', '1 ページに 20 件表示します。', 'いや、50 件にして'],
  ['ko', '세션은 30분 뒤에 만료됩니다.', '30분 아니고 8시간이에요'],
  ['ko', '한 페이지에 20개씩 보여 줍니다.', '아니, 50개로 해줘'],
  ['en', 'The upstream timeout is 30 s.', 'nice. the upstream timeout in prod is 8s, it is set in helm'],
  [
    'de',
    'Der Abgleich mit dem Lager läuft alle 10 Minuten.',
    'der abgleich mit dem lager läuft alle 60 minuten',
  ],
])('the person gives another value (%s): %s ← %s', (_language, said, prompt) => {
  expect(findCorrector(justSaid(said), byPrompt(prompt))).toBe('person');
});

test.each([
  [
    'I believe the duplicates are redeliveries.',
    'The cause is that both nodes subscribe with an id of their own.',
  ],
  ['Ich vermute ein Speicherleck im Treiber.', 'Die Ursache ist der Cache: er wird nie geleert.'],
])('a guess gives way to the cause that the next answer names: %s', (guess, cause) => {
  expect(findCorrector(justSaid(guess), byAgent(cause))).toBe('agent');
  expect(findCorrector({ ...justSaid(guess), isJustSaid: false }, byAgent(cause))).toBeNull();
  expect(findCorrector(justSaid(guess), byAgent(`${cause} ${guess}`))).toBeNull();
  expect(findCorrector(justSaid(guess), byAgent('I added the log line.'))).toBeNull();
});

test.each([
  ['en', 'keep the old bucket for two weeks', 'changed my mind, three weeks, month end is in between'],
  ['de', 'lass den alten Bucket zwei Wochen stehen', 'hab es mir anders überlegt, drei Wochen'],
  ['pt', 'deixa o FCV em 6.0 por duas semanas', 'mudei de ideia, três semanas, tem o fechamento do mês'],
])('the person gives another value than before (%s): %s ← %s', (_language, typed, prompt) => {
  const own = { ...justSaid(typed), byPerson: true };
  expect(findCorrector(own, byPrompt(prompt))).toBe('person');
  expect(findCorrector({ ...own, isJustSaid: false }, byPrompt(prompt))).toBeNull();
});

test.each([
  [
    'en',
    'I put @MainActor on the whole APIClient.',
    "don't put @MainActor on APIClient, decoding blocks the screen",
  ],
  ['ja', 'APIClient 全体に @MainActor を付けました。', 'APIClient に @MainActor は付けないでください'],
])('the person denies something of the same two names (%s): %s ← %s', (_language, said, prompt) => {
  expect(findCorrector(justSaid(said), byPrompt(prompt))).toBe('person');
  expect(findCorrector(justSaid('APIClient decodes the catalogue.'), byPrompt(prompt))).toBeNull();
});

test('a number of things that the person asked for and later changes', () => {
  const before = [edited('lib/retry.ex', '@attempts 8', '@attempts 12')];
  const prompt = 'make it 12 attempts over 72 hours please';
  const later = readCorrections(
    [turnOf({ prompt, calls: before, closingWords: 'Now 12 attempts.' })],
    [],
    [],
  );
  const own = { ...justSaid('I want 8 attempts spread over a day.'), byPerson: true, isJustSaid: false };
  expect(findCorrector(own, later)).toBe('person');
});

test('a value that the person asks about and the agent replaces', () => {
  const said = 'La lambda tourne tous les 30 jours.';
  const answer = (closingWords: string) =>
    readCorrections([turnOf({ prompt: "t'es sûr pour les 30 jours ?", closingWords })], [], []);
  expect(findCorrector(justSaid(said), answer('Tu as raison, en production c’est 45 jours.'))).toBe('agent');
  expect(findCorrector(justSaid(said), answer('Oui, 30 jours : `rotation_days` le fixe.'))).toBeNull();
});

test('a recommendation that is not taken', () => {
  const said = 'I recommend BullMQ for the mails.';
  const next = (prompt: string, closingWords: string) =>
    readCorrections([turnOf({ prompt, closingWords })], [], []);
  expect(findCorrector(justSaid(said), next('go with the table', 'The table mail_outbox is there.'))).toBe(
    'person',
  );
  expect(findCorrector(justSaid(said), next('ok', 'The queue is there.'))).toBeNull();
  expect(
    findCorrector(justSaid(said), next('how fast is it?', 'I recommend BullMQ for the mails.')),
  ).toBeNull();
});

test('a name that was introduced and then renamed', () => {
  const introduced = turnOf({ calls: [edited('src/keeper.kt', '', 'class BalanceKeeper')] });
  const renamed = turnOf({
    prompt: 'call it Ledger',
    calls: [edited('src/ledger.kt', 'class BalanceKeeper', 'class Ledger')],
  });
  const earlier = findReplacedValues(introduced).map((edit) => ({ ...edit, turnId: 1, isCommitted: false }));
  const corrections = readCorrections([renamed], earlier, []);
  expect(findCorrector(justSaid('The logic now lives in BalanceKeeper.'), corrections)).toBe('edit');
  expect(findCorrector(justSaid('Money is summed in minor units now.'), corrections)).toBeNull();
});

test.each([
  [
    'en',
    'exportJob() pushes progress over WebSocket.',
    'WebSocket is gone, because the gateway closes long connections.',
  ],
  ['zh', '进度通过 WebSocket 推送。', '改好了，WebSocket 已经去掉，因为网关不支持。'],
])('what the agent says is gone (%s): %s ← %s', (_language, said, answer) => {
  expect(findCorrector(justSaid(said), byAgent(answer))).toBe('edit');
  expect(findCorrector(justSaid(said), byAgent('The old csv writer is gone.'))).toBeNull();
});

test('a value that both name, and what the person excludes', () => {
  const said =
    'The reminder goes out three days before, and if that is a holiday, on the calendar day before it.';
  expect(findCorrector(justSaid(said), byPrompt('3 days is right, business days, not calendar'))).toBe(
    'person',
  );
});

test('a total, after some of it was put back', () => {
  const done = turnOf({ calls: [edited('fatture/a.java', 'Date day', 'Instant day')] });
  const earlier = findReplacedValues(done).map((edit) => ({ ...edit, turnId: 1, isCommitted: false }));
  const back = turnOf({ prompt: 'put fatture back', calls: [ran('git checkout -- fatture')] });
  const corrections = readCorrections([back], earlier, []);
  const report = (text: string) => ({
    ...justSaid(text),
    files: ['fatture/a.java', 'ordini/b.java'],
    reportOf: 1,
  });
  expect(findCorrector(report('No class uses Date any more.'), corrections)).toBe('edit');
  expect(findCorrector(report('The converter applies itself.'), corrections)).toBeNull();
});

test('work that was mostly replaced', () => {
  const done = turnOf({ calls: [edited('theme.ts', "mode: 'light'", "mode: 'dark'")] });
  const replaced = turnOf({
    prompt: 'light again',
    calls: [edited('theme.ts', "mode: 'dark'", "mode: 'system'")],
  });
  const earlier = findReplacedValues(done).map((edit) => ({ ...edit, turnId: 1, isCommitted: false }));
  const corrections = readCorrections([replaced], earlier, []);
  const report = { ...justSaid('New users now start with the dim design.'), reportOf: 1 };
  expect(findCorrector(report, corrections)).toBe('edit');
  expect(findCorrector({ ...report, reportOf: 2 }, corrections)).toBeNull();
});

test.each([
  ['en', 'I don’t know why it is slower.', 'The cause was an ADC that stayed on.'],
  ['de', 'Die Ursache ist noch unklar.', 'Die Ursache war ein ADC, der an blieb.'],
  ['ja', '原因はまだ分かりません。', '原因は ADC が止まっていなかったことでした。'],
])('a cause that is found after all (%s): %s ← %s', (_language, said, answer) => {
  expect(findCorrector(justSaid(said), byAgent(answer))).toBe('agent');
  expect(findCorrector(justSaid(said), byAgent(said))).toBeNull();
});

test.each([
  [
    'names another',
    'The importer writes to the staging bucket.',
    'it writes to the archive bucket, not staging',
  ],
  ['names another (de)', 'Der Import läuft auf web01.', 'nein, auf web02'],
  ['names another (fr)', 'Le déploiement passe par Jenkins.', 'non, par GitLab, pas Jenkins'],
  ['rejects', 'I added Redis for the session lock.', 'no redis for the lock, use an advisory lock'],
  [
    'rejects (es)',
    'Para reparar los datos propongo cargar desde enero.',
    'no, enero no: esos datos están bien',
  ],
])('a prompt that %s', (_name, said, prompt) => {
  expect(findCorrector(justSaid(said), byPrompt(prompt))).toBe('person');
});

test.each([
  ['en', '1. Redis for the lock, that is my pick', 'we run no redis here, take an advisory lock'],
  ['de', 'Ich würde Quartz einsetzen', 'Quartz bitte nicht, das betreibt bei uns niemand'],
  ['es', 'Recomiendo Celery para los envíos', 'sin Celery, no queremos otro servicio'],
  ['zh', '用 Lodash 的 debounce，我倾向这个', 'Lodash 不要引，自己写'],
])('the person refuses what the agent leans to (%s): %s ← %s', (_language, said, prompt) => {
  expect(findCorrector(justSaid(said), byPrompt(prompt))).toBe('person');
  expect(findCorrector(justSaid(said), byPrompt('ok'))).toBeNull();
});

test.each([
  ['another subject', 'The pool holds 20 connections.', 'also log a warning when a job takes more than 30 s'],
  ['agrees', 'The pool holds 20 connections.', 'ok, 20 connections is fine'],
  ['the value that holds', 'The pool holds 50 connections.', 'use 50 connections, not 20'],
  ['excludes what was explained', 'Yarn fails because its lockfile is stale.', 'use pnpm, not yarn'],
  ['asks about another value', 'The grace period is 45 s.', 'but why 45 s and not simply 90 s?'],
  [
    'calls another value wrong',
    'The fan-out runs on the hour.',
    'unique for 1 hour is wrong, make it 6 days',
  ],
  ['asks', 'Sessions end after 30 minutes.', 'why 30 minutes?'],
  ['denies something else', 'Sessions end after 30 minutes.', 'no, do not touch the login page'],
  ['a number by the way', 'The table has 40 columns.', 'no, the 3 tests in cart.test.ts must stay'],
])('a prompt that %s', (_name, said, prompt) => {
  expect(findCorrector(justSaid(said), byPrompt(prompt))).toBeNull();
});

test.each([
  [
    'takes a value back',
    'Certificates are renewed 30 days before they expire.',
    'Correction: certificates are renewed not 30 but 20 days before they expire.',
  ],
  [
    'tells the value that holds now',
    'The struct is 584 bytes.',
    'The alignment made 584 into 608. After that the struct is 576 bytes.',
  ],
  [
    'refutes a suspicion',
    'I suspect the connection pool of the importer.',
    'The connection pool of the importer is not the cause: 3 of 20 are in use.',
  ],
])('the agent %s', (_name, said, words) => {
  expect(findCorrector({ ...justSaid(said), isJustSaid: false }, byAgent(words))).toBe('agent');
});

test.each([
  [
    'measures again',
    'The generic plan scans 48 million rows in 8.7 s.',
    '8.7 s → 39 ms for the plan of tenant 42.',
  ],
  [
    'tells a rule',
    'Module 4.2.0 changed the health check path.',
    'Downgrading the module from 4.2 to 4.1 replaces the address.',
  ],
])('an agent that %s takes nothing back', (_name, said, words) => {
  expect(findCorrector({ ...justSaid(said), isJustSaid: false }, byAgent(words))).toBeNull();
});

test('an agent does not take back what the person said', () => {
  const rule = { text: 'The struct is 600 bytes at most.', files: [], byPerson: true, isJustSaid: false };
  expect(findCorrector(rule, byAgent('Not 600 but 576 bytes is what the struct takes.'))).toBeNull();
});

test('a sentence that points at one that is gone goes with it', () => {
  const text = 'The TTL is one day. That is enough for a rollback. Entries are compressed.';
  expect(findPieces(text, (piece) => piece.includes('one day'))).toEqual([
    'The TTL is one day.',
    'That is enough for a rollback.',
  ]);
});

test('a count that an edit replaced, also in words', () => {
  const calls = [edited('src/save.gd', 'rotate(3)', 'rotate(5)')];
  const turn = turnOf({ prompt: 'make it five', calls, closingWords: 'It keeps five copies now.' });
  const by = readCorrections([turn], [], []);
  const earlier = (text: string) => ({ ...justSaid(text), isJustSaid: false });
  expect(findCorrector(earlier('Three copies are kept beside the save.'), by)).toBe('edit');
  expect(findCorrector(earlier('Three players lost their saves.'), by)).toBeNull();
});

test.each([
  [
    'an acronym',
    'I write the CSV with fputcsv.',
    "stop, they don't want a csv but the fixed-width format",
    'person',
  ],
  [
    'words',
    'The upload is kept in the cache folder.',
    'stop. do not keep anything in the cache folder',
    'person',
  ],
  ['nothing of it', 'I write the CSV with fputcsv.', "stop, don't run the whole suite", null],
])('a prompt that stops the agent and rejects %s', (_name, said, prompt, expected) => {
  const stopped = turnOf({ said: [{ text: said, place: 0 }] });
  expect(findCorrector(justSaid(said), readCorrections([turnOf({ prompt })], [], [stopped]))).toBe(expected);
});
