import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ApiWorker, startApiWorker } from '../support/api-worker.ts';
import { launchBrowser, openViewer, tabTo } from '../support/browser.ts';
import { fillWeek } from '../support/viewer-week.ts';

/** Every action of every page, without a mouse. */

let worker: ApiWorker;
let browser: Browser;
let page: Page;

beforeAll(async () => {
  worker = await startApiWorker({ fill: (store) => fillWeek(store, Date.now()) });
  browser = await launchBrowser();
  ({ page } = await openViewer(browser, worker));
  await page.locator('.pane h1').waitFor();
});

afterAll(async () => {
  await browser?.close();
  await worker?.stop();
});

async function press(...keys: string[]): Promise<void> {
  for (const key of keys) await page.keyboard.press(key);
}

/** Opens a page from the palette, which lists every page. */
async function goTo(name: string, path: string): Promise<void> {
  await press('Control+k');
  await page.getByRole('dialog').getByRole('combobox').waitFor();
  await page.keyboard.type(`Go to ${name}`);
  await press('Enter');
  await expect.poll(() => new URL(page.url()).pathname).toBe(path);
  await page.getByRole('heading', { level: 1 }).first().waitFor({ state: 'attached' });
  await page.locator('.loading').first().waitFor({ state: 'detached' });
}

async function pressButton(name: string | RegExp, inside = page.locator('body')): Promise<void> {
  await tabTo(page, inside.getByRole('button', { name }).first());
  await press('Enter');
}

const says = (text: string | RegExp) => page.getByText(text).first().waitFor();
const heading = () => page.locator('.pane h1').textContent();
const openId = async () => Number(/\/m\/(\d+)/.exec(page.url())?.[1]);
const stored = (id: number) => worker.useStore((store) => store.getMemory(id));

test('the first Tab stop skips the navigation', async () => {
  await press('Tab');
  expect(await page.evaluate('document.activeElement.textContent')).toBe('Skip to content');
  await press('Enter');
  expect(await page.evaluate('document.activeElement.id')).toBe('main');
});

test('the feed: move, open and go back', async () => {
  const first = await heading();
  await press('j');
  await expect.poll(heading).not.toBe(first);
  await press('k');
  await expect.poll(heading).toBe(first);
  const before = page.url();
  await press(']');
  await expect.poll(() => page.url()).not.toBe(before);
  const next = page.url();
  await press('[');
  await expect.poll(() => page.url()).not.toBe(next);
  await press('Escape');
  await expect.poll(() => new URL(page.url()).pathname).toBe('/');
  await press('Enter');
  await expect.poll(() => page.url()).toMatch(/\/m\/\d+$/);
});

test('a memory: edit, pin, copy, merge and replace', async () => {
  await press('Control+k');
  await page.getByRole('dialog').getByRole('combobox').waitFor();
  await page.keyboard.type('#6');
  await press('Enter');
  await page.locator('.pane h1', { hasText: stored(6)?.title ?? '' }).waitFor();
  const id = await openId();
  await press('e');
  await page.getByLabel('Title').waitFor();
  await press('Control+a');
  await page.keyboard.type('Typed without a mouse');
  await press('Control+Enter');
  await says(`Saved #${id}`);
  expect(stored(id)?.title).toBe('Typed without a mouse');
  await press('p');
  await says(`Pinned #${id}`);
  await press('c');
  await says(`Copied #${id}`);
  for (const [key, other, words] of [
    ['m', id - 1, `Merged #${id - 1} into #${id}`],
    ['s', id - 2, `#${id - 2} replaces #${id}`],
  ] as const) {
    await press(key);
    await tabTo(page, page.getByLabel('Number or words'));
    await page.keyboard.type(`#${other}`);
    await tabTo(page, page.locator('.picks button', { hasText: `#${other}` }));
    await press('Enter');
    await says(words);
  }
  expect([stored(id - 1)?.supersededBy, stored(id)?.supersededBy]).toEqual([id, id - 2]);
});

test('forget, undo, and forget several memories', async () => {
  const id = await openId();
  // The replacing memory is opened; keys do not act on it before it is shown.
  await expect.poll(heading).toBe(stored(id)?.title.replaceAll('`', ''));
  await press('Backspace');
  await says(`Forgot #${id}`);
  expect(stored(id)).toBeNull();
  await press('u');
  await says(`Restored #${id}`);
  await press('x');
  await says('1 selected');
  await press('Shift+J');
  await says('2 selected');
  await pressButton('Forget…');
  await pressButton('Forget 2 memories', page.getByRole('dialog'));
  await says('Forgot 2 memories');
  await press('u');
  await says('Restored 2 memories');
});

