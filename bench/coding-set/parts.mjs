import fs from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Parts of the repository that node cannot load as they are; `exports` names them. */
export async function loadParts(exports) {
  const { version, dependencies } = JSON.parse(fs.readFileSync(join(root, 'package.json'), 'utf8'));
  const outfile = join(root, '.cache/bench', `parts-${process.pid}.mjs`);
  await build({
    stdin: { contents: exports, resolveDir: root },
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    external: Object.keys(dependencies),
    define: { CAIRN_VERSION: JSON.stringify(version) },
    logLevel: 'error',
  });
  try {
    return await import(pathToFileURL(outfile).href);
  } finally {
    fs.rmSync(outfile);
  }
}
