import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ApiWorker, startApiWorker } from '../support/api-worker.ts';
import { findSerious, isTooWide, launchBrowser, openViewer } from '../support/browser.ts';
import { fillHostile, TRICKS } from '../support/viewer-hostile.ts';
import { fillViewer } from '../support/viewer-memories.ts';
import { fillWeek } from '../support/viewer-week.ts';

/** Hostile text, foreign pages, and settings for accessibility. */

let hostile: ApiWorker;
let worker: ApiWorker;
let browser: Browser;

beforeAll(async () => {
  hostile = await startApiWorker({ fill: (store) => fillHostile(store, Date.now()) });
  worker = await startApiWorker({
    fill(store) {
      fillViewer(store, Date.now());
      fillWeek(store, Date.now());
    },
  });
  // A foreign name that leads to this machine, as in a DNS rebinding attack.
  browser = await launchBrowser(['--host-resolver-rules=MAP rebound.example 127.0.0.1']);
});

afterAll(async () => {
  await browser?.close();
  await hostile?.stop();
  await worker?.stop();
});

const PAGES = [
  ...[
    '/',
    '/m/1',
    '/m/2',
    '/search?q=hacked',
    '/s/1',
    '/timeline',
    '/work',
    '/work/1',
    '/injections',
    '/injections/1',
  ],
  ...['/health', '/stats', '/settings', '/projects'],
];

async function show(page: Page, origin: string, path: string): Promise<void> {
  await page.goto(origin + path);
  await page.getByRole('heading', { level: 1 }).first().waitFor({ state: 'attached' });
  await page.locator('.loading').first().waitFor({ state: 'detached' });
}

test.each([1440, 390])('stored text never becomes more than text, %i pixels wide', async (width) => {
  const { page, troubles, context } = await openViewer(browser, hostile, { width, height: 900 });
  page.on('dialog', (dialog) => troubles.push(`dialog ${dialog.message()}`));
  const found: Record<string, unknown> = {};
  for (const path of PAGES) {
    await show(page, hostile.origin, path);
    for (const more of await page.locator('main details:not([open]) > summary').all())
      await more.click({ timeout: 2_000 }).catch(() => {});
    const state = await page.evaluate<Record<string, unknown>>(`({
      hacked: window.hacked ?? 0,
      elements: document.querySelectorAll('main :is(script, img, iframe, style, object, embed, base, [onerror], [onload], [onmouseover])').length,
      links: [...document.querySelectorAll('main a')].map((link) => link.getAttribute('href') ?? link.getAttribute('xlink:href') ?? '')
        .filter((href) => !/^(?:\\/|#|https:\\/\\/)/.test(href)),
      outside: [...document.querySelectorAll('main a[href^="https:"]')]
        .filter(({ rel, href, textContent }) => rel !== 'noreferrer' || !href.startsWith(textContent.trim())).length,
      isHidden: getComputedStyle(document.body).display === 'none',
      reordered: /[\\u202a-\\u202e\\u2066-\\u2069]/.test(document.body.textContent),
    })`);
    const isWide = await isTooWide(page);
    const clean = { hacked: 0, elements: 0, links: [], outside: 0, isHidden: false, reordered: false };
    if (JSON.stringify(state) !== JSON.stringify(clean) || isWide) found[path] = { ...state, isWide };
  }
  expect({ found, troubles }).toEqual({ found: {}, troubles: [] });
  await show(page, hostile.origin, '/m/1');
  expect(await page.locator('.pane').textContent()).toContain(TRICKS[0]);
  await context.close();
});

test('editing a title leaves the other texts unchanged', async () => {
  const { page, context } = await openViewer(browser, hostile);
  const read = () => hostile.useStore((store) => store.getMemory(1));
  const before = read();
  expect(before?.narrative).toContain('\u202e');
  await show(page, hostile.origin, '/m/1');
  await page.keyboard.press('e');
  await page.locator('input[name=title]').fill('Plain');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.locator('.pane').getByRole('heading', { name: 'Plain' }).waitFor();
  const after = read();
  const texts = (memory: typeof before) => [memory?.type, memory?.subtitle, memory?.narrative, memory?.facts];
  expect([after?.title, ...texts(after)]).toEqual(['Plain', ...texts(before)]);
  await context.close();
});

