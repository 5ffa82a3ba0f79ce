import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { updateIndex } from '../indexing/update-index.ts';
import { type Database, openDatabase } from '../store/sqlite/open.ts';
import { openSqliteStore } from '../store/sqlite/sqlite-store.ts';
import type { Store } from '../store/store.ts';
import { recall } from './recall.ts';
import type { RecallRequest } from './request.ts';

/** The exact set that a search returns: aliases, what was replaced, scopes, and nothing where nothing is stored. */

const DAY = 86_400_000;
const NOW = new Date(2026, 5, 15, 12).getTime();
const SHOP = 1;
const BLOG = 2;

interface Note {
  title: string;
  text: string;
  type?: string;
  project?: number;
  branch?: string;
  scope?: 'global';
  aliases?: string[];
  files?: string[];
  replacedBy?: string;
}

/** By name, for the expectations below. */
const MEMORIES: Record<string, Note> = {
  limiter: {
    title: 'The login limiter allows five attempts a minute per address',
    text: 'A token bucket in Redis counts attempts. After that login answers 429 with Retry-After.',
    files: ['src/auth/limiter.ts'],
  },
  sessions: {
    title: 'Sessions expire after two hours without a request',
    text: 'The cookie is renewed at half that time.',
  },
  passwords: {
    title: 'Passwords are hashed with argon2id',
    text: 'bcrypt hashes are replaced at the next login.',
  },
  oldPort: {
    title: 'The dev server listens on port 3000',
    text: 'npm run dev prints the address.',
    replacedBy: 'port',
  },
  port: {
    title: 'The dev server listens on port 5173',
    text: 'Vite chose it; 3000 collided with the admin panel.',
  },
  oldDeploy: {
    title: 'Deploy by running the Ansible playbook',
    text: 'From a laptop with the vault password.',
    replacedBy: 'deploy',
  },
  deploy: {
    title: 'Releases go out through the pipeline',
    text: 'A tag starts it; nobody runs the playbook by hand any more.',
  },
  jenkins: {
    title: 'The build server runs nightly jobs',
    text: 'It rebuilds the images at two.',
    aliases: ['jenkins', 'CI box'],
  },
  postgres: {
    title: 'The orders table is partitioned by month',
    text: 'Postgres drops partitions older than three years.',
    aliases: ['pg'],
  },
  vacuum: {
    title: 'Autovacuum was too slow for the events table',
    text: 'scale_factor is 0.01 there since the stall in March.',
  },
  moduleError: {
    title: 'Cold starts failed with ERR_MODULE_NOT_FOUND',
    text: 'The bundle left out sharp; it is now external.',
  },
  econnreset: {
    title: 'ECONNRESET in the uploader came from the proxy timeout',
    text: 'The proxy cut idle sockets after 60 s; keepalive is 30 s now.',
  },
  rounding: {
    title: 'Prices are integers in cents',
    text: 'Floats rounded VAT wrongly on invoices with many lines.',
  },
  invoicePdf: {
    title: 'Invoices are rendered to PDF by a worker',
    text: 'Chromium runs in its own container because of its memory.',
  },
  vat: {
    title: 'VAT numbers are checked against VIES once a day',
    text: 'The service is down often, so results are cached.',
  },
  webhook: {
    title: 'The payment webhook verifies the signature before parsing',
    text: 'Raw body is needed, so the JSON middleware skips that route.',
  },
  idempotency: {
    title: 'Orders use an idempotency key',
    text: 'Retried payments created duplicates before.',
  },
  i18n: { title: 'Translations are loaded per route', text: 'The German bundle alone had 400 kB.' },
  pnpm: {
    title: 'Use pnpm, never npm, in every repository',
    text: 'Lock files differ otherwise.',
    scope: 'global',
    project: BLOG,
    type: 'preference',
  },
  commits: {
    title: 'Commit messages are in the imperative mood',
    text: 'And at most 60 characters.',
    scope: 'global',
    type: 'preference',
  },
  branchCache: {
    title: 'The cache key contains the tenant',
    text: 'Tried on this branch only.',
    branch: 'feat/tenants',
  },
  mainCache: {
    title: 'The cache key contains the locale',
    text: 'French customers saw English prices.',
    branch: 'main',
  },
  getUserName: {
    title: 'getUserName falls back to the mail address',
    text: 'Display names are optional since the import.',
  },
  fixtures: {
    title: 'Fixtures are generated from the schema',
    text: 'npm run fixtures writes them to test/fixtures.',
  },
  flaky: {
    title: 'The checkout test was flaky because of animations',
    text: 'Playwright now waits for the drawer to settle.',
  },
  dockerfile: { title: 'The image is built in two stages', text: 'Dev dependencies stay out of the second.' },
  feature: {
    title: 'Feature flags are read once per request',
    text: 'A change in the middle of a request confused the basket.',
  },
  basket: { title: 'Baskets are merged at login', text: 'The larger quantity wins for each product.' },
  search: { title: 'Product search uses trigram indexes', text: 'ILIKE scans took two seconds.' },
  images: { title: 'Product images moved from MinIO to S3', text: 'Old links are redirected by the CDN.' },
  cdn: {
    title: 'The CDN caches HTML for ten seconds',
    text: 'Purging takes a minute, so short lifetimes are simpler.',
  },
  queue: { title: 'Mails are sent by a queue', text: 'Amazon SES throttled us at fourteen a second.' },
  cron: { title: 'Reports run at four in the morning', text: 'The warehouse exports until three.' },
  timezones: {
    title: 'Delivery dates are in the time zone of the warehouse',
    text: 'Midnight orders shipped a day late.',
  },
  gdpr: {
    title: 'Deleted customers keep their invoices',
    text: 'Tax law asks for ten years; names are replaced.',
  },
  admin: { title: 'The admin panel is a separate app', text: 'It shares only the API client.' },
  apiClient: {
    title: 'The API client is generated from OpenAPI',
    text: 'Never edit src/client by hand.',
    files: ['src/client/index.ts'],
  },
  graphql: {
    title: 'We stayed with REST instead of GraphQL',
    text: 'Caching at the CDN mattered more.',
    type: 'decision',
  },
  monorepo: { title: 'Shared money code lives in packages/money', text: 'Shop and admin import it.' },
  lint: { title: 'Biome replaced ESLint and Prettier', text: 'Linting takes one second instead of forty.' },
  blogFeed: { title: 'The feed of the blog is Atom', text: 'RSS readers accept both.', project: BLOG },
  blogPort: { title: 'The blog preview listens on port 8080', text: 'Hugo serves it.', project: BLOG },
  blogImages: {
    title: 'Images of posts are resized at build time',
    text: 'Hugo pipes does it.',
    project: BLOG,
  },
  nightly: { title: '缓存在登录后没有清除', text: '修复：注销时删除键。' },
};

