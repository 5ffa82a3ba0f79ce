// Builds the viewer into a folder: index.html, and assets/ whose names change with their content. The assets have
// compressed copies, because the worker never compresses.

import fs from 'node:fs';
import { basename, dirname, join } from 'node:path';
import zlib from 'node:zlib';

/** Browsers from the last three years. */
const TARGETS = ['chrome112', 'firefox115', 'safari16.4'];

/** `define` maps names in the code to their values. */
export async function buildPage(root, outdir, define) {
  const esbuild = await import('esbuild');
  const { metafile } = await esbuild.build({
    absWorkingDir: root,
    outdir,
    entryPoints: { page: 'src/page/main.tsx', styles: 'src/page/styles/all.css' },
    entryNames: 'assets/[name]-[hash]',
    chunkNames: 'assets/[name]-[hash]',
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'browser',
    target: TARGETS,
    jsx: 'automatic',
    jsxImportSource: 'preact',
    minify: true,
    define,
    metafile: true,
    logLevel: 'silent',
    plugins: [withFirstPage(join(root, 'src/page/shell/app.tsx'))],
  });
  const script = outputOf(metafile, 'src/page/main.tsx');
  const styles = outputOf(metafile, 'src/page/styles/all.css');
  const preloads = metafile.outputs[script].imports
    .filter(({ kind }) => kind === 'import-statement')
    .map(({ path }) => `<link rel="modulepreload" href="/assets/${basename(path)}" />`);
  const html = fs
    .readFileSync(join(root, 'src/page/index.html'), 'utf8')
    .replace('/assets/styles.css', () => `/assets/${basename(styles)}`)
    .replace('/assets/page.js', () => `/assets/${basename(script)}`)
    .replace('</head>', () => `${preloads.join('')}</head>`);
  fs.writeFileSync(join(outdir, 'index.html'), html);
  fs.copyFileSync(join(root, 'src/page/icon.svg'), join(outdir, 'icon.svg'));
  const assets = join(outdir, 'assets');
  for (const name of fs.readdirSync(assets)) compress(join(assets, name));
}

/**
 * Adds the whole first page to every page that is loaded later, which puts everything they share into one chunk.
 * Otherwise each set of pages that share a file gets its own chunk, and the first page takes twenty requests.
 */
function withFirstPage(app) {
  const namespace = 'later';
  return {
    name: 'with-first-page',
    setup(build) {
      build.onResolve({ filter: /^\./ }, ({ kind, path, resolveDir }) =>
        kind === 'dynamic-import' ? { path: join(resolveDir, path), namespace } : undefined,
      );
      build.onLoad({ filter: /./, namespace }, ({ path }) => ({
        contents: `export * from ${JSON.stringify(path)}; export { App } from ${JSON.stringify(app)};`,
        resolveDir: dirname(path),
      }));
    },
  };
}

function outputOf(metafile, entry) {
  const [name] = Object.entries(metafile.outputs).find(([, output]) => output.entryPoint === entry) ?? [];
  if (!name) throw new Error(`Cannot build: nothing came of ${entry}`);
  return name;
}

function compress(file) {
  const content = fs.readFileSync(file);
  fs.writeFileSync(`${file}.gz`, zlib.gzipSync(content, { level: 9 }));
  fs.writeFileSync(`${file}.br`, zlib.brotliCompressSync(content));
}
