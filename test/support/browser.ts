import axe from 'axe-core';
import { type Browser, type BrowserContext, chromium, type Locator, type Page } from 'playwright-core';
import { readAccess } from '../../src/api/access.ts';
import type { ApiWorker } from './api-worker.ts';

/** Debian's Chromium; .ci/run installs it. */
const PROGRAM = '/usr/bin/chromium';

export function launchBrowser(args: string[] = []): Promise<Browser> {
  // Chromium refuses to sandbox for root, as in a container.
  return chromium.launch({ executablePath: PROGRAM, args: ['--no-sandbox', ...args] });
}

export interface View {
  context: BrowserContext;
  page: Page;
  /** Exceptions, violations of the content security policy, and requests to other origins. */
  troubles: string[];
}

/** Opens the viewer in a new window, by a link with a one-time code. */
export async function openViewer(
  browser: Browser,
  worker: Pick<ApiWorker, 'origin' | 'paths'>,
  {
    width = 1440,
    height = 900,
    isDark = false,
    link,
    ...media
  }: {
    width?: number;
    height?: number;
    isDark?: boolean;
    link?: string;
    forcedColors?: 'active';
    reducedMotion?: 'reduce';
  } = {},
): Promise<View> {
  const context = await browser.newContext({
    viewport: { width, height },
    colorScheme: isDark ? 'dark' : 'light',
    locale: 'en-GB',
    ...media,
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
  // Waits until the code is exchanged; leaving the page earlier would lose the key.
  await page.locator('.app, .locked').first().waitFor();
  return { context, page, troubles };
}

/** Requests a code as `cairn open` does. */
export async function issueCode(worker: Pick<ApiWorker, 'origin' | 'paths'>): Promise<string> {
  const { token } = readAccess(worker.paths);
  const response = await fetch(`${worker.origin}/api/codes`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: '{}',
  });
  return ((await response.json()) as { code: string }).code;
}

/** What axe-core calls serious or critical, each with the first elements concerned. */
export async function findSerious(page: Page): Promise<string[]> {
  // The page's policy refuses a script element, but not code that runs through the DevTools protocol.
  const session = await page.context().newCDPSession(page);
  await session.send('Runtime.evaluate', { expression: axe.source });
  const { result, exceptionDetails } = await session.send('Runtime.evaluate', {
    expression: `axe.run({ resultTypes: ['violations'] }).then(({ violations }) => JSON.stringify(violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .map(({ id, nodes }) => id + ': ' + nodes.slice(0, 3).map(({ html }) => html.slice(0, 200)).join(', '))))`,
    awaitPromise: true,
  });
  await session.detach();
  if (exceptionDetails) throw new Error(`axe: ${exceptionDetails.exception?.description}`);
  return JSON.parse(String(result.value));
}

/** Presses Tab until `target` has the focus, as a person without a mouse does. */
export async function tabTo(page: Page, target: Locator, most = 250): Promise<void> {
  await target.waitFor();
  for (let pressed = 0; pressed < most; pressed++) {
    if (await target.evaluate((element) => element === element.ownerDocument.activeElement)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`Tab does not reach ${target}.`);
}

/** Whether the page is wider than the window and scrolls sideways. */
export function isTooWide(page: Page): Promise<boolean> {
  return page.evaluate('document.documentElement.scrollWidth > innerWidth');
}
