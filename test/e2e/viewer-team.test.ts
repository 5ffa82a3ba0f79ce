import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ApiWorker, startApiWorker } from '../support/api-worker.ts';
import { findSerious, isTooWide, launchBrowser, openViewer, type View } from '../support/browser.ts';
import { ORCHARD } from '../support/captured.ts';
import { rememberTurn } from '../support/memories.ts';
import { type Postgres, startPostgres } from '../support/postgres.ts';
import { makeRepository, runCairn } from '../support/run-cairn.ts';

const INVOICES = 'Invoices are rounded half up';
const REMOTE = 'https://git.example.com/team/shop.git';
/** Where to save screenshots, if a person wants to look at them. */
const PICTURES = process.env.CAIRN_PICTURES;

let postgres: Postgres;
let url: string;
let folder: string;
let worker: ApiWorker;
let empty: ApiWorker;
let browser: Browser;
let view: View;

/** Anna has a note from before the team, and reads Ben's notes; the worker is hers. */
beforeAll(async () => {
  postgres = await startPostgres();
  folder = mkdtempSync(join(tmpdir(), 'cairn-test-'));
  for (const name of ['anna', 'ben']) makeRepository(join(folder, name, 'shop'), REMOTE);
  url = postgres.adminUrl('viewed');
  cairn('anna', ['team', 'create', '-', '--name', 'Anna', '--machine', 'laptop'], url);
  cairn('anna', ['remember', INVOICES]);
  const link = cairn('anna', ['team', 'invite', 'Ben', '--url', '-'], url);
  cairn('ben', ['remember', 'Ben was here before']);
  cairn('ben', ['team', 'join', '-', '--machine', 'desk'], link);
  cairn('ben', ['team', 'share', '--yes']);
  cairn('ben', ['remember', 'Webhooks come twice']);
  cairn('ben', ['team', 'sync']);
  cairn('anna', ['team', 'sync']);
  worker = await startApiWorker({ home: join(folder, 'anna', '.cairn') });
  empty = await startApiWorker({
    fill: (store) =>
      rememberTurn(store, {
        ...{ place: ORCHARD, at: Date.now(), folder: '/nowhere/orchard' },
        observations: [{ type: 'discovery', title: 'The cache is warm at noon' }],
      }),
  });
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

test('the team page shows the member, the machines and the state of the project', async () => {
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

test("a colleague's memory names its author in the feed, on its page and in search", async () => {
  const page = await open('/');
  const row = page.locator('.memory', { hasText: 'Webhooks come twice' });
  await row.getByText('from Ben').waitFor();
  await row.click();
  await page.locator('article, .pane').getByText('from Ben').first().waitFor();
  await open('/search?q=webhooks');
  await page.locator('.hit', { hasText: 'Webhooks come twice' }).getByText('from Ben').waitFor();
});

/** The id of one of Anna's memories: her own, or Ben's. */
async function findId(title: string): Promise<number> {
  const { memories } = await worker.get<{ memories: { id: number; title: string }[] }>('/api/memories');
  return memories.find((memory) => memory.title === title)?.id ?? 0;
}

/** The answer of the API to sharing or unsharing a memory. */
async function decide(on: ApiWorker, id: number, action: 'share' | 'unshare') {
  const { status, headers, text } = await on.raw({
    method: 'POST',
    path: `/api/team/memories/${id}/${action}`,
    headers: { authorization: `Bearer ${on.key}`, 'content-type': 'application/json' },
    body: '{}',
  });
  return { status, type: headers['content-type'], detail: JSON.parse(text).detail };
}

const PROBLEM = 'application/problem+json; charset=utf-8';

/** Syncs both homes. @returns what Ben has then. */
function exchange(): string {
  for (const name of ['anna', 'ben']) cairn(name, ['team', 'sync']);
  return cairn('ben', ['recent', '--all']);
}

test('a memory cannot be shared alone: the page and the API give the reason', async () => {
  const own = await findId(INVOICES);
  const notShared = `The project of #${own} is not shared. Share it first, in its folder: cairn team share`;
  expect(await decide(worker, own, 'share')).toEqual({ status: 409, type: PROBLEM, detail: notShared });
  const theirs = await findId('Webhooks come twice');
  for (const action of ['share', 'unshare'] as const)
    expect(await decide(worker, theirs, action)).toEqual({
      ...{ status: 409, type: PROBLEM },
      detail: `#${theirs} is from Ben, who decides whether it is shared.`,
    });
  expect(await decide(worker, 999, 'share')).toEqual({
    ...{ status: 404, type: PROBLEM, detail: 'There is no memory 999.' },
  });
  expect(await decide(empty, 1, 'share')).toEqual({
    ...{ status: 409, type: PROBLEM, detail: 'This home is in no team. Make one: cairn team create' },
  });
  const page = await open(`/m/${own}`);
  await page.locator('.share-line').getByText('private').waitFor();
  await page.getByRole('switch', { name: 'Share with the team' }).click();
  await page.getByRole('dialog').getByText(notShared).waitFor();
  expect(await page.getByRole('dialog').getByRole('button').allTextContents()).toEqual(['Close']);
  await page.getByRole('dialog').getByRole('link', { name: 'Open the team page' }).waitFor();
  await open(`/m/${theirs}`);
  await page.locator('.pane .kind').getByText('from Ben').waitFor();
  expect(await page.getByRole('switch').count()).toBe(0);
});

test('sharing counts the earlier memories first, and the worker sends them', async () => {
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
    .toContain(INVOICES);
});

test('a memory is unshared and shared again, by the switch and by a key', async () => {
  const id = await findId(INVOICES);
  expect(await decide(worker, id, 'share')).toEqual({
    ...{ status: 409, type: PROBLEM, detail: `#${id} is shared already.` },
  });
  const page = await open(`/m/${id}`);
  const share = page.getByRole('switch', { name: 'Share with the team' });
  const state = page.locator('.share-line small');
  await state.getByText('shared').waitFor();
  expect(await share.getAttribute('aria-checked')).toBe('true');
  await share.click();
  await page.getByRole('button', { name: 'Stop sharing' }).click();
  await state.getByText('private').waitFor();
  expect(await share.getAttribute('aria-checked')).toBe('false');
  expect(exchange()).not.toContain(INVOICES);
  await page.keyboard.press('t');
  await page.getByRole('dialog', { name: `Share #${id} with the team` }).waitFor();
  // The browser focuses the first button.
  await page.keyboard.press('Enter');
  await state.getByText('shared').waitFor();
  expect(await share.getAttribute('aria-checked')).toBe('true');
  expect(exchange()).toContain(INVOICES);
});

test.each([
  { theme: 'light', options: {} },
  { theme: 'dark', options: { isDark: true } },
  { theme: 'narrow', options: { width: 390, height: 844 } },
])('the team page and the share switch are accessible and fit: $theme', async ({ theme, options }) => {
  const { page, troubles, context } = await openViewer(browser, worker, options);
  const faults: string[] = [];
  const tooWide: string[] = [];
  const look = async (name: string) => {
    if (await isTooWide(page)) tooWide.push(name);
    if (PICTURES) await page.screenshot({ path: join(PICTURES, `${name}-${theme}.png`) });
  };
  await page.goto(`${worker.origin}/team`);
  await page.getByRole('heading', { name: 'Machines' }).waitFor();
  faults.push(...(await findSerious(page)));
  await look('team');
  await page.goto(`${worker.origin}/m/${await findId(INVOICES)}`);
  const share = page.getByRole('switch', { name: 'Share with the team' });
  await share.waitFor();
  faults.push(...(await findSerious(page)));
  await look('memory-shared');
  await share.click();
  await page.getByRole('button', { name: 'Stop sharing' }).waitFor();
  await look('memory-share-dialog');
  expect({ faults, tooWide, troubles }).toEqual({ faults: [], tooWide: [], troubles: [] });
  await context.close();
});

test('a forgotten memory shows which members have not confirmed it', async () => {
  const [memory] = JSON.parse(cairn('anna', ['search', 'invoices', '--json']));
  cairn('anna', ['forget', memory.id.replace('#', ''), '--yes']);
  cairn('anna', ['team', 'sync']);
  const page = await open('/team');
  await page.getByRole('row', { name: /Ben desk .* 1 deletion not confirmed/ }).waitFor();
  cairn('ben', ['team', 'sync']);
  await page.reload();
  await page.getByRole('row', { name: /Ben desk .* all confirmed/ }).waitFor();
});

test('unsharing a project asks for confirmation', async () => {
  const page = await open('/team');
  const share = page.getByRole('switch', { name: 'Share shop' });
  await expect.poll(() => share.getAttribute('aria-checked')).toBe('true');
  await share.click();
  await page.getByRole('button', { name: 'Stop sharing' }).click();
  await expect.poll(() => share.getAttribute('aria-checked')).toBe('false');
});

test('a read-only member cannot share a memory', async () => {
  cairn('anna', ['team', 'rights', 'Anna', '--read-only', '--url', '-'], url);
  cairn('anna', ['remember', 'Ties are broken by name']);
  cairn('anna', ['team', 'sync']);
  expect(await decide(worker, await findId('Ties are broken by name'), 'share')).toEqual({
    ...{ status: 409, type: PROBLEM },
    detail: 'You can only read shop in the team. An administrator can change that: cairn team rights',
  });
});

test('without the server, the rest of the page is shown', async () => {
  await postgres.kill();
  const page = await open('/team');
  await page.getByText('Members and machines could not be loaded').waitFor();
  await page.getByRole('switch', { name: 'Share shop' }).waitFor();
});

test('without a team, the page explains how to create one, and is not in the navigation', async () => {
  const { page, troubles } = await openViewer(browser, empty);
  await page.goto(`${empty.origin}/team`);
  await page.getByText('You are not in a team').waitFor();
  await page.getByText('cairn team create').waitFor();
  const rail = page.getByRole('navigation', { name: 'Pages', exact: true });
  expect(await rail.getByRole('link', { name: 'Team' }).count()).toBe(0);
  await page.goto(`${empty.origin}/m/1`);
  await page.getByRole('heading', { level: 1, name: 'The cache is warm at noon' }).waitFor();
  expect(await page.getByRole('switch').count()).toBe(0);
  expect(troubles).toEqual([]);
});
