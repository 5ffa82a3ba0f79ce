import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../platform/installation.ts';

export interface Page {
  type: string;
  body: Buffer;
}

/** Files that anyone may load: they hold no data. A request only chooses from this list. */
const FILES: Record<string, { file: string; type: string }> = {
  '/': { file: 'page/index.html', type: 'text/html; charset=utf-8' },
  '/open': { file: 'page/index.html', type: 'text/html; charset=utf-8' },
  '/assets/viewer.js': { file: 'page/viewer.js', type: 'text/javascript; charset=utf-8' },
  '/assets/viewer.css': { file: 'page/viewer.css', type: 'text/css; charset=utf-8' },
  '/openapi.json': { file: 'openapi.json', type: 'application/json; charset=utf-8' },
};

const loaded = new Map<string, Page>();

export function findPage(path: string): Page | null {
  const known = loaded.get(path);
  if (known) return known;
  if (!Object.hasOwn(FILES, path)) return null;
  const { file, type } = FILES[path] ?? { file: '', type: '' };
  const page = { type, body: readFileSync(join(packageRoot(), 'dist', 'assets', 'api', file)) };
  loaded.set(path, page);
  return page;
}