let folder: string;
let db: Database;
let store: Store;
const ids = new Map<string, number>();

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'cairn-precision-'));
  const path = join(folder, 'cairn.db');
  store = openSqliteStore(path);
  db = openDatabase(path);
  for (const [id, name] of [
    [SHOP, 'shop'],
    [BLOG, 'blog'],
  ] as const)
    db.prepare('INSERT INTO projects (id, name, created_at) VALUES (?, ?, 0)').run(id, name);
  for (const [index, [name, note]] of Object.entries(MEMORIES).entries()) ids.set(name, write(note, index));
  for (const [name, { replacedBy }] of Object.entries(MEMORIES))
    if (replacedBy !== undefined)
      db.prepare('UPDATE memories SET superseded_by = ? WHERE id = ?').run(
        ids.get(replacedBy) ?? null,
        ids.get(name) ?? null,
      );
  updateIndex(store);
});
afterAll(() => {
  db.close();
  store.close();
  rmSync(folder, { recursive: true, force: true });
});

interface Case {
  asked: string;
  wanted: string[];
  with?: Partial<RecallRequest>;
}

describe('by words', () => {
  check([
    { asked: 'login limiter', wanted: ['limiter'] },
    { asked: 'how many login attempts are allowed', wanted: ['limiter'] },
    { asked: 'argon2id', wanted: ['passwords'] },
    { asked: 'cache key', wanted: ['branchCache', 'mainCache'] },
    { asked: 'get_user_name', wanted: ['getUserName'] },
    { asked: 'src/auth/limiter.ts', wanted: ['limiter'] },
    { asked: 'why REST and not GraphQL', wanted: ['graphql'] },
    { asked: 'idempotency key for orders', wanted: ['idempotency'] },
    { asked: 'VIES', wanted: ['vat'] },
    { asked: '缓存', wanted: ['nightly'] },
  ]);
});

