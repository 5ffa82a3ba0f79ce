import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { updateIndex } from '../indexing/update-index.ts';
import { type Database, openDatabase } from '../store/sqlite/open.ts';
import { openSqliteStore } from '../store/sqlite/sqlite-store.ts';
import type { Store } from '../store/store.ts';
import { recall } from './recall.ts';
import type { RecallRequest } from './request.ts';
import { PUSH_THRESHOLD } from './threshold.ts';

const DAY = 86_400_000;
const NOW = new Date(2026, 5, 15, 12).getTime();

interface Told {
  text: string;
  title?: string;
  kind?: string;
  type?: string;
  project?: number;
  session?: number;
  saidBy?: string;
  branch?: string;
  scope?: string;
  aliases?: string[];
  files?: string[];
  daysAgo?: number;
}

describe('recall', () => {
  let folder: string;
  let db: Database;
  let store: Store;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'cairn-recall-'));
    db = openDatabase(join(folder, 'cairn.db'));
    store = openSqliteStore(join(folder, 'cairn.db'));
    for (const [id, name] of [
      [1, 'shop'],
      [2, 'blog'],
    ] as const)
      db.prepare('INSERT INTO projects (id, name, created_at) VALUES (?, ?, 0)').run(id, name);
    for (let id = 1; id <= 9; id++)
      db.prepare(`
        INSERT INTO sessions (id, agent, agent_session, project_id, first_seen, last_seen) VALUES (?, ?, ?, 1, 0, 0)`).run(
        id,
        id === 9 ? 'codex' : 'claude-code',
        `session-${id}`,
      );
    // So that words are as rare as they are in life.
    for (let number = 0; number < 40; number++)
      tell({ text: `Filler ${number} about nothing much at all`, daysAgo: 90 });
  });
  afterEach(() => {
    store.close();
    db.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('finds by meaning words in any order and form', () => {
    const id = tell({ text: 'We switched from npm to pnpm because installs were slow' });
    expect(ids('why did we switch to pnpm')).toEqual([id]);
    expect(ids('pnpm switching installed')).toEqual([id]);
  });

  it('finds code by name, part, path and error', () => {
    const id = tell({ text: 'parseConfig throws ERR_MODULE_NOT_FOUND', files: ['src/config/load-file.ts'] });
    for (const query of [
      'parseConfig',
      'parse_config',
      'ERR_MODULE_NOT_FOUND',
      'load-file.ts',
      'src/config/load-file.ts',
    ])
      expect(ids(query)).toEqual([id]);
  });

  it('finds two characters of Chinese, Japanese and Korean', () => {
    const id = tell({ text: '登录页面的缓存有问题。検索は遅い。결제 오류' });
    for (const query of ['缓存', '検索', '오류', '登录缓存']) expect(ids(query)).toEqual([id]);
  });

  it('finds by another word that a person gave it', () => {
    const id = tell({ text: 'The build server runs at night', aliases: ['jenkins'] });
    expect(ids('jenkins')).toEqual([id]);
  });

  it('puts the title before the text', () => {
    const inText = tell({ title: 'Payments', text: 'among other things the webhook was renamed yesterday' });
    const inTitle = tell({
      title: 'The webhook',
      text: 'among other things payments were renamed yesterday',
    });
    expect(ids('webhook')).toEqual([inTitle, inText]);
  });

  it('finds the answer next to the question', () => {
    const question = tell({ text: 'Which database do we use for the analytics?', session: 2 });
    const answer = tell({ text: 'ClickHouse, on the small machine', session: 2 });
    tell({ text: 'Good to know, thanks', session: 3 });
    expect(ids('analytics database')).toEqual([question, answer]);
  });

  it('puts who tells before who asks', () => {
    const asks = tell({ text: 'Does the importer drop empty rows?', session: 2 });
    const tells = tell({ text: 'The importer drops empty rows', session: 3 });
    expect(ids('importer empty rows')).toEqual([tells, asks]);
  });

  it('puts the words of whom is asked for first', () => {
    const other = tell({ text: 'You painted a sunrise for the kitchen', saidBy: 'Melanie', session: 2 });
    const parsed = tell({ text: 'I painted a sunrise for the kitchen', saidBy: 'Caroline', session: 3 });
    expect(ids('What did Caroline paint?').slice(0, 2)).toEqual([parsed, other]);
    const agent = tell({ text: 'Use the blue keyboard layout', saidBy: 'assistant', session: 4 });
    const person = tell({ text: 'Blue keyboard layout it is', saidBy: 'user', session: 5 });
    expect(ids('which keyboard layout did you suggest')[0]).toBe(agent);
    expect(ids('which keyboard layout is my favourite')[0]).toBe(person);
  });

  it('puts the time that is asked about first', () => {
    const may = tell({ text: 'Moved the queue to Redis', daysAgo: 30 });
    const june = tell({ text: 'Moved the queue to Kafka', daysAgo: 3 });
    expect(ids('what happened to the queue in May')[0]).toBe(may);
    expect(ids('what happened to the queue on Friday')[0]).toBe(june);
  });

  it('puts this branch, and the files at hand, first', () => {
    const here = tell({ text: 'The cache key has the locale in it', branch: 'fix/cache', daysAgo: 5 });
    const there = tell({ text: 'The cache key has the tenant in it', branch: 'other', daysAgo: 4 });
    expect(ids('cache key', { branch: 'fix/cache' })).toEqual([here, there]);
    expect(ids('cache key', { branch: 'other' })).toEqual([there, here]);
    const file = tell({ text: 'The cache key has the user in it', files: ['src/cache.ts'], daysAgo: 50 });
    expect(ids('cache key', { files: ['src/cache.ts'] })[0]).toBe(file);
  });

  it('does not take a branch of another project for this one', () => {
    const id = tell({ text: 'The feed is cached', branch: 'main', project: 2 });
    const global = tell({ text: 'Feeds of friends', branch: 'main', project: 2, scope: 'global' });
    const hits = search('feed', { branch: 'main', reach: 'all' });
    expect(hits.map((hit) => hit.id).sort()).toEqual([id, global]);
    expect(hits.flatMap(({ reasons }) => reasons)).not.toContain('on this branch');
  });

  it('asks for more than stop words', () => {
    const owner = tell({ text: 'Boris owns the search' });
    for (let number = 0; number < 8; number++) tell({ text: `The search page has a filter ${number}` });
    expect(search('who owns the search')[0]).toMatchObject({ id: owner, isWeaker: false });
    const answers = (text: string) => search(text).filter(({ isWeaker }) => !isWeaker);
    expect(answers('the a')).toEqual([]);
    const rare = tell({ text: 'Connect to the VPN before ssh' });
    expect(answers('before')).toMatchObject([{ id: rare }]);
  });

  it('finds what replaced a memory in its place, the old one only if asked for', () => {
    const old = tell({ title: 'Deploy with Ansible', text: 'Deploy with Ansible from the laptop' });
    const between = tell({ title: 'Deployment by script', text: 'One script does it' });
    const now = tell({ title: 'Releases', text: 'The pipeline does it' });
    for (const [id, by] of [
      [old, between],
      [between, now],
    ])
      db.prepare('UPDATE memories SET superseded_by = ? WHERE id = ?').run(by, id);
    const other = tell({ title: 'Ansible inventory', text: 'Hosts by region' });
    expect(ids('deploy ansible laptop')).toEqual([now, other]);
    expect(search('deploy ansible laptop')[0]).toMatchObject({ isWeaker: false, reasons: ['10 days old'] });
    expect(ids('type:note')).not.toContain(old);
    const [first] = search('deploy ansible laptop', { withSuperseded: true });
    expect(first).toMatchObject({ id: old, isWeaker: false });
    expect(first?.reasons[0]).toBe(`replaced by #${between}`);
  });

  it('finds no replacement that the filters leave out', () => {
    const old = tell({ text: 'Deploy with Ansible', files: ['ops/deploy.yml'] });
    const now = tell({ text: 'Releases run in the pipeline' });
    db.prepare('UPDATE memories SET superseded_by = ? WHERE id = ?').run(now, old);
    expect(ids('ansible file:ops/deploy.yml')).toEqual([]);
    expect(ids('ansible')).toEqual([now]);
  });

  it.each([
    { asked: 'webhook signature', strong: ['webhook'] },
    { asked: 'webhook retries', strong: ['retries'] },
    { asked: 'kubernetes ingress controller timeouts for the webhook pods', strong: [] },
    { asked: 'MODULE_NOT_FOUND', strong: ['error'] },
    { asked: 'PAGE_NOT_FOUND', strong: [] },
  ])('tells what answers "$asked" from what is weaker', ({ asked, strong }) => {
    const known: Record<string, number> = {
      webhook: tell({
        title: 'The webhook signature is checked first',
        text: 'A webhook without one gets 401',
      }),
      retries: tell({ title: 'Webhook retries stop after a day', text: 'Then a mail is sent' }),
      error: tell({ title: 'Cold start', text: 'It ended with MODULE_NOT_FOUND before the build' }),
      parts: tell({ title: 'The module list', text: 'No module was found on the page' }),
    };
    const hits = search(asked).filter(({ isWeaker }) => !isWeaker);
    expect(hits.map(({ id }) => id)).toEqual(strong.map((name) => known[name]));
  });

  it('asks the other words which of many memories with the name of an error is meant', () => {
    const meant = tell({
      title: 'TypeError: cannot compare naive and aware datetimes',
      text: 'utcnow is naive',
    });
    for (const what of ['price', 'basket', 'invoice', 'address'])
      tell({ title: `TypeError in the ${what}`, text: `The ${what} was null` });
    const strong = search('TypeError: cannot compare naive and aware').filter(({ isWeaker }) => !isWeaker);
    expect(strong.map(({ id }) => id)).toEqual([meant]);
    expect(search('TypeError').filter(({ isWeaker }) => !isWeaker)).toHaveLength(5);
    const rare = tell({ title: 'Uploads ended with ECONNRESET', text: 'The gateway closed them' });
    tell({ title: 'KeyError in the report', text: 'A column was renamed' });
    expect(search('ECONNRESET while the nightly export writes to the bucket')[0]).toMatchObject({
      ...{ id: rare, isWeaker: false },
    });
    expect(search('KeyError while the nightly export writes to the bucket')[0]).toMatchObject({
      isWeaker: true,
    });
  });

  it('gives nothing of another time where the best is of the time in the question', () => {
    const then = tell({ title: 'Webhook retries stop after a day', text: 'Then a mail is sent', daysAgo: 1 });
    const before = tell({ title: 'Webhook retries are counted', text: 'In the database', daysAgo: 60 });
    const strong = (text: string) =>
      search(text)
        .filter(({ isWeaker }) => !isWeaker)
        .map(({ id }) => id);
    expect(new Set(strong('webhook retries'))).toEqual(new Set([then, before]));
    expect(strong('webhook retries yesterday')).toEqual([then]);
  });

  it('asks for no small words of a language that the memories are not in', () => {
    const id = tell({ title: 'codspeed is gone', text: 'It made the pipeline slow' });
    const [hit] = search('warum haben wir codspeed wieder weg');
    expect(hit).toMatchObject({ id, isWeaker: false });
  });

  it('keeps to the project, and what is global', () => {
    const here = tell({ text: 'Lint with biome', project: 1 });
    const elsewhere = tell({ text: 'Lint with biome and more', project: 2 });
    const everywhere = tell({ text: 'Lint before every commit', project: 2, scope: 'global' });
    expect(new Set(ids('lint'))).toEqual(new Set([here, everywhere]));
    expect(ids('lint biome', { reach: 'all' }).slice(0, 2)).toEqual([here, elsewhere]);
    expect(ids('lint', { projectId: null })).toEqual([everywhere]);
    db.exec('UPDATE projects SET merged_into = 1 WHERE id = 2');
    expect(new Set(ids('lint'))).toEqual(new Set([here, elsewhere, everywhere]));
  });

  it('finds what people asked when it is asked for prompts', () => {
    const note = tell({ text: 'Invoices are green' });
    db.prepare(`
      INSERT INTO prompts (id, session_id, number, origin, is_private, text, at, via, digest, spool_name)
      VALUES (7, 1, 1, 'person', 0, 'make invoices green', ?, '', '', '')`).run(NOW - DAY);
    updateIndex(store);
    expect(search('invoices green').map(({ kind, id }) => [kind, id])).toEqual([['note', note]]);
    expect(search('invoices', { kinds: ['prompt'] }).map(({ kind, id }) => [kind, id])).toEqual([
      ['prompt', 7],
    ]);
    expect(search('kind:prompt invoices')).toHaveLength(1);
  });

  it('narrows by operators', () => {
    const decision = tell({ text: 'Retry three times', kind: 'observation', type: 'decision', daysAgo: 1 });
    const gotcha = tell({
      text: 'Retry breaks uploads',
      kind: 'observation',
      type: 'gotcha',
      daysAgo: 20,
      files: ['src/net/up.ts'],
      branch: 'Up',
      session: 9,
    });
    const cases: [string, number[]][] = [
      ['retry type:decision', [decision]],
      ['retry -uploads', [decision]],
      ['retry "breaks uploads"', [gotcha]],
      ['retry "uploads breaks"', []],
      ['retry since:1w', [decision]],
      ['retry before:1w', [gotcha]],
      ['retry file:up.ts', [gotcha]],
      ['retry file:src/net', [gotcha]],
      ['retry branch:Up', [gotcha]],
      ['retry agent:codex', [gotcha]],
      ['retry project:blog', []],
      ['type:gotcha', [gotcha]],
      ['type:decision since:1w', [decision]],
      ['type:gotcha since:1w', []],
    ];
    expect(cases.map(([query]) => [query, ids(query)])).toEqual(cases);
  });

  it('gives the newest where only a time is asked for', () => {
    const first = tell({ text: 'Wrote the parser', daysAgo: 1, title: 'parser' });
    tell({ text: 'Wrote the lexer', daysAgo: 3 });
    expect(ids('what did we do yesterday')).toEqual([first]);
  });

  it('says why', () => {
    const id = tell({
      title: 'pnpm instead of npm',
      text: 'Installs are faster',
      branch: 'main',
      daysAgo: 2,
    });
    expect(search('pnpm installs', { branch: 'main' })).toMatchObject([
      { id, kind: 'note', reasons: ['title says pnpm', 'says Installs', 'on this branch', '2 days old'] },
    ]);
  });

  it('gives the same answer to the same question', () => {
    for (let number = 0; number < 20; number++) tell({ text: `Same words ${number % 3}` });
    expect(search('same words')).toEqual(search('same words'));
  });

  it('abstains where nothing fits', () => {
    const id = tell({ title: 'pnpm instead of npm', text: 'We switched to pnpm: npm installs were slow' });
    tell({ text: 'The page has a good look and a button, run the tests again after adding one' });
    const pushed = (text: string) =>
      search(text)
        .filter(({ score }) => score >= PUSH_THRESHOLD.memories)
        .map((hit) => hit.id);
    expect(pushed('why did we switch from npm to pnpm?')).toEqual([id]);
    for (const text of [
      'thanks, looks good',
      'continue',
      'ok do it',
      'what about kubernetes ingress annotations?',
    ])
      expect(pushed(text)).toEqual([]);
  });

  it('takes any text', () => {
    tell({ text: 'Something "quoted" AND (more) NOT less* NEAR/3 {a b}: c^2' });
    const part = fc.constantFrom(
      '"',
      '-',
      '(',
      ')',
      '*',
      'AND',
      'NOT',
      'NEAR(',
      'since:',
      'type:x',
      ' ',
      'quoted',
      '日',
      '\0',
      ':',
      '^',
      'a.b',
      '#',
    );
    const text = fc.oneof(
      fc.array(part).map((parts) => parts.join('')),
      fc.string({ unit: 'binary' }),
    );
    fc.assert(
      fc.property(text, (query) => void search(query)),
      { numRuns: 300 },
    );
    expect(ids('')).toEqual([]);
  });

  function tell(told: Told): number {
    const { lastInsertRowid } = db
      .prepare(`
        INSERT INTO memories (kind, type, title, subtitle, narrative, facts, concepts, tokens, session_id, project_id,
          branch, distiller, at, changed_at, scope, said_by, aliases)
        VALUES (?, ?, ?, '', ?, '[]', '[]', 1, ?, ?, ?, 'person', ?, 0, ?, ?, ?)`)
      .run(
        told.kind ?? 'note',
        told.type ?? null,
        told.title ?? '',
        told.text,
        told.session ?? null,
        told.project ?? 1,
        told.branch ?? null,
        NOW - (told.daysAgo ?? 10) * DAY,
        told.scope ?? 'project',
        told.saidBy ?? 'person',
        JSON.stringify(told.aliases ?? []),
      );
    for (const file of told.files ?? [])
      db.prepare("INSERT INTO memory_files (memory_id, path, how) VALUES (?, ?, 'write')").run(
        lastInsertRowid,
        file,
      );
    return Number(lastInsertRowid);
  }

  function search(text: string, request: Partial<RecallRequest> = {}) {
    updateIndex(store);
    return recall(store, { text, projectId: 1, reach: 'project', limit: 10, now: NOW, ...request });
  }

  function ids(text: string, request: Partial<RecallRequest> = {}): number[] {
    return search(text, request).map(({ id }) => id);
  }
});
