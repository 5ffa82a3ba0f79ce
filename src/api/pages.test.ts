import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { packageRoot } from '../platform/installation.ts';
import { findPage } from './pages.ts';

const HTML = { accept: 'text/html' };
const PAGE_HEADERS = { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-cache' };
const assets = join(packageRoot(), 'dist/page/assets');
const names = readdirSync(assets);

test.each([
  '/',
  '/open',
  '/m/12',
  '/search',
  '/s/3',
  '/timeline',
  '/work',
  '/work/4',
  '/injections/9',
  '/health',
])('%s serves the page', (path) => {
  const { body: _, ...page } = findPage(path, HTML) ?? { body: null };
  expect(page).toEqual({ status: 200, headers: PAGE_HEADERS });
});

const MISTYPED = ['/m/', '/m/x', '/m/12/..', '/page/index.html', '/nonsense'];

test.each(MISTYPED)('a browser gets the page with status 404 for %s', (path) => {
  const page = findPage(path, HTML);
  expect(page).toEqual({ status: 404, headers: PAGE_HEADERS, body: findPage('/', HTML)?.body });
});

test.each(MISTYPED)('a script gets no page for %s', (path) => {
  expect(findPage(path, { accept: '*/*' })).toBeNull();
});

test.each(['/assets/', '/assets/../index.html', '/assets/%2e%2e%2findex.html', '/api/nonsense', '/api'])(
  '%s is not a page',
  (path) => {
    expect(findPage(path, HTML)).toBeNull();
  },
);

test('a script that requests /health gets the answer of the API', () => {
  expect(findPage('/health', { accept: '*/*' })).toBeNull();
});

test.each([
  { accepted: 'gzip, deflate, br', encoding: 'br', ending: '.br' },
  { accepted: 'gzip', encoding: 'gzip', ending: '.gz' },
  { accepted: '', encoding: undefined, ending: '' },
])('an asset for "$accepted" is cacheable forever', ({ accepted, encoding, ending }) => {
  const script = names.find((name) => /^page-\w+\.js$/.test(name)) ?? '';
  const page = findPage(`/assets/${script}`, { 'accept-encoding': accepted });
  expect(page?.headers['content-encoding']).toBe(encoding);
  expect(page?.headers['cache-control']).toBe('public, max-age=31536000, immutable');
  expect(page?.body.length).toBe(statSync(join(assets, script + ending)).size);
});

test('the page stays below its size limits', () => {
  const sizes = names
    .filter((name) => name.endsWith('.gz'))
    .map((name) => ({ name, size: statSync(join(assets, name)).size }));
  const sum = (list: typeof sizes) => list.reduce((total, { size }) => total + size, 0);
  expect(sum(sizes)).toBeLessThan(110_000);
  const html = findPage('/', HTML)?.body.toString() ?? '';
  const first = sizes.filter(({ name }) => html.includes(name.replace(/\.gz$/, '')));
  expect(first.map(({ name }) => name.replace(/-.*/, '')).sort()).toEqual(['chunk', 'page', 'styles']);
  expect(sum(first)).toBeLessThan(45_000);
});