describe('by errors', () => {
  check([
    { asked: 'ERR_MODULE_NOT_FOUND', wanted: ['moduleError'] },
    { asked: 'ECONNRESET', wanted: ['econnreset'] },
    { asked: 'MODULE_PARSE_FAILED', wanted: [] },
    { asked: 'ENOTEMPTY', wanted: [] },
  ]);
});

describe('by aliases', () => {
  check([
    { asked: 'jenkins', wanted: ['jenkins'] },
    { asked: 'CI box', wanted: ['jenkins'] },
    { asked: 'pg', wanted: ['postgres'] },
  ]);
});

describe('what was replaced', () => {
  check([
    { asked: 'port of the dev server', wanted: ['port'] },
    { asked: 'Ansible playbook', wanted: ['deploy'] },
    { asked: 'dev server port 3000', wanted: ['port'] },
    { asked: 'Ansible playbook', wanted: ['oldDeploy'], with: { withSuperseded: true } },
  ]);
});

describe('scopes', () => {
  check([
    { asked: 'pnpm or npm', wanted: ['pnpm'] },
    { asked: 'commit messages', wanted: ['commits'], with: { projectId: BLOG } },
    { asked: 'atom feed', wanted: [] },
    { asked: 'atom feed', wanted: ['blogFeed'], with: { reach: 'all' } },
    { asked: 'listens on port', wanted: ['blogPort'], with: { projectId: BLOG } },
    { asked: 'cache key branch:main', wanted: ['mainCache'] },
    { asked: 'type:decision', wanted: ['graphql'] },
  ]);
});

describe('nothing is stored about it', () => {
  check([
    { asked: 'kubernetes ingress certificate renewal', wanted: [] },
    { asked: 'websocket reconnect backoff', wanted: [] },
    { asked: 'how do I rotate the signing key of the mobile app', wanted: [] },
    { asked: 'terraform state drift', wanted: [] },
    { asked: 'quantum', wanted: [] },
  ]);
});

function check(cases: Case[]): void {
  test.each(cases)('$asked', ({ asked, wanted, with: request = {} }) => {
    const hits = recall(store, {
      ...{ text: asked, projectId: SHOP, reach: 'project', limit: 10, now: NOW },
      ...request,
    });
    const named = new Map([...ids].map(([name, id]) => [id, name]));
    const returned = hits.filter(({ isWeaker }) => !isWeaker).map(({ id }) => named.get(id) ?? '');
    expect(returned.sort()).toEqual([...wanted].sort());
  });
}

function write(note: Note, index: number): number {
  const { lastInsertRowid } = db
    .prepare(`
      INSERT INTO memories (kind, type, title, subtitle, narrative, facts, concepts, tokens, project_id, branch,
        distiller, at, changed_at, scope, said_by, aliases)
      VALUES ('note', ?, ?, '', ?, '[]', '[]', 1, ?, ?, 'person', ?, 0, ?, 'person', ?)`)
    .run(
      ...[note.type ?? null, note.title, note.text, note.project ?? SHOP, note.branch ?? null],
      ...[NOW - (index + 1) * DAY, note.scope ?? 'project', JSON.stringify(note.aliases ?? [])],
    );
  for (const file of note.files ?? [])
    db.prepare("INSERT INTO memory_files (memory_id, path, how) VALUES (?, ?, 'write')").run(
      lastInsertRowid,
      file,
    );
  return Number(lastInsertRowid);
}
