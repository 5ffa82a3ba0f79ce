import axe from 'axe-core';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { readAccess } from '../../src/api/access.ts';
import type { ApiWorker } from './api-worker.ts';

/** Debian's Chromium; .ci/run installs it. */
const PROGRAM = '/usr/bin/chromium';

export function launchBrowser(): Promise<Browser> {
  // Chromium refuses to sandbox for root, as in a container.
  return chromium.launch({ executablePath: PROGRAM, args: ['--no-sandbox'] });
}

export interface View {
  context: BrowserContext;
  page: Page;
  /** What went wrong in the page: exceptions, violations of the policy, requests to anywhere else. */
  troubles: string[];
}

/** A window of a browser that has just been let in by a link. */
export async function openViewer(
  browser: Browser,
  worker: ApiWorker,
  {
    width = 1440,
    height = 900,
    isDark = false,
    link,
  }: { width?: number; height?: number; isDark?: boolean; link?: string } = {},
): Promise<View> {
  const context = await browser.newContext({
    viewport: { width, height },
    colorScheme: isDark ? 'dark' : 'light',
    locale: 'en-GB',
  });
  await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: worker.origin });
  const page = await context.newPage();
  const troubles: string[] = [];
  page.on('pageerror', (error) => troubles.push(`exception: ${error.message}`));
  page.on('console', (message) => {
    if (message.type() === 'error') troubles.push(`console: ${message.text()}`);
  });
  page.on('request', (request) => {
    if (!request.url().startsWith(`${worker.origin}/`)) troubles.push(`request to ${request.url()}`);
  });
  await page.goto(link ?? `${worker.origin}/open#${await issueCode(worker)}`);
  // Until the code is exchanged; leaving the page earlier would lose the key.
  await page.locator('.app, .locked').first().waitFor();
  return { context, page, troubles };
}

/** As `cairn open` asks for it. */
export async function issueCode(worker: ApiWorker): Promise<string> {
  const { token } = readAccess(worker.paths);
  const response = await fetch(`${worker.origin}/api/codes`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: '{}',
  });
  return ((await response.json()) as { code: string }).code;
}

/** @returns what is serious. Rules about landmarks concern the frame, not a page. */
export async function findFaults(page: Page): Promise<string[]> {
  // The policy of the page refuses a script element; the protocol of the browser does not ask it.
  const session = await page.context().newCDPSession(page);
  await session.send('Runtime.evaluate', { expression: axe.source });
  const { result } = await session.send('Runtime.evaluate', {
    expression: `axe.run({ resultTypes: ['violations'] }).then(({ violations }) => JSON.stringify(violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .map(({ id, nodes }) => id + ': ' + nodes[0].html.slice(0, 200))))`,
    awaitPromise: true,
  });
  return JSON.parse(String(result.value));
}
