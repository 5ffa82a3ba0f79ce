import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ApiWorker, startApiWorker } from '../support/api-worker.ts';
import { findSerious, isTooWide, launchBrowser, openViewer } from '../support/browser.ts';
import { rememberTurn } from '../support/memories.ts';

/** Long words, right-to-left text, mistyped addresses, and a worker that is killed. */

const LONG = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamte'.repeat(3);
const RIGHT_TO_LEFT = 'ذاكرة المشروع يجب أن تعمل مع Postgres 16 و SQLite';
/** As a code generator writes them. */
const FILES = Array.from({ length: 10_000 }, (_, number) => `src/generated/part-${number}.ts`);
/** More than one request forgets. */
const MATCHES = 250;
const PAGES = [
  '/',
  '/m/1',
  '/m/2',
  '/s/1',
  '/search?q=Postgres',
  '/timeline',
  '/work/1',
  '/projects',
  '/stats',
];

let worker: ApiWorker;
let browser: Browser;

beforeAll(async () => {
  worker = await startApiWorker({
    fill(store) {
      rememberTurn(store, {
        ...{ session: 'odd', place: { path: `/nowhere/${LONG}`, name: LONG }, at: Date.now() },
        ...{ folder: '/nowhere', summary: { request: RIGHT_TO_LEFT, completed: LONG } },
        observations: [
          {
            ...{ type: 'decision', title: LONG, narrative: `${LONG}\n\n\`\`\`\n${LONG}\n\`\`\`` },
            ...{ facts: [LONG, RIGHT_TO_LEFT], filesModified: [`src/${LONG}/${LONG}.ts`] },
          },
          {
            type: 'gotcha',
            title: RIGHT_TO_LEFT,
            narrative: `${RIGHT_TO_LEFT} Postgres`,
            facts: [RIGHT_TO_LEFT],
          },
        ],
      });
      rememberTurn(store, {
        ...{ session: 'many', place: { path: '/nowhere/many', name: 'many' }, at: Date.now() - 60_000 },
        summary: { request: 'Generate everything', filesModified: FILES },
        observations: [
          {
            ...{ title: 'Many files', narrative: 'word '.repeat(20_000), filesModified: FILES },
            facts: FILES.slice(0, 1_000).map((path) => `${path} is generated`),
          },
        ],
      });
      rememberTurn(store, {
        ...{ session: 'bulk', place: { path: '/nowhere/bulk', name: 'bulk' }, at: Date.now() - 120_000 },
        observations: Array.from({ length: MATCHES }, (_, number) => ({
          ...{ type: 'refactor' as const, title: `Moved file ${number} to its folder` },
        })),
      });
      const [project] = store.listProjects();
      store.addWorkItem({
        ...{ name: 'odd', title: LONG, projectId: project?.id ?? 0, branch: LONG, worktree: null },
        at: Date.now(),
      });
    },
  });
  browser = await launchBrowser();
});

afterAll(async () => {
  await browser?.close();
  await worker?.stop();
});

/** Elements with text that extends beyond the window and is neither cut off nor scrolled. */
const FIND_CLIPPED = `(() => {
  const isCut = (element) => {
    for (let each = element; each && each !== document.body; each = each.parentElement)
      if (getComputedStyle(each).textOverflow === 'ellipsis' || each.matches('pre, code, .log, .pane-bar')) return true;
    return false;
  };
  return [...document.querySelectorAll('.column *')]
    .filter((element) => element.childElementCount === 0 && element.textContent.trim() !== '')
    .filter((element) => element.getBoundingClientRect().right > innerWidth + 1 && !isCut(element))
    .map((element) => element.outerHTML.slice(0, 150));
})()`;

test.each([1440, 1000, 390])('long words stay within the window, %i pixels wide', async (width) => {
  const { page, context, troubles } = await openViewer(browser, worker, { width });
  const found: Record<string, unknown> = {};
  for (const path of PAGES) {
    await page.goto(worker.origin + path);
    await page.locator('.loading').first().waitFor({ state: 'detached' });
    await page.getByText(LONG.slice(0, 40)).first().waitFor({ state: 'attached' });
    if (path.startsWith('/m/')) await page.locator('.around').waitFor();
    const clipped = (await page.evaluate(FIND_CLIPPED)) as string[];
    const isWide = await isTooWide(page);
    if (clipped.length > 0 || isWide) found[path] = { clipped, isWide };
  }
  expect({ found, troubles }).toEqual({ found: {}, troubles: [] });
  await context.close();
});

