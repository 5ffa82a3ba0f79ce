import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ApiWorker, startApiWorker } from '../support/api-worker.ts';
import { findSerious, isTooWide, launchBrowser, openViewer, type View } from '../support/browser.ts';
import { rememberTurn } from '../support/memories.ts';
import { fillWeek } from '../support/viewer-week.ts';

/** Where to save screenshots, if a person wants to look at them. */
const PICTURES = process.env.CAIRN_PICTURES;

let worker: ApiWorker;
let empty: ApiWorker;
let browser: Browser;
let view: View;

beforeAll(async () => {
  worker = await startApiWorker({
    fill(store) {
      fillWeek(store, Date.now());
      // A folder that exists: contexts are only built for existing folders.
      rememberTurn(store, {
        ...{ session: 'root', place: { path: '/', name: '/' }, at: Date.now(), folder: '/' },
        observations: [{ type: 'preference', title: 'Tabs in Makefiles', narrative: 'Spaces break make.' }],
      });
    },
  });
  empty = await startApiWorker();
  browser = await launchBrowser();
  view = await openViewer(browser, worker);
  await view.page.getByRole('heading', { level: 1 }).first().waitFor();
});

afterAll(async () => {
  await browser?.close();
  await worker?.stop();
  await empty?.stop();
});

async function open(path: string): Promise<Page> {
  const { page } = view;
  await page.goto(worker.origin + path);
  await page.getByRole('heading', { level: 1 }).first().waitFor();
  return page;
}

const PAGES = [
  ...['/s/1', '/injections', '/injections/2#l7', '/timeline', '/health', '/work', '/work/1'],
  ...['/settings', '/projects', '/stats'],
];

test.each([
  { look: 'light', options: {} },
  { look: 'dark', options: { isDark: true } },
  { look: 'narrow', options: { width: 390, height: 844 } },
])('every page is accessible and fits: $look', async ({ look, options }) => {
  const { page, troubles, context } = await openViewer(browser, worker, options);
  await page.getByRole('heading', { level: 1 }).first().waitFor({ state: 'attached' });
  const found: Record<string, unknown> = {};
  for (const path of PAGES) {
    await page.goto(worker.origin + path);
    await page.getByRole('heading', { level: 1 }).first().waitFor({ state: 'attached' });
    await page.locator('.loading').first().waitFor({ state: 'detached' });
    const faults = await findSerious(page);
    const isWide = await isTooWide(page);
    if (faults.length > 0 || isWide) found[path] = { faults, isWide };
    if (PICTURES) await page.screenshot({ path: join(PICTURES, `${path.replace(/\W+/g, '-')}-${look}.png`) });
  }
  expect({ found, troubles }).toEqual({ found: {}, troubles: [] });
  await context.close();
});

test('every page of an empty store has a message', async () => {
  const { page, troubles } = await openViewer(browser, empty);
  await page.getByRole('heading', { level: 1 }).first().waitFor({ state: 'attached' });
  const sentences = {
    '/injections': 'No agent has been given anything yet',
    '/timeline': 'No session left a memory this week',
    '/work': 'There are no open work items',
    '/projects': 'There are no projects yet',
    '/stats': 'No memories yet',
    '/health': 'No hook has reported anything yet.',
    '/settings': 'There are no projects yet.',
  };
  for (const [path, sentence] of Object.entries(sentences)) {
    await page.goto(empty.origin + path);
    await page.getByText(sentence).waitFor();
  }
  expect(troubles).toEqual([]);
  await page.goto(`${empty.origin}/s/99`);
  await page.getByText('There is no session 99.').waitFor();
});

test('a session is shown as a story, and keys lead to its turns and its neighbours', async () => {
  const page = await open('/s/1');
  await page.getByText('Show what the agent did').first().click();
  await page.locator('.raw summary').first().click();
  await page.locator('.raw pre').first().getByText('Done.').waitFor();
  await page.keyboard.press('j');
  await expect.poll(() => page.url()).toContain('#turn-1');
  await page.keyboard.press(']');
  await expect.poll(() => page.url()).not.toContain('/s/1#');
});

test('an injection shows the reason of each line, what was left out, and the difference', async () => {
  const page = await open('/injections');
  await page.locator('.line').first().waitFor();
  await page.keyboard.press('j');
  await expect.poll(() => page.url()).toMatch(/\/injections\/1$/);
  await page.keyboard.press('k');
  await expect.poll(() => page.url()).toMatch(/\/injections(?:\/2)?$/);
  const line = page.locator('.line', { hasText: '#1 preference' });
  await line.getByText('pinned · same branch').waitFor();
  await line.getByRole('link', { name: 'Line' }).click();
  await page.getByRole('heading', { name: 'Why #1' }).waitFor();
  const why = page.locator('.card', { hasText: 'Why #1' });
  expect(await why.locator('.score-parts li').allTextContents()).toEqual([
    'pinned8.00',
    'preference4.00',
    'from this branch3.00',
    'from 2026-11-161.40',
    'its file has changed−1.00',
  ]);
  await page.getByText('no room left').click();
  const leftOut = page.locator('.left-out details[open]');
  expect(await leftOut.locator('.score-parts li').allTextContents()).toEqual([
    'bugfix1.00',
    'from 2026-11-141.40',
  ]);
  await page.keyboard.press('d');
  await page.locator('.line.added').first().waitFor();
  expect(await page.locator('.line.added code').allTextContents()).toEqual([
    expect.stringContaining('#6 bugfix, 2026-11-16: Scroll position lost on insert'),
  ]);
  expect(await page.locator('.line.removed').count()).toBe(0);
});