test('a page on another port or with a rebound name gets nothing, even with the key', async () => {
  const { page, context } = await openViewer(browser, worker);
  const key = await page.evaluate<string>("localStorage.getItem('cairn.key')");
  const server: Server = createServer((_, response) =>
    response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Another page of this machine</h1>'),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const ask = (
    origin: string,
    headers: object,
    method = 'GET',
  ) => `fetch(${JSON.stringify(`${origin}/api/memories`)}, {
    method: ${JSON.stringify(method)}, headers: ${JSON.stringify(headers)}, credentials: 'include' })
    .then((answer) => answer.text().then((text) => answer.status + ' ' + text.includes('cursor')), () => 'refused')`;
  const authorization = `Bearer ${key}`;
  try {
    const other = await context.newPage();
    await other.goto(`http://127.0.0.1:${port}/`);
    // Storage belongs to an origin, which includes the port: the key is not in that of the other page.
    expect(await other.evaluate("localStorage.getItem('cairn.key')")).toBeNull();
    expect(await other.evaluate(ask(worker.origin, {}))).toBe('refused');
    expect(await other.evaluate(ask(worker.origin, { authorization }))).toBe('refused');
    const opened = await other.evaluate(
      `fetch('${worker.origin}/api/memories', { mode: 'no-cors' }).then(({ type, status }) => type + status, () => 'refused')`,
    );
    // The answer cannot be read, and it was a refusal.
    expect(['opaque0', 'refused']).toContain(opened);
    await other.setContent(`<iframe src="${worker.origin}/"></iframe>`);
    expect(await other.frameLocator('iframe').locator('.app').count()).toBe(0);

    const name = `http://rebound.example:${worker.port}`;
    await expect(other.goto(`${name}/`)).rejects.toThrow('ERR_HTTP_RESPONSE_CODE_FAILURE');
    // As if the name had led to the attacker's own server before.
    await other.route(`${name}/attack`, (route) =>
      route.fulfill({ contentType: 'text/html', body: '<h1>Attack</h1>' }),
    );
    await other.goto(`${name}/attack`);
    // Refused by the worker, or already by the browser, which keeps public pages from this machine.
    for (const method of ['GET', 'POST'])
      expect(['403 false', 'refused']).toContain(await other.evaluate(ask(name, { authorization }, method)));
  } finally {
    server.close();
    await context.close();
  }
});

test('forced colours keep every page usable', async () => {
  const { page, troubles, context } = await openViewer(browser, worker, { forcedColors: 'active' });
  const found: Record<string, unknown> = {};
  for (const path of PAGES) {
    await show(page, worker.origin, path);
    const serious = await findSerious(page);
    if (serious.length > 0) found[path] = serious;
  }
  expect({ found, troubles }).toEqual({ found: {}, troubles: [] });
  const look = (selector: string, property: string) =>
    page
      .locator(selector)
      .first()
      .evaluate(
        (element, name) =>
          element.ownerDocument.defaultView?.getComputedStyle(element).getPropertyValue(name),
        property,
      );
  await show(page, worker.origin, '/');
  // Without backgrounds, the selected row has an outline, and marks keep their colour.
  expect(await look('.memory[aria-current]', 'outline-style')).toBe('solid');
  expect(await look('.nav a[aria-current]', 'outline-style')).toBe('solid');
  await show(page, worker.origin, '/injections');
  expect(await look('.bar i', 'forced-color-adjust')).toBe('none');
  await show(page, worker.origin, '/stats');
  expect(await look('.track i', 'forced-color-adjust')).toBe('none');
  expect(await look('.calendar rect.level-4', 'forced-color-adjust')).toBe('none');
  await context.close();
});

test('with reduced motion nothing moves', async () => {
  const running = (page: Page) =>
    page.evaluate("document.getAnimations().filter(({ playState }) => playState === 'running').length");
  const still = await openViewer(browser, worker, { reducedMotion: 'reduce' });
  const moving = await openViewer(browser, worker);
  for (const { page } of [still, moving]) {
    await show(page, worker.origin, '/');
    await page.locator('.live .pulse').waitFor();
  }
  // The page moves without this setting: the test can fail.
  await expect.poll(() => running(moving.page)).toBeGreaterThan(0);
  for (const path of PAGES) {
    await show(still.page, worker.origin, path);
    expect([path, await running(still.page)]).toEqual([path, 0]);
  }
  await still.context.close();
  await moving.context.close();
});

test('the theme follows the system until a person chooses one', async () => {
  const { page, context } = await openViewer(browser, worker);
  const background = () => page.evaluate('getComputedStyle(document.body).backgroundColor');
  const [light, dark] = ['rgb(246, 244, 239)', 'rgb(19, 18, 16)'];
  expect(await background()).toBe(light);
  await page.emulateMedia({ colorScheme: 'dark' });
  await expect.poll(background).toBe(dark);
  await page.getByRole('button', { name: 'Light' }).click();
  await expect.poll(background).toBe(light);
  await page.reload();
  await page.locator('.app').waitFor();
  expect(await background()).toBe(light);
  await context.close();
});
