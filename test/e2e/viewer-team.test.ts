import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ApiWorker, startApiWorker } from '../support/api-worker.ts';
import { findSerious, launchBrowser, openViewer, type View } from '../support/browser.ts';
import { type Postgres, startPostgres } from '../support/postgres.ts';
import { makeRepository, runCairn } from '../support/run-cairn.ts';

const REMOTE = 'https://git.example.com/team/shop.git';
/** Where pictures go if a person wants to look at them. */
const PICTURES = process.env.CAIRN_PICTURES;

let postgres: Postgres;
let folder: string;
let worker: ApiWorker;
let empty: ApiWorker;
let browser: Browser;
let view: View;

/** Anna has a note of her own from before and reads Ben's; the worker is hers. */
beforeAll(async () => {
  postgres = await startPostgres();
  folder = mkdtempSync(join(tmpdir(), 'cairn-test-'));
  for (const name of ['anna', 'ben']) makeRepository(join(folder, name, 'shop'), REMOTE);
  const url = postgres.adminUrl('viewed');
  cairn('anna', ['team', 'create', '-', '--name', 'Anna', '--machine', 'laptop'], url);
  cairn('anna', ['remember', 'Invoices are rounded half up']);
  const link = cairn('anna', ['team', 'invite', 'Ben', '--url', '-'], url);
  cairn('ben', ['remember', 'Ben was here before']);
  cairn('ben', ['team', 'join', '-', '--machine', 'desk'], link);
  cairn('ben', ['team', 'share', '--yes']);
  cairn('ben', ['remember', 'Webhooks come twice']);
  cairn('ben', ['team', 'sync']);
  cairn('anna', ['team', 'sync']);
  worker = await startApiWorker({ home: join(folder, 'anna', '.cairn') });
  empty = await startApiWorker();
  browser = await launchBrowser();
  view = await openViewer(browser, worker);
});

afterAll(async () => {
  await browser?.close();
  await worker?.stop();
  await empty?.stop();
  await postgres?.stop();
  if (folder) rmSync(folder, { recursive: true, force: true });
});

function cairn(name: string, args: string[], stdin = ''): string {
  const home = join(folder, name);
  const run = runCairn({ home, cwd: join(home, 'shop'), stdin }, ...args);
  expect(run, `${name}: cairn ${args.join(' ')}`).toMatchObject({ exitCode: 0 });
  return run.stdout;
}

async function open(path: string): Promise<Page> {
  await view.page.goto(worker.origin + path);
  await view.page.getByRole('heading', { level: 1 }).first().waitFor();
  return view.page;
}

test('the page names members, machines and the last exchange', async () => {
  const page = await open('/team');
  await page.getByText('You are Anna on laptop.').waitFor();
  await page
    .getByRole('navigation', { name: 'Pages', exact: true })
    .getByRole('link', { name: 'Team' })
    .waitFor();
  const machines = page.locator('section', { has: page.getByRole('heading', { name: 'Machines' }) });
  await machines.getByRole('row', { name: /Ben desk joined/ }).waitFor();
  await machines.getByRole('row', { name: /Anna laptop this machine/ }).waitFor();
  await page.getByText('read-only: your own memories stay private').waitFor();
});

test('what a colleague made says so in the feed, in a memory and in a search', async () => {
  const page = await open('/');
  const row = page.locator('.memory', { hasText: 'Webhooks come twice' });
  await row.getByText('from Ben').waitFor();
  await row.click();
  await page.locator('article, .pane').getByText('from Ben').first().waitFor();
  await open('/search?q=webhooks');
  await page.locator('.hit', { hasText: 'Webhooks come twice' }).getByText('from Ben').waitFor();
});

test('sharing counts first what is from before, and the worker sends it', async () => {
  const page = await open('/team');
  const share = page.getByRole('switch', { name: 'Share shop' });
  expect(await share.getAttribute('aria-checked')).toBe('false');
  await share.click();
  await page.getByLabel('Also share what exists already: 1 memory and 0 work items').check();
  await page.getByRole('button', { name: 'Share with 1 memory and 0 work items' }).click();
  await expect.poll(() => share.getAttribute('aria-checked')).toBe('true');
  await expect
    .poll(
      () => {
        cairn('ben', ['team', 'sync']);
        return cairn('ben', ['recent', '--all']);
      },
      { timeout: 60_000, interval: 1_000 },
    )
    .toContain('Invoices are rounded half up');
});

test('a forgotten memory shows who has not confirmed it', async () => {
  const [memory] = JSON.parse(cairn('anna', ['search', 'invoices', '--json']));
  cairn('anna', ['forget', memory.id.replace('#', ''), '--yes']);
  cairn('anna', ['team', 'sync']);
  const page = await open('/team');
  await page.getByRole('row', { name: /Ben desk .* 1 deletion not confirmed/ }).waitFor();
  cairn('ben', ['team', 'sync']);
  await page.reload();
  await page.getByRole('row', { name: /Ben desk .* all confirmed/ }).waitFor();
});

test.each([
  { look: 'light', options: {} },
  { look: 'dark', options: { isDark: true } },
  { look: 'narrow', options: { width: 390, height: 844 } },
])('the page is accessible and fits: $look', async ({ look, options }) => {
  const { page, troubles, context } = await openViewer(browser, worker, options);
  await page.goto(`${worker.origin}/team`);
  await page.getByRole('heading', { name: 'Machines' }).waitFor();
  const faults = await findSerious(page);
  const isWide = await page.evaluate('document.documentElement.scrollWidth > innerWidth');
  if (PICTURES) await page.screenshot({ path: join(PICTURES, `team-${look}.png`) });
  expect({ faults, isWide, troubles }).toEqual({
    ...{ faults: [], isWide: false, troubles: [] },
  });
  await context.close();
});

test('unsharing asks, and takes back', async () => {
  const page = await open('/team');
  const share = page.getByRole('switch', { name: 'Share shop' });
  await expect.poll(() => share.getAttribute('aria-checked')).toBe('true');
  await share.click();
  await page.getByRole('button', { name: 'Stop sharing' }).click();
  await expect.poll(() => share.getAttribute('aria-checked')).toBe('false');
});

test('without the server the rest of the page is there', async () => {
  await postgres.kill();
  const page = await open('/team');
  await page.getByText('Members and machines could not be loaded').waitFor();
  await page.getByRole('switch', { name: 'Share shop' }).waitFor();
});

test('without a team the page says how to get one, and is not in the rail', async () => {
  const { page, troubles } = await openViewer(browser, empty);
  await page.goto(`${empty.origin}/team`);
  await page.getByText('You are not in a team').waitFor();
  await page.getByText('cairn team create').waitFor();
  const rail = page.getByRole('navigation', { name: 'Pages', exact: true });
  expect(await rail.getByRole('link', { name: 'Team' }).count()).toBe(0);
  expect(troubles).toEqual([]);
});
