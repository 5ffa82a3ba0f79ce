import { execFileSync, spawn } from 'node:child_process';
import fs from 'node:fs';
import http from 'node:http';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { cli, installedHome, makeProject, workFolder } from './home.mjs';
import { memoryOf } from './measure.mjs';
import { loadProduct } from './product.mjs';
import { milliseconds, whole } from './table.mjs';
import { measureLive } from './viewer-live.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const MEMORIES = 50_000;
const LOADS = 10;
const STREAMS = 200;
const STREAMS_OF_A_KEY = 8;
const CHANGES = 100;
const LEAST_REST_MS = 3_000;
const QUERIES = ['parser drops headers', 'the cache retries', 'queue locks rows', 'why router escapes names'];
const MOST = {
  firstMs: 1_000,
  liveMs: 1_000,
  typingMs: 80,
  streamsMb: 40,
  workerMb: 90,
  firstKb: 45,
  allKb: 110,
};

/** How long a person waits for the viewer, and what it costs the worker. Needs Debian's Chromium. */
export async function measure({ say }) {
  const product = await loadProduct();
  const work = workFolder();
  const { home, env } = installedHome(work);
  const projects = ['alpha', 'beta', 'gamma'].map((name) => makeProject(join(work, name)));
  say(`  ${whole(MEMORIES)} memories …`);
  execFileSync(process.execPath, [
    join(root, 'bench/fill-memories.mjs'),
    home,
    String(MEMORIES),
    ...projects,
  ]);
  fs.writeFileSync(join(home, 'config.json'), JSON.stringify({ 'worker.idleSeconds': 600 }));
  const worker = spawn(process.execPath, [...product.WORKER_OPTIONS, join(root, 'dist/worker.cjs')], {
    env: { ...env, CAIRN_HOME: home },
    stdio: 'ignore',
  });
  process.on('exit', () => worker.kill());
  const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] });
  try {
    await wait(LEAST_REST_MS);
    const openLink = () =>
      JSON.parse(
        execFileSync(process.execPath, [cli, 'open', '--json'], { env: { ...env, CAIRN_HOME: home } }),
      );
    say(`  ${LOADS} first pages …`);
    const first = await loadFirstPage(browser, openLink);
    say('  typing …');
    const typing = await measureTyping(browser, openLink);
    const megabytes = memoryOf(worker.pid);
    const bare = measureBare(product, home);
    await wait(LEAST_REST_MS);
    const restMegabytes = memoryOf(worker.pid);
    say('  a session of Claude Code …');
    const live = await measureLive(browser, { home, product, openLink });
    say(`  ${STREAMS} streams …`);
    const streams = await measureStreams(product, home);
    const sizes = measureSizes();
    const above = quantile(typing, 0.95) - quantile(bare, 0.95);
    return {
      title: `The viewer, on ${whole(MEMORIES)} memories`,
      columns: ['', 'median', 'p95', 'at most', 'target'],
      rows: [
        row(
          'first page: from its address to painted memories',
          [quantile(first, 0.5), quantile(first, 0.95)],
          milliseconds,
          MOST.firstMs,
          quantile(first, 0.5),
        ),
        row('a letter typed to painted hits', [quantile(typing, 0.5), quantile(typing, 0.95)], milliseconds),
        row('bare FTS5 for the same words', [quantile(bare, 0.5), quantile(bare, 0.95)], milliseconds),
        row(
          'typing above bare FTS5',
          [quantile(typing, 0.5) - quantile(bare, 0.5), above],
          milliseconds,
          MOST.typingMs,
          above,
        ),
        row(
          'live: a tool call of Claude Code, from its hook to painted',
          [quantile(live.calls, 0.5), quantile(live.calls, 0.95)],
          milliseconds,
          MOST.liveMs,
          quantile(live.calls, 0.95),
        ),
        row('live: a prompt', [live.prompt, null], milliseconds, MOST.liveMs, live.prompt),
        row('live: from the end of a turn to its painted memory', [live.memory, null], milliseconds),
        row(
          'worker with the viewer open, after searches',
          [megabytes, null],
          inMegabytes,
          MOST.workerMb,
          megabytes,
        ),
        row(
          'worker with the viewer open, a few seconds later',
          [restMegabytes, null],
          inMegabytes,
          MOST.workerMb,
          restMegabytes,
        ),
        row(
          `${STREAMS} streams, after ${CHANGES} changes each`,
          [streams, null],
          inMegabytes,
          MOST.streamsMb,
          streams,
        ),
        row('first page, compressed', [sizes.first, null], inKilobytes, MOST.firstKb, sizes.first),
        row('whole viewer, compressed', [sizes.all, null], inKilobytes, MOST.allKb, sizes.all),
      ],
      notes: [
        `${LOADS} first pages in fresh windows of Chromium; ${typing.length} letters of ${QUERIES.length} queries, each measured from the input event to the second frame after its answer.`,
        `Live: ${live.calls.length} calls in one session of the real client, from when the hook wrote its file to the second frame that shows it.`,
        `The worker serves at most 64 connections; the ${STREAMS} streams were opened on the same code without that limit.`,
      ],
    };
  } finally {
    await browser.close();
    worker.kill();
  }
}

