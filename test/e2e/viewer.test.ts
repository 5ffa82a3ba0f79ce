import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { revokeKeys } from '../../src/api/access.ts';
import { type ApiWorker, startApiWorker } from '../support/api-worker.ts';
import { findSerious, issueCode, launchBrowser, openViewer, type View } from '../support/browser.ts';
import { callHook, type HookWorld, makeHookWorld, recorded } from '../support/hook-call.ts';
import { removeFolder } from '../support/remove-folder.ts';
import { until } from '../support/until.ts';
import { fillViewer } from '../support/viewer-memories.ts';

/** The built worker and page in Debian's Chromium, fed by the hooks of an agent. */

let folder: string;
let world: HookWorld;
let worker: ApiWorker;
let browser: Browser;
let view: View;
let page: Page;

const pictures = process.env.CAIRN_PICTURES;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'cairn-viewer-'));
  world = makeHookWorld(folder);
  worker = await startApiWorker({ home: world.home, fill: (store) => fillViewer(store, Date.now()) });
  browser = await launchBrowser();
  view = await openViewer(browser, worker);
  page = view.page;
});
afterAll(async () => {
  await browser?.close();
  await worker?.stop();
  await removeFolder(folder);
});

async function hook(
  event: string,
  changes: Record<string, unknown>,
  payload = `events/${event}`,
): Promise<void> {
  const input = recorded(payload, {
    session_id: 'live',
    prompt_id: 'p-live',
    cwd: world.project,
    ...changes,
  });
  await callHook(world, 'shell', event, { input });
}

async function picture(of: Page, name: string): Promise<void> {
  if (pictures) await of.screenshot({ path: join(pictures, `${name}.png`) });
}

const row = (title: string) => page.locator('.memory', { hasText: title }).first();
const pane = () => page.locator('.pane');
const toast = (text: string) => page.locator('.toast', { hasText: text });
const go = (path: string) => page.goto(worker.origin + path);

test('a link admits a browser once, and its code leaves the address', async () => {
  const link = `${worker.origin}/open#${await issueCode(worker)}/m/3`;
  const first = await openViewer(browser, worker, { link });
  await first.page.locator('.pane').getByRole('heading', { name: 'Retry loop' }).waitFor();
  expect(first.page.url()).toBe(`${worker.origin}/m/3`);
  const second = await openViewer(browser, worker, { link });
  await second.page.getByText('cairn open', { exact: true }).waitFor();
  expect(await second.page.locator('main').textContent()).toMatch(/already used/);
  await first.context.close();
  await second.context.close();
});

test('the feed shows the latest memory next to the list', async () => {
  await pane().getByRole('heading', { level: 1, name: 'Feed pages by (time, id) cursor' }).waitFor();
  expect(await page.locator('.card-header b').allTextContents()).toEqual([
    'cairn',
    'harbor-api',
    'field-notes',
  ]);
  expect(await pane().locator('.facts li').count()).toBe(3);
  expect(await row('Retry loop ignored Retry-After').locator('code').allTextContents()).toEqual([
    'Retry-After',
  ]);
  await picture(page, 'feed-light');
});

test('the text of a memory is not interpreted', async () => {
  await row('EventSource').click();
  await pane().getByText('<img src=x onerror=alert(1)>').waitFor();
  expect(await pane().locator('img').count()).toBe(0);
  expect(await pane().locator('a[href^="https"]').allTextContents()).toEqual([
    'https://example.com/six-connections',
  ]);
});

test('a turn appears while the agent works, and its memory when it ends', async () => {
  await go('/');
  await page.getByRole('feed').waitFor();
  await hook('SessionStart', {}, 'events/SessionStart.startup');
  await hook('UserPromptSubmit', { prompt: 'From now on use pnpm in this project, never npm.' });
  await page.locator('.run', { hasText: 'From now on use pnpm' }).waitFor();
  await hook('PostToolUse', { tool_input: { command: 'pnpm install' } }, 'tools/PostToolUse.Bash');
  await page.locator('.run .now', { hasText: '$ pnpm install' }).waitFor();
  await picture(page, 'feed-running');
  await hook('Stop', { last_assistant_message: 'Understood: pnpm only.' });
  await page.locator('.memory', { hasText: /pnpm/ }).first().waitFor();
  await expect.poll(() => page.locator('.run').count()).toBe(0);
});