test('live, filters, search, theme and the list of keys', async () => {
  await goTo('Feed', '/');
  await press('l');
  await says('Paused');
  await press('l');
  await says('Live');
  await tabTo(page, page.getByLabel('Any type'));
  await page.keyboard.type('Bug');
  await expect.poll(() => page.url()).toContain('type=bugfix');
  await pressButton('Forget all that match…');
  await pressButton('Cancel', page.getByRole('dialog'));
  await tabTo(
    page,
    page
      .getByRole('link', { name: 'Clear filters' })
      .or(page.getByRole('button', { name: 'Clear filters' }))
      .first(),
  );
  await press('Enter');
  await expect.poll(() => page.url()).not.toContain('type=');
  await press('/');
  await page.keyboard.type('retry');
  await page.locator('.hits a').first().waitFor();
  await press('Enter');
  expect(await page.evaluate("document.activeElement.matches('.hits a')")).toBe(true);
  await press('j');
  await expect.poll(() => page.url()).toMatch(/[?&]m=\d+/);
  await press('Escape', 'Escape');
  await pressButton('Dark');
  expect(await page.evaluate('document.documentElement.dataset.theme')).toBe('dark');
  await press('Enter', '?');
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
  await press('Escape');
});

test('timeline and session', async () => {
  await press('g', 't');
  await page.locator('a.stone').first().waitFor();
  const saved = page.waitForEvent('download');
  await pressButton('Save picture');
  expect((await saved).suggestedFilename()).toMatch(/^cairn-.+\.png$/);
  await tabTo(page, page.locator('a.stone').first());
  await press('Enter');
  await expect.poll(() => page.url()).toMatch(/\/s\/\d+$/);
  await pressButton(/^Show what the agent did/);
  await tabTo(page, page.locator('.raw summary').first());
  await press('Enter');
  await page.locator('.raw pre').first().waitFor();
});

test('injections', async () => {
  await press('g', 'i');
  await page.locator('.line').first().waitFor();
  await press('j');
  await expect.poll(() => page.url()).toMatch(/\/injections\/1$/);
  await press('k', 'd');
  await page.locator('.line.added').first().waitFor();
  await press('d', 'c');
  await says('Copied the text.');
  await tabTo(page, page.getByRole('link', { name: 'Line 7' }));
  await press('Enter');
  await says('Why #1');
  await tabTo(page, page.locator('.left-out summary').first());
  await press('Enter');
  await page.locator('.left-out details[open]').waitFor();
});

test('health and work', async () => {
  await press('g', 'h');
  await pressButton(/^Retry job/);
  await says('1 job due now.');
  await tabTo(page, page.getByLabel('Level'));
  await page.keyboard.type('Warn');
  await expect.poll(() => page.url()).toContain('level=warn');
  await goTo('Work', '/work');
  await tabTo(page, page.getByRole('link', { name: 'Feed of the viewer' }));
  await press('Enter');
  await says('2 of 4 tasks done');
  await press('Escape');
  await expect.poll(() => new URL(page.url()).pathname).toBe('/work');
});

test('settings and projects', async () => {
  await goTo('Settings', '/settings');
  await tabTo(page, page.getByLabel('context.observations'));
  await press('Control+a');
  await page.keyboard.type('7');
  await page.evaluate('document.querySelector("main").focus()');
  await pressButton('Save 1 change');
  await says('Saved 1 setting.');
  await goTo('Projects', '/projects');
  const card = page.locator('.project', { hasText: 'field-notes' });
  await pressButton(/^Rename/, card);
  await tabTo(page, page.getByRole('textbox', { name: 'Name' }));
  await press('Control+a');
  await page.keyboard.type('notes');
  await press('Enter');
  await says('Renamed field-notes to notes.');
  const renamed = page.locator('.project', { has: page.getByRole('link', { name: 'notes', exact: true }) });
  await pressButton(/^Export/, renamed);
  await page.getByRole('dialog', { name: 'Export notes' }).waitFor();
  await press('Escape');
  await pressButton(/^Merge/, renamed);
  await pressButton('Merge', page.getByRole('dialog'));
  await says(/^Merged notes into/);
  await pressButton('Split notes off');
  await says('notes is a separate project again.');
  await pressButton(/^Forget/, renamed);
  await tabTo(page, page.getByLabel('Type notes to confirm'));
  await page.keyboard.type('notes');
  await press('Enter');
  await says(/^Forgot \d+ memories of notes/);
  await press('u');
  await says(/^Restored/);
});
