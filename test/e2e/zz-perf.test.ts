import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ApiWorker, startApiWorker } from '../support/api-worker.ts';
import { launchBrowser, openViewer } from '../support/browser.ts';
import { rememberTurn } from '../support/memories.ts';
let worker: ApiWorker; let browser: any;
beforeAll(async () => {
  const began = Date.now();
  worker = await startApiWorker({ fill(store) {
    const now = Date.now();
    for (let i = 0; i < 5000; i++) rememberTurn(store, { session: `s${Math.floor(i/8)}`, at: now - (5000 - i) * 120_000, place: { path: `/nowhere/p${i%7}/.git`, name: `project-${i%7}`, worktree: `/nowhere/p${i%7}`, branch: 'main' },
      summary: { request: `Do the thing number ${i} with retry loop and cursor`, completed: `Did the thing ${i}.` },
      observations: Array.from({ length: 9 }, (_, k) => ({ type: (['decision','bugfix','gotcha','feature'] as const)[k%4], title: `Memory ${i}.${k} about ${['retry','cursor','backoff','stream','window'][ (i+k)%5]} handling`, subtitle: 'One line of text about what was learned in this turn', narrative: `Narrative of ${i} ${k} with words like ${['apple','pear','plum','quince'][(i*k)%4]} and more.`, filesModified: [`src/file-${i%100}.ts`] })) });
  } });
  console.log('fill', Date.now() - began);
  browser = await launchBrowser();
}, 900_000);
afterAll(async () => { await browser?.close(); await worker?.stop(); });
test('perf', async () => {
  const time = async (name: string, f: () => Promise<unknown>) => { const t = performance.now(); await f(); console.log(name, Math.round(performance.now() - t)); };
  await time('first api', () => worker.get('/api/health'));
  for (let i = 0; i < 3; i++) { await time('feed', () => worker.get('/api/feed?limit=60')); await time('feed project', () => worker.get('/api/feed?limit=60&project=3'));await time('feed type', () => worker.get('/api/feed?limit=60&type=gotcha')); await time('running', () => worker.get('/api/running')); await time('health', () => worker.get('/api/health'));await time('projects', () => worker.get('/api/projects')); await time('search', () => worker.get('/api/search?q=retry+backoff+quince&typing=true')); await time('memory', () => worker.get('/api/memories/49000')); }
  const view = await openViewer(browser, worker);
  await view.page.locator('.feed .memory').first().waitFor();
  for (let i = 0; i < 4; i++) { await time('reload to rows', async () => { await view.page.reload(); await view.page.locator('.feed .memory').first().waitFor(); }); }
  const box = view.page.locator('.feed-column');
  for (let i = 0; i < 40; i++) { await box.evaluate('(b) => 0').catch(() => {}); await view.page.evaluate("document.querySelector('.feed-column').scrollBy(0, 3000)"); await view.page.waitForTimeout(60); }
  console.log('dom nodes', await view.page.evaluate("document.querySelectorAll('*').length"), 'rows', await view.page.evaluate("document.querySelectorAll('.memory').length"), 'top', await view.page.evaluate("document.querySelector('.feed-column').scrollTop"), 'height', await view.page.evaluate("document.querySelector('.feed-column').scrollHeight"));
  await view.page.keyboard.press('/');
  
  console.log(await view.page.evaluate(`new Promise(async (done) => { const input = document.querySelector('.search input'); const times = []; for (const text of ['cursor','cursor h','cursor ha','cursor hand','stream','stream w','window plum','apple backoff','pear retry','plum cursor']) { const t = performance.now(); Object.getOwnPropertyDescriptor(HTMLInputElement.prototype,'value').set.call(input, text); input.dispatchEvent(new Event('input',{bubbles:true})); await new Promise((r) => { const o = new MutationObserver(() => { if ((document.querySelector('.found')?.textContent ?? '').endsWith('“' + text + '”')) { o.disconnect(); requestAnimationFrame(r); } }); o.observe(document.body, {subtree:true, childList:true, characterData:true}); }); times.push(Math.round(performance.now()-t)); } done(times.join(' ')); })`));
  expect(view.troubles).toEqual([]);
}, 600_000);