test('new memories wait while the feed is paused', async () => {
  await page.keyboard.press('l');
  await page.getByText('Paused').waitFor();
  await hook('UserPromptSubmit', {
    prompt_id: 'p-2',
    prompt: 'Always write tests with vitest here, never with jest.',
  });
  await hook('Stop', { prompt_id: 'p-2', last_assistant_message: 'Noted: vitest, not jest.' });
  const pill = page.locator('.pill');
  await pill.waitFor();
  expect(await page.locator('.memory', { hasText: /vitest/ }).count()).toBe(0);
  await pill.click();
  await page
    .locator('.memory', { hasText: /vitest/ })
    .first()
    .waitFor();
});

test('editing and pinning change the database', async () => {
  await row('Backoff moved').click();
  await pane().getByRole('button', { name: 'Edit' }).click();
  await page.getByLabel('Title').fill('Backoff lives in lib/backoff.ts');
  await page.getByLabel('Facts, one per line').fill('One cap\nOne test');
  await page.getByRole('button', { name: 'Save' }).click();
  await pane().getByRole('heading', { name: 'Backoff lives in lib/backoff.ts' }).waitFor();
  await row('Backoff lives in').waitFor();
  await pane().getByRole('button', { name: 'Pin' }).click();
  await pane().getByRole('button', { name: 'Unpin' }).waitFor();
  const stored = worker.useStore((store) => store.getMemory(5));
  expect([stored?.title, stored?.facts, stored?.pinnedAt !== null]).toEqual([
    'Backoff lives in lib/backoff.ts',
    ['One cap', 'One test'],
    true,
  ]);
});

test('a memory is replaced by another and merged with others', async () => {
  await row('Preact and Solid').click();
  await pane().getByRole('button', { name: 'Replace' }).click();
  await page.getByLabel('Number or words').fill('#9');
  await page.getByRole('button', { name: /How the virtual list/ }).click();
  await toast('#9 replaces #7').waitFor();
  await pane().getByRole('heading', { name: 'How the virtual list' }).waitFor();
  await pane().getByRole('button', { name: 'Merge' }).click();
  await page.getByLabel('Number or words').fill('#10');
  await page.getByRole('button', { name: /EventSource holds/ }).click();
  await toast('Merged #10 into #9').waitFor();
  expect(worker.useStore((store) => [7, 10].map((id) => store.getMemory(id)?.supersededBy))).toEqual([9, 9]);
});

test('a forgotten memory disappears at once, returns by undo, and is otherwise deleted for good', async () => {
  await row('Never log request bodies').click();
  await pane().getByRole('heading', { name: 'Never log' }).waitFor();
  await pane().getByRole('button', { name: 'Forget' }).click();
  await toast('Forgot #4').waitFor();
  await expect.poll(() => row('Never log request bodies').count()).toBe(0);
  expect(worker.useStore((store) => store.getMemory(4))).toBeNull();
  await page.getByRole('button', { name: 'Undo' }).click();
  await row('Never log request bodies').waitFor();
  await row('Never log request bodies').click();
  await pane().getByRole('heading', { name: 'Never log' }).waitFor();
  await page.keyboard.press('Backspace');
  await toast('Forgot #4').waitFor();
  await until('the bytes are gone', () => {
    const bytes = ['', '-wal'].map((end) => readFileSync(worker.paths.database + end, 'latin1')).join('');
    return bytes.includes('Never log request bodies') ? undefined : true;
  });
});