test('the week is a picture that can be saved, a table and a list of links', async () => {
  const page = await open('/timeline');
  const stones = page.locator('a.stone');
  await stones.first().waitFor();
  expect(await stones.count()).toBe(18);
  const saved = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Save picture' }).click();
  const path = join(mkdtempSync(join(tmpdir(), 'cairn-picture-')), 'week.png');
  await (await saved).saveAs(path);
  const picture = readFileSync(path);
  expect([picture.subarray(1, 4).toString(), picture.readUInt32BE(16)]).toEqual(['PNG', 2_280]);
  await page.getByText('The week as a table').click();
  expect(await page.locator('.as-table tbody tr').count()).toBe(18);
  await stones.first().focus();
  await page.keyboard.press('Enter');
  await expect.poll(() => page.url()).toMatch(/\/s\/\d+$/);
  await open('/timeline');
  await page.keyboard.press('[');
  await expect.poll(() => page.url()).toMatch(/week=\d{4}-\d{2}$/);
});

test('the log is filtered, and diagnostics are run', async () => {
  const page = await open('/health');
  await page.getByText('1 problem found.').waitFor();
  await page.getByLabel('Level').selectOption('warn');
  await expect.poll(() => page.url()).toContain('level=warn');
  await page.getByRole('button', { name: 'Run diagnostics' }).click();
  await page.locator('.checks li').first().waitFor({ timeout: 90_000 });
});

test('a dead job is shown with its reason, and retried', async () => {
  const page = await open('/health');
  const jobs = () => worker.useStore((store) => store.listJobs());
  expect(jobs().map(({ state }) => state)).toEqual(['dead']);
  await page.getByText('1 job failed and will not be retried.').waitFor();
  await page.getByText('The model answered 529').waitFor();
  await page.getByRole('button', { name: /^Retry job \d+$/ }).click();
  await page.getByText('1 job due now.').waitFor();
  // The worker runs it at once: without a model it succeeds.
  await page.getByText('The queue is empty.').waitFor();
  expect(jobs()).toEqual([]);
});

test('a work item shows its tasks and its handoff', async () => {
  const page = await open('/work');
  await page.getByRole('link', { name: 'Feed of the viewer' }).click();
  await page.getByText('2 of 4 tasks done').waitFor();
  await page.getByRole('heading', { name: 'Handoff 1' }).waitFor();
  await page.getByText('8c41f2e0').waitFor();
  await page.keyboard.press('Escape');
  await expect.poll(() => page.url()).toMatch(/\/work$/);
});

test('a setting is previewed before it is saved, and restored', async () => {
  const page = await open('/settings');
  await page.locator('.preview select').selectOption({ label: '/' });
  await page.locator('.preview pre').getByText('Tabs in Makefiles').waitFor();
  const input = page.getByLabel('context.observations');
  await input.fill('0');
  await page.locator('.preview pre').getByText('Tabs in Makefiles').waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Save 1 change' }).click();
  await page.getByText('Saved 1 setting.').waitFor();
  const read = () => JSON.parse(readFileSync(worker.paths.config, 'utf8'))['context.observations'];
  expect(read()).toBe(0);
  await page.locator('.setting', { hasText: 'context.observations' }).getByText('Back to').click();
  await page.getByRole('button', { name: 'Save 1 change' }).click();
  await expect.poll(read).toBeUndefined();
});

test('a project is renamed, merged, split off, forgotten and restored', async () => {
  const page = await open('/projects');
  const card = (name: string) =>
    page.locator('.project', { has: page.getByRole('link', { name, exact: true }) });
  await card('field-notes').getByRole('button', { name: 'Rename' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('notes');
  await page.keyboard.press('Enter');
  await card('notes').getByRole('button', { name: 'Merge' }).click();
  await page.getByLabel('Into').selectOption({ label: 'cairn · /nowhere/cairn/.git' });
  await page.getByRole('dialog').getByRole('button', { name: 'Merge' }).click();
  await page.getByRole('button', { name: 'Split notes off' }).click();
  await card('notes').getByRole('button', { name: 'Forget' }).click();
  await page.getByLabel('Type notes to confirm').fill('notes');
  await page.keyboard.press('Enter');
  await page.getByText(/Forgot \d+ memories of notes/).waitFor();
  const { projects } = await worker.get<{ projects: { id: number; name: string }[] }>('/api/projects');
  const id = projects.find(({ name }) => name === 'notes')?.id;
  const count = async () =>
    (await worker.get<{ memories: unknown[] }>(`/api/memories?project=${id}&limit=1`)).memories.length;
  expect(await count()).toBe(0);
  await page.keyboard.press('u');
  await expect.poll(count).toBe(1);
});

test('statistics explain what they count, and show durations', async () => {
  await worker.get('/api/search?q=queue');
  const page = await open('/stats');
  const row = page.locator('.latency tbody tr', { hasText: 'Search in the viewer' });
  expect(await row.locator('td').allTextContents()).toEqual([
    expect.stringMatching(/^[1-9]\d*$/),
    ...[expect.stringMatching(/^\d+ ms$/), expect.stringMatching(/^\d+ ms$/), ''],
  ]);
  await page.getByText('Growth: total memories').waitFor();
  await page.getByText('A memory counts as reused if at least two sessions').waitFor();
  await page.locator('.plot canvas').first().waitFor();
});
