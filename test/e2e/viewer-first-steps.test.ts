import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ApiWorker, startApiWorker } from '../support/api-worker.ts';
import { findSerious, launchBrowser, openViewer } from '../support/browser.ts';
import { removeFolder } from '../support/remove-folder.ts';
import { until } from '../support/until.ts';

/** What a person without memories finds: the sample session, and the past sessions of agents on this machine. */

const TRANSCRIPTS = fileURLToPath(
  new URL('../../src/agents/claude-code/payloads/transcripts/whole', import.meta.url),
);

let folder: string;
let worker: ApiWorker;
let browser: Browser;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'cairn-first-'));
  const home = join(folder, 'home');
  mkdirSync(home);
  cpSync(TRANSCRIPTS, join(home, '.claude/projects/-home-user-project'), { recursive: true });
  worker = await startApiWorker({ home });
  browser = await launchBrowser();
});

afterAll(async () => {
  await browser?.close();
  await worker?.stop();
  await removeFolder(folder);
});

function readDatabase(): string {
  return ['', '-wal'].map((end) => readFileSync(worker.paths.database + end, 'latin1')).join('');
}

test('an empty feed plays the sample session, marks it, and removes every byte of it', async () => {
  const { page, troubles, context } = await openViewer(browser, worker);
  await page.getByText('No memories yet').waitFor();
  await page.getByRole('button', { name: 'Play the sample session' }).click();
  await page.locator('.run', { hasText: 'the discount test fails, fix it' }).waitFor();
  await page.locator('.run .now', { hasText: '$ npm test' }).waitFor();
  await page.locator('.memory').first().waitFor();
  await page.locator('.sample-note', { hasText: 'shop-sample' }).waitFor();
  // The session has ended: no turn is running any more.
  await page.locator('.did', { hasText: /zero percent/i }).waitFor({ timeout: 60_000 });
  await expect.poll(() => page.locator('.run').count(), { timeout: 20_000 }).toBe(0);
  expect(await findSerious(page)).toEqual([]);
  // The next session gets its memories.
  await page.getByRole('link', { name: 'Injections' }).click();
  await page.locator('.line', { hasText: 'toFixed was the wrong tool' }).first().waitFor();
  await page.goto(`${worker.origin}/projects`);
  await page.locator('.project', { hasText: 'shop-sample' }).getByText('sample', { exact: true }).waitFor();
  expect(readDatabase()).toContain('discount');

  await page.goto(worker.origin);
  await page.getByRole('button', { name: 'Remove the sample' }).click();
  await page.getByText('Removed the sample.').waitFor();
  await page.getByText('No memories yet').waitFor();
  const { projects } = await worker.get<{ projects: unknown[] }>('/api/projects');
  expect(projects).toEqual([]);
  await until('the bytes are gone', () => (readDatabase().includes('discount') ? undefined : true));
  expect(troubles).toEqual([]);
  await context.close();
});

test('past sessions of an agent are imported with a progress bar', async () => {
  const { page, troubles, context } = await openViewer(browser, worker);
  await page.goto(`${worker.origin}/projects`);
  const card = page.locator('.import');
  await card.getByText('Claude Code').waitFor();
  expect(await findSerious(page)).toEqual([]);
  await card.getByRole('button', { name: /^Import / }).click();
  await card.getByRole('progressbar').waitFor();
  await card.getByText(/^Imported [1-9]\d* events$/).waitFor({ timeout: 60_000 });
  await page.locator('.project').first().waitFor();
  await card.getByText('all known').or(card.getByText('Nothing to import')).waitFor();
  const { sessions } = await worker.get<{ sessions: unknown[] }>('/api/sessions');
  expect(sessions.length).toBeGreaterThan(0);
  expect(troubles).toEqual([]);
  await context.close();
});

test('only one import runs at a time', async () => {
  await expect(worker.send('POST', '/api/import/stop', {})).rejects.toThrow('No import is running');
  await worker.send('POST', '/api/import', {});
  await expect(worker.send('POST', '/api/import', {})).rejects.toThrow('running already');
  await until('the end of the import', async () => {
    const { import: progress } = await worker.get<{ import: { state: string } }>('/api/import');
    return progress.state === 'running' ? undefined : progress.state;
  });
});

test('the sample is not played while capture is paused', async () => {
  mkdirSync(worker.paths.paused);
  try {
    mkdirSync(join(worker.paths.paused, 'all'));
    await expect(worker.send('POST', '/api/sample', {})).rejects.toThrow('Capture is paused');
  } finally {
    rmSync(worker.paths.paused, { recursive: true });
  }
});