test('several memories are forgotten together, after a confirmation', async () => {
  await row('Upload queue keeps').click();
  await pane().getByRole('heading', { name: 'Upload queue' }).waitFor();
  await page.keyboard.press('x');
  await page.getByText('1 selected').waitFor();
  await page.keyboard.press('Shift+K');
  await page.getByText('2 selected').waitFor();
  await page.getByRole('button', { name: 'Forget…' }).click();
  await page.getByRole('button', { name: 'Forget 2 memories' }).click();
  await toast('Forgot 2 memories').waitFor();
  await expect.poll(() => row('Upload queue keeps').count()).toBe(0);
  await page.getByRole('button', { name: 'Undo' }).click();
  await toast('Restored 2 memories').waitFor();
  await row('Upload queue keeps').waitFor();
});

test('memories that match a filter are counted before they are forgotten', async () => {
  await go('/?type=refactor');
  await expect.poll(() => page.locator('.feed .memory').count()).toBe(1);
  await page.getByRole('button', { name: 'Forget all that match…' }).click();
  await page.getByRole('dialog', { name: 'Forget 1 memory?' }).waitFor();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.getByText('Clear filters').click();
  await row('Upload queue keeps').waitFor();
});

test('search finds while a person types, marks the words, and keeps its state in the address', async () => {
  await go('/');
  await page.getByRole('feed').waitFor();
  await page.keyboard.press('/');
  await page.keyboard.type('retri loop', { delay: 15 });
  await page.locator('.hits a', { hasText: 'Retry loop ignored Retry-After' }).first().waitFor();
  expect(new URL(page.url()).search).toBe('?q=retri+loop');
  expect(await page.locator('.hits mark').first().textContent()).toMatch(/retry|loop/i);
  await page.getByLabel('Any type').selectOption('bugfix');
  await expect.poll(() => page.locator('.hits a').count()).toBe(1);
  await page.reload();
  await page.locator('.hits a').first().waitFor();
  expect(new URL(page.url()).search).toBe('?q=retri+loop&type=bugfix');
  await picture(page, 'search-light');
  await go('/search?q=xylophone+zeppelin');
  await page.getByText('No results for “xylophone zeppelin”').waitFor();
});

test('everything works from the keyboard', async () => {
  await go('/');
  await page.getByRole('feed').waitFor();
  const press = (keys: string[]) =>
    keys.reduce((done, key) => done.then(() => page.keyboard.press(key)), Promise.resolve());
  await pane().getByRole('heading', { level: 1 }).waitFor();
  const before = await pane().getByRole('heading', { level: 1 }).textContent();
  await press(['j', 'j']);
  await expect.poll(() => pane().getByRole('heading', { level: 1 }).textContent()).not.toBe(before);
  await press(['e']);
  await page.getByLabel('Title').waitFor();
  await press(['Escape']);
  await press(['?']);
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
  await press(['Escape', 'Control+k']);
  await page.getByRole('dialog').getByRole('combobox').fill('#3');
  await press(['Enter']);
  await pane().getByRole('heading', { name: 'Retry loop ignored' }).waitFor();
  await press(['p']);
  await toast('Pinned #3').waitFor();
  await press(['c']);
  await toast('Copied #3').waitFor();
  await press(['Backspace']);
  await toast('Forgot #3').waitFor();
  await press(['u']);
  await toast('Restored #3').waitFor();
  await press(['g', 's']);
  await page.getByText('Search all memories').waitFor();
  await press(['g', 'f']);
  await page.getByRole('feed').waitFor();
  await press(['Tab']);
});

test.each([
  { name: 'light', isDark: false, width: 1440, height: 900 },
  { name: 'dark', isDark: true, width: 1440, height: 900 },
  { name: 'narrow', isDark: false, width: 390, height: 844 },
])('axe finds no serious problems: $name', async ({ name, ...size }) => {
  const own = await openViewer(browser, worker, size);
  const places = name === 'light' ? PLACES : PLACES.slice(0, 3);
  for (const [path, ready] of places) {
    await own.page.goto(worker.origin + path);
    await own.page.locator(ready).first().waitFor();
    await picture(own.page, `${name}${path.replace(/\W+/g, '-').replace(/-$/, '')}`);
    expect({ path, serious: await findSerious(own.page) }).toEqual({ path, serious: [] });
  }
  expect(own.troubles).toEqual([]);
  await own.context.close();
});