test('a memory with ten thousand files shows a few of them, and more on demand', async () => {
  const { page, context } = await openViewer(browser, worker);
  const { memories } = await worker.get<{ memories: { id: number; title: string }[] }>('/api/memories');
  const id = memories.find(({ title }) => title === 'Many files')?.id;
  await page.goto(`${worker.origin}/m/${id}`);
  await page.locator('.files li').first().waitFor();
  expect(await page.evaluate<number>("document.querySelectorAll('*').length")).toBeLessThan(3_000);
  await page.getByRole('button', { name: 'Show 500 more of 10,000' }).click();
  await expect.poll(() => page.locator('.files li').count()).toBe(550);
  await page.getByRole('button', { name: 'Show 500 more of 1,000' }).click();
  await expect.poll(() => page.locator('.facts li').count()).toBe(550);
  await context.close();
});

test('memories that match a filter are forgotten in parts, and restored together', async () => {
  const { page, context } = await openViewer(browser, worker);
  const countMatches = async () =>
    (await worker.send<{ count: number }>('POST', '/api/forget/preview', { filter: { type: 'refactor' } }))
      .count;
  const forgets = async () =>
    (await worker.get<{ forgets: { dueAt: number }[] }>('/api/forget')).forgets.map(({ dueAt }) => dueAt);
  await page.goto(`${worker.origin}/?type=refactor`);
  await page.getByRole('button', { name: 'Forget all that match…' }).click();
  await page.getByRole('button', { name: `Forget ${MATCHES} memories` }).click();
  await page.getByText(`Forgot ${MATCHES} memories.`).waitFor();
  expect(await countMatches()).toBe(0);
  const due = await forgets();
  expect([due.length, new Set(due).size]).toEqual([3, 1]);
  await page.keyboard.press('u');
  await page.getByText(`Restored ${MATCHES} memories.`).waitFor();
  expect([await countMatches(), await forgets()]).toEqual([MATCHES, []]);
  await page.locator('.memory', { hasText: 'Moved file' }).first().waitFor();
  await context.close();
});

test.each(['/nonsense', '/m/x', '/s', '/work/1/2'])('%s shows that there is no such page', async (path) => {
  const { page, context } = await openViewer(browser, worker);
  const response = await page.goto(worker.origin + path);
  expect(response?.status()).toBe(404);
  await page.getByRole('heading', { name: 'Page not found' }).waitFor();
  expect(await page.title()).toBe('Page not found · Cairn');
  await page.getByRole('link', { name: 'Go to the feed' }).click();
  await page.getByRole('feed').waitFor();
  await context.close();
});

test('a missing memory is not shown as an error', async () => {
  const { page, context } = await openViewer(browser, worker);
  await page.goto(`${worker.origin}/m/99999`);
  await page.getByRole('heading', { name: 'There is no memory 99999.' }).waitFor();
  expect(await page.getByRole('button', { name: 'Retry' }).count()).toBe(0);
  await context.close();
});

test('on a narrow screen, More has the other pages and the theme', async () => {
  const { page, context } = await openViewer(browser, worker, { width: 390, height: 844 });
  const more = page.locator('details.more');
  const isOpen = () => more.getAttribute('open').then((open) => open !== null);
  const themeOf = () => page.locator('html').getAttribute('data-theme');
  await more.locator('summary').click();
  await more.getByRole('button', { name: 'Dark' }).click();
  expect([await themeOf(), await isOpen()]).toEqual(['dark', true]);
  expect(await findSerious(page)).toEqual([]);
  await page.keyboard.press('Escape');
  expect(await isOpen()).toBe(false);
  await more.locator('summary').click();
  await page.getByRole('searchbox').click();
  expect(await isOpen()).toBe(false);
  await more.locator('summary').click();
  await more.getByRole('link', { name: 'Settings' }).click();
  await page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor();
  expect(await isOpen()).toBe(false);
  await context.close();
});

test('when the worker is killed, the page stays readable and nothing can be changed', async () => {
  const { page, context } = await openViewer(browser, worker);
  await page.goto(`${worker.origin}/m/2`);
  const forget = page.getByRole('button', { name: 'Forget' });
  await forget.waitFor();
  worker.child.kill('SIGKILL');
  await page.getByText('Worker stopped. Start it:').waitFor();
  expect(await page.locator('.pane h1').textContent()).toBe(RIGHT_TO_LEFT);
  expect(await forget.isDisabled()).toBe(true);
  await page.keyboard.press('Backspace');
  await page.locator('.toast', { hasText: 'Worker stopped. Start it: cairn open' }).waitFor();
  expect(await page.locator('.pane h1').textContent()).toBe(RIGHT_TO_LEFT);
  await context.close();
});
