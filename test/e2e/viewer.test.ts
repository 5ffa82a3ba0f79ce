import { mkdirSync } from 'node:fs';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ApiWorker, startApiWorker } from '../support/api-worker.ts';
import { launchBrowser, openViewer } from '../support/browser.ts';
import { fillViewer } from '../support/viewer-memories.ts';

const PICTURES = process.env.CAIRN_PICTURES ?? '/tmp/viewer';

let worker: ApiWorker;
let browser: Browser;

beforeAll(async () => {
  mkdirSync(PICTURES, { recursive: true });
  worker = await startApiWorker({ fill: (store) => fillViewer(store, Date.now()) });
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser?.close();
  await worker?.stop();
});

test('first sight', async () => {
  const view = await openViewer(browser, worker);
  await view.page.waitForTimeout(2500);
  await view.page.screenshot({ path: `${PICTURES}/feed-light.png` });
  console.log(view.troubles);
  await view.page.getByRole('heading', { level: 1, name: 'Feed pages by' }).waitFor({ timeout: 2000 });
  const dark = await openViewer(browser, worker, { isDark: true });
  await dark.page.getByRole('heading', { level: 1, name: 'Feed pages by' }).waitFor();
  await dark.page.screenshot({ path: `${PICTURES}/feed-dark.png` });
  const narrow = await openViewer(browser, worker, { width: 390, height: 844 });
  await narrow.page.getByText('Feed pages by').first().waitFor();
  await narrow.page.screenshot({ path: `${PICTURES}/feed-narrow.png` });
  await view.page.goto(`${worker.origin}/search?q=retry+loop`);
  await view.page.locator('.hits a').first().waitFor();
  await view.page.waitForTimeout(300);
  await view.page.screenshot({ path: `${PICTURES}/search-light.png` });
  expect([view.troubles, narrow.troubles]).toEqual([[], []]);
});
