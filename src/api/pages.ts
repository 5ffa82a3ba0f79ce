import { readdirSync, readFileSync } from 'node:fs';
import type { IncomingHttpHeaders } from 'node:http';
import { extname, join } from 'node:path';
import { packageRoot } from '../platform/installation.ts';

export interface Page {
  status: 200 | 404;
  headers: Record<string, string>;
  body: Buffer;
}

/** Addresses of the viewer. All serve the same page, which reads the address itself. */
const VIEWS =
  /^\/(?:|open|search|timeline|health|stats|settings|projects|team|(?:work|injections)(?:\/\d{1,15})?|[ms]\/\d{1,15})$/;

const TYPES: Record<string, string> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
};
/** For files whose name changes with their content. */
const FOREVER = 'public, max-age=31536000, immutable';

const loaded = new Map<string, Buffer>();
let assets: Set<string> | undefined;

/** Finds a file without data, which anyone may load. A request can only select files that the build made. */
export function findPage(path: string, headers: IncomingHttpHeaders): Page | null {
  if (path === '/openapi.json') return page('assets/api/openapi.json', 'application/json; charset=utf-8');
  if (path === '/icon.svg') return page('page/icon.svg', 'image/svg+xml; charset=utf-8');
  if (isView(path, headers)) return page('page/index.html', 'text/html; charset=utf-8');
  if (isUnknownView(path, headers))
    return { ...page('page/index.html', 'text/html; charset=utf-8'), status: 404 };
  const name = /^\/assets\/([\w.-]+)$/.exec(path)?.[1];
  const type = name === undefined ? undefined : TYPES[extname(name)];
  if (name === undefined || type === undefined || !listAssets().has(name)) return null;
  const encoding = chooseEncoding(String(headers['accept-encoding'] ?? ''));
  const { body } = page(`page/assets/${name}${encoding?.ending ?? ''}`, type);
  const encoded: Record<string, string> = encoding ? { 'content-encoding': encoding.name } : {};
  return {
    ...{ status: 200, body },
    headers: { ...encoded, 'content-type': type, 'cache-control': FOREVER, vary: 'accept-encoding' },
  };
}

/** Scripts use `/health` to check whether the worker answers. */
function isView(path: string, { accept = '' }: IncomingHttpHeaders): boolean {
  return VIEWS.test(path) && (path !== '/health' || accept.includes('text/html'));
}

/** For a mistyped address a browser gets the page, which says so itself, instead of JSON. */
function isUnknownView(path: string, { accept = '' }: IncomingHttpHeaders): boolean {
  return accept.includes('text/html') && !/^\/(?:api|assets|health)(?:\/|$)/.test(path);
}

function page(file: string, type: string): Page {
  const body = loaded.get(file) ?? readFileSync(join(packageRoot(), 'dist', file));
  loaded.set(file, body);
  return { status: 200, body, headers: { 'content-type': type, 'cache-control': 'no-cache' } };
}

function listAssets(): Set<string> {
  assets ??= new Set(readdirSync(join(packageRoot(), 'dist/page/assets')));
  return assets;
}

function chooseEncoding(accepted: string): { name: string; ending: string } | null {
  if (/\bbr\b/.test(accepted)) return { name: 'br', ending: '.br' };
  return /\bgzip\b/.test(accepted) ? { name: 'gzip', ending: '.gz' } : null;
}
