import { mkdtempSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import type { HookWorld } from './hook-call.ts';

/** Faults around a hook call. */

/** Permissions do not stop root, who runs tests on many machines; a file in place of the folder stops every user. */
export function breakSpool({ paths }: HookWorld): void {
  renameSync(paths.spool, `${paths.spool}.away`);
  writeFileSync(paths.spool, '');
}

/** Points the installed shell program to another interpreter or package. */
export function point({ paths }: HookWorld, variable: string, path: string): void {
  const script = readFileSync(paths.captureScript, 'utf8');
  writeFileSync(
    paths.captureScript,
    script.replace(new RegExp(`^${variable}=.*$`, 'm'), `${variable}='${path}'`),
  );
}

/** Builds the hook program with one of its files replaced. */
export async function buildHookWith(folder: string, file: string, contents: string): Promise<string> {
  const outfile = join(mkdtempSync(join(folder, 'build-')), 'hook.cjs');
  await build({
    entryPoints: [fileURLToPath(new URL('../../src/hooks/main.ts', import.meta.url))],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    logLevel: 'error',
    external: ['@photostructure/sqlite'],
    define: { 'import.meta.url': '__filename' },
    plugins: [
      {
        name: 'replace one file',
        setup: (bundler) =>
          bundler.onLoad({ filter: new RegExp(`/hooks/${file.replace('.', '\\.')}$`) }, () => ({ contents })),
      },
    ],
  });
  return outfile;
}