const PLACES: [path: string, ready: string][] = [
  ['/', '.feed article'],
  ['/m/11', '.pane h1'],
  ['/search?q=cursor', '.hits a'],
  ['/search', '.operators'],
];

test('seven tabs share one stream, and all of them are live', async () => {
  const streams: string[] = [];
  view.context.on('request', (request) => {
    if (request.url().endsWith('/api/stream')) streams.push(request.url());
  });
  const tabs = await Promise.all(Array.from({ length: 6 }, () => view.context.newPage()));
  for (const tab of tabs) {
    await tab.goto(`${worker.origin}/`);
    await tab.locator('.feed article').first().waitFor();
  }
  await hook('UserPromptSubmit', { prompt_id: 'p-3', prompt: 'How many tabs see this?' });
  await Promise.all(tabs.map((tab) => tab.locator('.run', { hasText: 'How many tabs' }).waitFor()));
  // The first tab has had its stream since it was opened.
  expect(streams).toEqual([]);
  await Promise.all(tabs.map((tab) => tab.close()));
});

test('a line marks what is new since the last visit', async () => {
  const { at } = worker.useStore((store) => store.getMemory(5)) ?? { at: 0 };
  await go('/');
  await page.evaluate(`localStorage.setItem('cairn.seen', '${at} ${at}')`);
  // Leaving the page would mark everything as seen.
  const own = await view.context.newPage();
  await own.goto(`${worker.origin}/`);
  await own.getByText('New since you last looked').waitFor();
  const marked = own.locator('article', { has: own.locator('.unread') });
  expect(await marked.locator('.memory-title').first().textContent()).toMatch(/^Backoff/);
  await own.close();
});

test('an empty memory explains how to begin', async () => {
  const empty = await startApiWorker();
  try {
    const own = await openViewer(browser, empty);
    await own.page.getByText('No memories yet').waitFor();
    await picture(own.page, 'empty');
    expect([await findSerious(own.page), own.troubles]).toEqual([[], []]);
    await own.context.close();
  } finally {
    await empty.stop();
  }
});

test('the page reports a stopped worker, and continues when it is back', async () => {
  await go('/');
  await page.getByRole('feed').waitFor();
  // Only one of the tabs reads the stream.
  const other = await view.context.newPage();
  await other.goto(`${worker.origin}/`);
  await other.getByRole('feed').waitFor();
  await worker.stop();
  for (const tab of [page, other]) await tab.getByText('Worker stopped. Start it:').waitFor();
  expect(await page.getByRole('feed').isVisible()).toBe(true);
  worker = await startApiWorker({ home: world.home });
  for (const tab of [page, other])
    await expect.poll(() => tab.locator('.gone').count(), { timeout: 15_000 }).toBe(0);
  await other.close();
});

test('revoked keys close every open page, and a new link opens them again', async () => {
  await go('/');
  const other = await view.context.newPage();
  await other.goto(`${worker.origin}/search?q=cursor`);
  await other.locator('.hits a').first().waitFor();
  revokeKeys(worker.paths);
  const lock = (tab: Page) => tab.getByRole('heading', { name: 'Open Cairn from a terminal' });
  for (const tab of [page, other]) await lock(tab).waitFor();
  const opened = await view.context.newPage();
  await opened.goto(`${worker.origin}/open#${await issueCode(worker)}`);
  for (const tab of [page, other]) await tab.locator('.app').waitFor();
  await opened.close();
  await other.close();
});

test('without a valid key, the page shows which command to run', async () => {
  await page.evaluate("localStorage.setItem('cairn.key', 'cairn1.wrong')");
  await page.reload();
  await page.getByRole('heading', { name: 'Open Cairn from a terminal' }).waitFor();
  expect(await page.locator('.command code').textContent()).toBe('cairn open');
});

test('the page reported no other errors, and sent requests only to its worker', () => {
  const expected = /ERR_CONNECTION_REFUSED|ERR_INCOMPLETE_CHUNKED|status of 401|Failed to load resource/;
  expect(view.troubles.filter((trouble) => !expected.test(trouble))).toEqual([]);
});
