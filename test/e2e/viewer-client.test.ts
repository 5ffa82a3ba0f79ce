import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { pathsOf } from '../../src/platform/paths.ts';
import { launchBrowser, openViewer, type View } from '../support/browser.ts';
import { runSession, type SessionRun } from '../support/claude-code.ts';
import { hookComplaints } from '../support/debug-log.ts';
import { cairn, makeConnectedWorld, type World } from '../support/world.ts';

/** The page that `cairn open` opens, while the real client works: the client's hooks feed and start the worker. */

const PROMPT = 'From now on the orchard server listens on 7070. Check that it does.';
const LEARNED =
  'The orchard server must listen on 7070, because the sprinkler firmware has that port built in and cannot be changed.';

let world: World;
let browser: Browser;
let view: View;
let page: Page;

beforeAll(async () => {
  world = await makeConnectedWorld();
  browser = await launchBrowser();
  const { link, origin } = JSON.parse(await cairn(world, 'open', '--json'));
  view = await openViewer(browser, { origin, paths: pathsOf(join(world.home, '.cairn')) }, { link });
  page = view.page;
  await page.getByText('No memories yet').waitFor();
});

afterAll(async () => {
  await browser?.close();
  await cairn(world, 'worker', 'stop');
  await world?.remove();
});

test('a turn of the client appears with its prompt, its calls and its memory', async () => {
  const gate = join(world.project, 'gate-is-open');
  const wait = `for i in $(seq 600); do [ -e ${gate} ] && break; sleep 0.1; done`;
  const call = (command: string) => ({ tool: 'Bash', input: { command, description: 'Look for the port' } });
  const session: Promise<SessionRun> = runSession(world, {
    script: {
      main: [[{ text: 'I look.' }, call('echo listening on 7070')], [call(wait)], [{ text: LEARNED }]],
    },
    prompts: [PROMPT],
  });
  const running = page.locator('.run', { hasText: PROMPT });
  await running.waitFor();
  await running.locator('.now', { hasText: '$ echo listening on 7070' }).waitFor();
  // The client waits in the next call until this file exists.
  writeFileSync(gate, '');
  await page.locator('.memory', { hasText: '7070' }).first().waitFor();
  await page.locator('.pane h1', { hasText: '7070' }).waitFor();
  const { exitCode, stderr, debugLog } = await session;
  expect({ exitCode, stderr, complaints: hookComplaints(debugLog) }).toEqual({
    ...{ exitCode: 0, stderr: '', complaints: [] },
  });
  await expect.poll(() => page.locator('.run').count()).toBe(0);
});

test('the next session gets the memory, and Injections shows the text at once', async () => {
  await page.getByRole('link', { name: 'Injections' }).click();
  await page.getByRole('heading', { name: 'Injections', level: 1 }).waitFor();
  const { requests } = await runSession(world, {
    script: { main: [[{ text: '7070.' }]] },
    prompts: ['Which port does the orchard server listen on?'],
  });
  const latest = page.locator('.injection').first();
  await latest.filter({ hasText: 'Prompt' }).waitFor();
  const shown = await firstLine();
  const first = JSON.stringify(requests.find(({ queue }) => queue === 'main')?.body);
  expect(first).toContain(JSON.stringify(shown).slice(1, -1));
  const { origin, pathname } = new URL(await latest.evaluate((link) => link.href));
  await page.goto(`${origin}/m/${numberOf(shown)}`);
  // From the memory back to the context that contains it.
  await page.locator('.why a', { hasText: 'With a prompt' }).click();
  await expect.poll(() => new URL(page.url()).pathname).toBe(pathname);
  // The context of the session start has a line of the summary.
  await page.locator('.injection', { hasText: 'Session start' }).click();
  await page.locator('.line', { hasText: 'Last session:' }).waitFor();
  await page.goto(`${origin}/m/${numberOf(await firstLine())}`);
  await page.locator('.why a', { hasText: 'As a line at the start of a session' }).waitFor();
  expect(view.troubles).toEqual([]);
});

async function firstLine(): Promise<string> {
  const lines = page.locator('.line', { hasText: '#' }).filter({ hasText: '7070' });
  return (await lines.first().locator('code').textContent())?.trim() ?? '';
}

function numberOf(line: string): string | undefined {
  return /^#(\d+)/.exec(line)?.[1];
}
