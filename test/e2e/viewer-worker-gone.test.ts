import { mkdtempSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type ApiWorker, startApiWorker } from '../support/api-worker.ts';
import { launchBrowser, openViewer, type View } from '../support/browser.ts';
import { removeFolder } from '../support/remove-folder.ts';
import { until } from '../support/until.ts';
import { fillViewer } from '../support/viewer-memories.ts';

/** A worker that is suspended, killed, or replaced by another program while pages are open. */

let home: string;
let worker: ApiWorker;
let browser: Browser;
let view: View;
let page: Page;

const SILENT =
  'The worker is not responding. This page continues when it does. Check it: cairn worker status';
const bar = (tab = page) => tab.locator('.gone');
const toast = (text: string) => page.locator('.toast', { hasText: text });
const expectNoBar = (tab = page) => expect.poll(() => bar(tab).count(), { timeout: 20_000 }).toBe(0);

beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'cairn-gone-'));
  worker = await startApiWorker({ home, fill: (store) => fillViewer(store, Date.now()) });
  browser = await launchBrowser();
  view = await openViewer(browser, worker);
  page = view.page;
});

beforeEach(async () => {
  await page.goto(`${worker.origin}/m/3`);
  await page.locator('.pane').getByRole('heading', { name: 'Retry loop' }).waitFor();
});

afterAll(async () => {
  await browser?.close();
  worker?.child.kill('SIGCONT');
  await worker?.stop();
  await removeFolder(home);
});

test('every tab notices a suspended worker, and shows what it missed when the worker continues', async () => {
  const other = await view.context.newPage();
  await other.goto(`${worker.origin}/`);
  await other.getByRole('feed').waitFor();
  worker.child.kill('SIGSTOP');
  for (const tab of [page, other]) await tab.getByText(SILENT).waitFor();
  expect(await page.getByRole('button', { name: 'Forget' }).isDisabled()).toBe(true);
  expect(await page.locator('.pane h1').textContent()).toContain('Retry loop');
  worker.useStore((store) => store.editMemory(3, { title: 'Edited meanwhile' }, Date.now()));
  worker.child.kill('SIGCONT');
  for (const tab of [page, other]) {
    await expectNoBar(tab);
    await tab.locator('.memory', { hasText: 'Edited meanwhile' }).waitFor();
  }
  worker.useStore((store) => store.editMemory(3, { title: 'Retry loop ignored Retry-After' }, Date.now()));
  await page.locator('.pane').getByRole('heading', { name: 'Retry loop' }).waitFor();
  await other.close();
});

test('keys report why they do nothing, and a page that is not loaded yet appears later', async () => {
  worker.child.kill('SIGSTOP');
  await page.getByText(SILENT).waitFor();
  for (const key of ['p', 'Backspace']) {
    await page.keyboard.press(key);
    await toast(SILENT).waitFor();
    await toast(SILENT).waitFor({ state: 'detached' });
  }
  await page.keyboard.press('e');
  await page.getByLabel('Title').fill('Never saved');
  expect(await page.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true);
  await page.keyboard.press('Control+Enter');
  await toast(SILENT).waitFor();
  // The typed text is still there.
  expect(await page.getByLabel('Title').inputValue()).toBe('Never saved');
  await page.keyboard.press('Escape');
  await page.keyboard.press('?');
  await toast(SILENT).waitFor();
  await page.getByRole('link', { name: 'Settings' }).click();
  await page.locator('main .loading').waitFor();
  worker.child.kill('SIGCONT');
  await page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor();
  await expectNoBar();
  expect(worker.useStore((store) => [store.getMemory(3)?.title, store.getMemory(3)?.pinnedAt])).toEqual([
    'Retry loop ignored Retry-After',
    null,
  ]);
});

test('an action from just before a suspension is done when the worker continues', async () => {
  worker.child.kill('SIGSTOP');
  await page.keyboard.press('p');
  await page.getByText(SILENT).waitFor();
  worker.child.kill('SIGCONT');
  await toast('Pinned #3').waitFor();
  await expectNoBar();
  expect(worker.useStore((store) => store.getMemory(3)?.pinnedAt)).not.toBeNull();
});

test('a page that cannot be loaded shows an error, and appears once the worker is back', async () => {
  worker.child.kill('SIGKILL');
  await page.getByText('Worker stopped. Start it: cairn open').waitFor();
  await page.getByRole('link', { name: 'Statistics' }).click();
  await page.getByRole('heading', { name: 'This page could not be loaded' }).waitFor();
  worker = await startApiWorker({ home });
  await page.getByRole('heading', { name: 'Statistics', level: 1 }).waitFor();
  await expectNoBar();
});

test('another program on the port is reported, and does not get the key', async () => {
  const { port } = worker;
  worker.child.kill('SIGKILL');
  await page.getByText('Worker stopped. Start it: cairn open').waitFor();
  const keys: unknown[] = [];
  const server: Server = createServer(({ headers }, response) => {
    keys.push(headers.authorization);
    response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Another program</h1>');
  });
  await until(
    'the port',
    () =>
      new Promise<true | undefined>((resolve) => {
        server.once('error', () => resolve(undefined));
        server.listen(port, '127.0.0.1', () => resolve(true));
      }),
  );
  await page
    .getByText('Another program answers at this address. Open the viewer again: cairn open')
    .waitFor();
  await page.keyboard.press('p');
  await toast('Another program answers at this address.').waitFor();
  await page.locator('.memory').first().click();
  await page.getByRole('heading', { name: /^Memory #\d+ cannot be shown$/ }).waitFor();
  await until('several requests', () => (keys.length > 3 ? true : undefined));
  expect(new Set(keys)).toEqual(new Set([undefined]));
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  worker = await startApiWorker({ home });
  expect(worker.port).toBe(port);
  await expectNoBar();
});