async function loadFirstPage(browser, openLink) {
  const times = [];
  for (let load = 0; load < LOADS; load++) {
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
    const page = await context.newPage();
    const { link } = openLink();
    await page.goto(link, { waitUntil: 'commit' });
    await page.locator('.feed .memory').first().waitFor();
    await page.locator('.pane h1').waitFor();
    times.push(
      await page.evaluate(
        'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(performance.now()))))',
      ),
    );
    await context.close();
  }
  return times;
}

async function measureTyping(browser, openLink) {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  const { link } = openLink();
  await page.goto(link);
  await page.locator('.feed .memory').first().waitFor();
  await page.keyboard.press('/');
  const times = [];
  for (const query of QUERIES)
    for (let length = 2; length <= query.length; length++)
      if (query[length - 1] !== ' ') times.push(await page.evaluate(typeOnce(query.slice(0, length))));
  // The first three are dropped, because they include loading.
  return times.slice(3);
}

/** Runs in the page: types the text and returns the time until its hits were painted. */
function typeOnce(text) {
  return `(async () => {
    const input = document.querySelector('input[type=search]');
    const frame = () => new Promise((done) => requestAnimationFrame(done));
    performance.clearResourceTimings();
    const began = performance.now();
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set.call(input, ${JSON.stringify(text)});
    input.dispatchEvent(new Event('input', { bubbles: true }));
    const isAnswered = () => performance.getEntriesByType('resource').some(({ name }) => {
      const { pathname, searchParams } = new URL(name);
      return pathname === '/api/search' && searchParams.get('q') === ${JSON.stringify(text)};
    });
    while (!isAnswered() && performance.now() - began < 20000) await frame();
    await frame();
    await frame();
    const spent = performance.now() - began;
    await new Promise((done) => setTimeout(done, 40));
    return spent;
  })()`;
}

/** The same words on the same table, the last one as a prefix. */
function measureBare(product, home) {
  const db = product.openDatabase(product.pathsOf(home).database);
  const search = db.prepare(
    'SELECT rowid FROM search_words WHERE search_words MATCH ? ORDER BY rank LIMIT 50',
  );
  const times = [];
  for (const query of QUERIES)
    for (let length = 2; length <= query.length; length++) {
      if (query[length - 1] === ' ') continue;
      const match = query
        .slice(0, length)
        .split(' ')
        .map((word, index, all) => `"${word}"${index === all.length - 1 ? '*' : ''}`)
        .join(' OR ');
      const began = performance.now();
      search.all(match);
      times.push(performance.now() - began);
    }
  db.close();
  return times.slice(3);
}

/** The cost of this many listeners for a process that serves the API. */
async function measureStreams(product, home) {
  const server = spawn(process.execPath, [join(root, 'bench/serve-api.mjs'), home], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  try {
    const port = Number(await new Promise((resolve) => server.stdout.once('data', resolve)));
    const access = product.readAccess(product.pathsOf(home));
    const keys = Array.from(
      { length: Math.ceil(STREAMS / STREAMS_OF_A_KEY) },
      () => product.createKey(access, Date.now()).key,
    );
    const open = (number) =>
      new Promise((resolve, reject) => {
        const headers = { authorization: `Bearer ${keys[Math.floor(number / STREAMS_OF_A_KEY)]}` };
        http
          .get({ host: '127.0.0.1', port, path: '/api/stream', headers, agent: false }, (response) => {
            if (response.statusCode !== 200) reject(new Error(`stream ${number}: ${response.statusCode}`));
            response.resume();
            response.once('data', () => resolve(response));
            resolve(response);
          })
          .on('error', reject);
      });
    const first = await open(0);
    await wait(LEAST_REST_MS);
    const before = memoryOf(server.pid);
    const opened = await Promise.all(Array.from({ length: STREAMS - 1 }, (_, number) => open(number + 1)));
    const store = product.openSqliteStore(product.pathsOf(home).database);
    for (let change = 0; change < CHANGES; change++) {
      store.pinMemory(1, change % 2 === 0 ? Date.now() : null);
      await wait(20);
    }
    store.close();
    await wait(LEAST_REST_MS);
    const after = memoryOf(server.pid);
    for (const response of [first, ...opened]) response.destroy();
    return after - before;
  } finally {
    server.kill();
  }
}

function measureSizes() {
  const assets = join(root, 'dist/page/assets');
  const html = fs.readFileSync(join(root, 'dist/page/index.html'), 'utf8');
  const sizes = fs
    .readdirSync(assets)
    .filter((name) => name.endsWith('.gz'))
    .map((name) => ({
      isFirst: html.includes(name.replace(/\.gz$/, '')),
      size: fs.statSync(join(assets, name)).size,
    }));
  const sum = (list) => list.reduce((total, { size }) => total + size, 0) / 1_000;
  return { first: sum(sizes.filter(({ isFirst }) => isFirst)), all: sum(sizes) };
}

function row(name, [median, p95], format, most, figure = null) {
  const isMet = most === undefined || figure <= most;
  return {
    cells: [
      name,
      format(median),
      p95 === null ? '' : format(p95),
      most === undefined ? '' : format(most),
      most === undefined ? '' : isMet ? 'met' : 'above target',
    ],
    figures: { median, p95, isMet },
  };
}

function quantile(values, share) {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.floor((sorted.length - 1) * share)];
}

function inMegabytes(value) {
  return `${value.toFixed(1)} MB`;
}

function inKilobytes(value) {
  return `${value.toFixed(1)} kB`;
}
