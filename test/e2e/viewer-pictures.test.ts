import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ApiWorker, startApiWorker } from '../support/api-worker.ts';
import { launchBrowser, openViewer, type View } from '../support/browser.ts';
import { toPalettePng } from '../support/palette-png.ts';
import { fillSample } from '../support/viewer-memories.ts';
import { fillWeek } from '../support/viewer-week.ts';

/** The README's pictures of the viewer. `npm run pictures` also writes them. */

const IMAGES = fileURLToPath(new URL('../../docs/images/', import.meta.url));
const MOST_BYTES = 150_000;

let worker: ApiWorker;
let browser: Browser;
let view: View;

beforeAll(async () => {
  worker = await startApiWorker({
    fill(store) {
      // The sample in the feed is newer.
      fillWeek(store, Date.now() - 2 * 3_600_000);
      fillSample(store, Date.now());
    },
  });
  browser = await launchBrowser();
  view = await openViewer(browser, worker, { width: 1440, height: 860 });
});

afterAll(async () => {
  await browser?.close();
  await worker?.stop();
});

async function takePicture(page: Page, name: string): Promise<void> {
  const picture = toPalettePng(await page.screenshot());
  expect(picture.length).toBeLessThan(MOST_BYTES);
  if (process.env.CAIRN_RECORD === '1') writeFileSync(join(IMAGES, name), picture);
}

test('the feed: the running turn, earlier memories, and the latest memory', async () => {
  const { page } = view;
  await page.locator('.run', { hasText: 'Rows jump' }).waitFor();
  await page.locator('.pane').getByRole('heading', { name: 'Feed pages by (time, id) cursor' }).waitFor();
  await takePicture(page, 'viewer-feed.png');
});

test('injections: what an agent was given, why, and what was left out', async () => {
  const { page } = view;
  await page.goto(`${worker.origin}/injections/2#l8`);
  await page.locator('.score-parts').first().waitFor();
  await page.locator('.injection-list a').nth(1).waitFor();
  await takePicture(page, 'viewer-injections.png');
});

test('the week as seven cairns', async () => {
  const { page } = view;
  await page.goto(`${worker.origin}/timeline`);
  await page.locator('a.stone').first().waitFor();
  await takePicture(page, 'viewer-timeline.png');
  expect(view.troubles).toEqual([]);
});
